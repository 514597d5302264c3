import { mount } from '../../../src/app/mount.tsx';
import { fakeEngine } from '../fake-engine.ts';

/** The page over the made-up engine; `?classes=40` and `?tick=5` make it wide or fast. */
const query = new URLSearchParams(location.search);
const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
const engine = fakeEngine({ classes: number('classes'), tick: number('tick'), batch: number('batch') });
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');
mount(engine, root);
