/**
 * Writes the sample `public/samples/words.data.gz`: words in a small typeface, blurred by noise until single letters cannot
 * be told apart well, so that what letters follow one another helps. Format: that of letter.data (OCR of Kassel and Taskar).
 * Run it again only to change the sample: `node scripts/words.mjs`.
 */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** 5 x 7 dots a letter, a line a row. */
const GLYPHS = `
a .###. ....# .#### #...# .####
b #.... #.... ####. #...# #...# ####.
c .#### #.... #.... #.... .####
d ....# ....# .#### #...# #...# .####
e .###. #...# ##### #.... .###.
f ..##. .#..# .#... ###.. .#... .#...
g .#### #...# .#### ....# .###.
h #.... #.... ####. #...# #...# #...#
i ..#.. ..... .##.. ..#.. ..#.. .###.
j ...#. ..... ...#. ...#. #..#. .##..
k #.... #..#. #.#.. ##... #.#.. #..#.
l .##.. ..#.. ..#.. ..#.. ..#.. .###.
m ##.#. #.#.# #.#.# #.#.# #.#.#
n ####. #...# #...# #...# #...#
o .###. #...# #...# #...# .###.
p ####. #...# ####. #.... #....
q .#### #...# .#### ....# ....#
r #.##. ##..# #.... #.... #....
s .#### #.... .###. ....# ####.
t .#... ###.. .#... .#..# ..##.
u #...# #...# #...# #...# .####
v #...# #...# #...# .#.#. ..#..
w #...# #.#.# #.#.# #.#.# .#.#.
x #...# .#.#. ..#.. .#.#. #...#
y #...# #...# .#### ....# .###.
z ##### ...#. ..#.. .#... #####
`;

const WORDS = `
about above across after again almost along always among animal answer around ascent before began begin behind below
better between black block blue board body book bound branch bread bright bring brother build bundle cannot carry
certain change children city class close cloud colour common convex corner cost count country course cover cross
curve dance dark day deep descent different direct distance door double draw dream drive dual during early earth
east edge enough epoch even every example face fall family far farm fast father feature field figure final find fire
first fish flow fly follow food forest form forward fox friend front full gap garden gave gentle give glass gold good
grand grass great green ground group grow half hand hard harvest head hear heart heavy help hidden high hill hinge hold
home horse hour house hundred idea inch island join judge jump just keep kernel kind king know label lamp land large
last late laugh lead learn leave left letter level light line linear list little live long loss love machine made
major make many map margin mark matrix mean measure method middle might mile mind minute moon more morning mother
mountain move much music name narrow near never next night north note number ocean often open oracle order other
over page paper part path pattern people perhaps picture piece place plain plane plant play point polytope press
prime problem product quarter queen quick quiet rain reach read ready region rest right river road rock room round
rule sample science sea second seed seven shape sharp ship short side simple sing size sky slack sleep slope slow
small smooth snow solve some song south sparse speed spring square stand star step stone story street strong subject
summer support surface table take teach tell test thing think thought thousand three through time together town train
travel tree true twelve under until upper valley value vector very vertex village voice wait walk warm watch water
weight west wheel where while white whole wind window winter wonder wood word work world write year yellow young zebra
`;

const ROWS = 16;
const COLS = 8;
/** share of the dots that come out wrong */
const NOISE = 0.1;
const FOLDS = 10;

/** A small generator, so that the file is the same everywhere. */
let state = 2026;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const glyphs = new Map(
  GLYPHS.trim()
    .split('\n')
    .map((line) => {
      const [letter, ...rows] = line.split(' ');
      return [letter, rows];
    }),
);

/**
 * A letter as 16 x 8 dots: each dot of the glyph two rows high, moved a little, with noise.
 * @param {string} letter
 */
function picture(letter) {
  const rows = /** @type {string[]} */ (glyphs.get(letter));
  const down = ROWS - 2 * rows.length - 2 + Math.floor(3 * random()) - 1;
  const right = 1 + Math.floor(2 * random());
  return Array.from({ length: ROWS * COLS }, (_, at) => {
    const row = Math.floor((Math.floor(at / COLS) - down) / 2);
    const ink = rows[row]?.[(at % COLS) - right] === '#';
    return ink !== random() < NOISE ? 1 : 0;
  });
}

const words = WORDS.trim().split(/\s+/);
/** @type {string[]} */
const lines = [];
let id = 0;
words.forEach((word, number) => {
  const fold = number % FOLDS;
  [...word].forEach((letter, position) => {
    id++;
    const next = position + 1 < word.length ? id + 1 : -1;
    lines.push([id, letter, next, number + 1, position + 1, fold, ...picture(letter)].join('\t'));
  });
});
const file = new URL('../public/samples/words.data.gz', import.meta.url);
writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
console.log(`${words.length} words, ${lines.length} letters, seed of the generator in this script.`);
