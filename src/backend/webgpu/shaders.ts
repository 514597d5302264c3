import denseGradientDense from '../../../shaders/dense-gradient/dense.wgsl?raw';
import denseGradientDenseWide from '../../../shaders/dense-gradient/dense-wide.wgsl?raw';
import denseGradientSparse from '../../../shaders/dense-gradient/sparse.wgsl?raw';
import directionRounds from '../../../shaders/direction/rounds.wgsl?raw';
import directionSort from '../../../shaders/direction/sort.wgsl?raw';
import directionThread from '../../../shaders/direction/thread.wgsl?raw';
import dualAdd from '../../../shaders/dual/add.wgsl?raw';
import dualScale from '../../../shaders/dual/scale.wgsl?raw';
import envelopeRow from '../../../shaders/envelope/envelope.wgsl?raw';
import envelopeTopK from '../../../shaders/envelope/top-k.wgsl?raw';
import envelopeUsunier from '../../../shaders/envelope/usunier.wgsl?raw';
import extrapolateInner from '../../../shaders/extrapolate/inner.wgsl?raw';
import extrapolateMomentum from '../../../shaders/extrapolate/momentum.wgsl?raw';
import extrapolateMove from '../../../shaders/extrapolate/move.wgsl?raw';
import extrapolateWatch from '../../../shaders/extrapolate/watch.wgsl?raw';
import gradientCount from '../../../shaders/gradient/count.wgsl?raw';
import gradientFill from '../../../shaders/gradient/fill.wgsl?raw';
import gradientGather from '../../../shaders/gradient/gather.wgsl?raw';
import gradientScan from '../../../shaders/gradient/scan.wgsl?raw';
import gradientSparse from '../../../shaders/gradient/sparse.wgsl?raw';
import gradientStarts from '../../../shaders/gradient/starts.wgsl?raw';
import jointShare from '../../../shaders/joint/share.wgsl?raw';
import jointStep from '../../../shaders/joint/step.wgsl?raw';
import jointVertexChange from '../../../shaders/joint/vertex-change.wgsl?raw';
import scoresDense from '../../../shaders/scores/dense.wgsl?raw';
import scoresDenseRow from '../../../shaders/scores/dense-row.wgsl?raw';
import scoresDenseWide from '../../../shaders/scores/dense-wide.wgsl?raw';
import scoresSparse from '../../../shaders/scores/sparse.wgsl?raw';
import step from '../../../shaders/step/step.wgsl?raw';
import sumsFold from '../../../shaders/sums/fold.wgsl?raw';
import sumsPartials from '../../../shaders/sums/partials.wgsl?raw';
import sumsRows from '../../../shaders/sums/rows.wgsl?raw';
import sumsWeights from '../../../shaders/sums/weights.wgsl?raw';
import saveBest from '../../../shaders/weights/save-best.wgsl?raw';
import weightsSet from '../../../shaders/weights/set.wgsl?raw';
import weightsUpdate from '../../../shaders/weights/update.wgsl?raw';

/** A WGSL file with its constants set; every pipeline is one of these, so pipelines are cached by their name. */
export interface Shader {
  /** paths under shaders/, in the order in which their texts follow each other */
  readonly files: readonly string[];
  readonly code: string;
  /** values of WGSL overrides */
  readonly constants: Record<string, number>;
}

const shader = (file: string, code: string, constants: Record<string, number> = {}): Shader => ({
  files: [file],
  code,
  constants,
});

/** Sets `const TOP`, the length of private lists: WGSL does not let an override give it. */
function thread(top: number): Shader {
  const lines = directionThread.split(/const TOP = \d+u;/);
  if (lines.length !== 2)
    throw new Error('shaders/direction/thread.wgsl must hold "const TOP = <number>u;" once');
  return shader('direction/thread.wgsl', lines.join(`const TOP = ${top}u;`));
}

const rounds = (lanes: number) => shader('direction/rounds.wgsl', directionRounds, { LANES: lanes });
const sort = (lanes: number) => shader('direction/sort.wgsl', directionSort, { LANES: lanes });

/** A row of the envelope with the projection of one family behind it. */
const envelope = (file: string, code: string): Shader => ({
  files: ['envelope/envelope.wgsl', file],
  code: envelopeRow + code,
  constants: {},
});

/** Every shader that can run, with every set of constants that it is built with. */
export const SHADERS = {
  'scores-dense': shader('scores/dense.wgsl', scoresDense),
  'scores-dense-row': shader('scores/dense-row.wgsl', scoresDenseRow),
  'scores-dense-wide': shader('scores/dense-wide.wgsl', scoresDenseWide),
  'scores-sparse': shader('scores/sparse.wgsl', scoresSparse),
  'direction-thread-1': thread(1),
  'direction-thread-2': thread(2),
  'direction-thread-4': thread(4),
  'direction-thread-8': thread(8),
  'direction-thread-16': thread(16),
  'direction-rounds-64': rounds(64),
  'direction-rounds-256': rounds(256),
  'direction-sort-64': sort(64),
  'direction-sort-256': sort(256),
  'envelope-usunier': envelope('envelope/usunier.wgsl', envelopeUsunier),
  'envelope-top-k': envelope('envelope/top-k.wgsl', envelopeTopK),
  'gradient-count': shader('gradient/count.wgsl', gradientCount),
  'gradient-scan': shader('gradient/scan.wgsl', gradientScan),
  'gradient-starts': shader('gradient/starts.wgsl', gradientStarts),
  'gradient-fill': shader('gradient/fill.wgsl', gradientFill),
  'gradient-gather': shader('gradient/gather.wgsl', gradientGather),
  'gradient-sparse': shader('gradient/sparse.wgsl', gradientSparse),
  'dense-gradient-dense': shader('dense-gradient/dense.wgsl', denseGradientDense),
  'dense-gradient-dense-wide': shader('dense-gradient/dense-wide.wgsl', denseGradientDenseWide),
  'dense-gradient-sparse': shader('dense-gradient/sparse.wgsl', denseGradientSparse),
  'sum-partials': shader('sums/partials.wgsl', sumsPartials),
  'sum-rows': shader('sums/rows.wgsl', sumsRows),
  'sum-weights': shader('sums/weights.wgsl', sumsWeights),
  'sum-fold': shader('sums/fold.wgsl', sumsFold),
  'vertex-change': shader('joint/vertex-change.wgsl', jointVertexChange),
  'set-share': shader('joint/share.wgsl', jointShare),
  'joint-step': shader('joint/step.wgsl', jointStep),
  'extrapolate-watch': shader('extrapolate/watch.wgsl', extrapolateWatch),
  'extrapolate-inner': shader('extrapolate/inner.wgsl', extrapolateInner),
  'extrapolate-momentum': shader('extrapolate/momentum.wgsl', extrapolateMomentum),
  'extrapolate-move': shader('extrapolate/move.wgsl', extrapolateMove),
  step: shader('step/step.wgsl', step),
  'save-best': shader('weights/save-best.wgsl', saveBest),
  'update-weights': shader('weights/update.wgsl', weightsUpdate),
  'set-weights': shader('weights/set.wgsl', weightsSet),
  'dual-scale': shader('dual/scale.wgsl', dualScale),
  'dual-add': shader('dual/add.wgsl', dualAdd),
} satisfies Record<string, Shader>;

export type ShaderName = keyof typeof SHADERS;
