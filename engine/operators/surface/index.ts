/**
 * States as they are looked at: the elevation of the water's surface above the water at rest, and standard deviations from
 * variances. Nothing is assimilated with these; they make a state drawable in place.
 *
 * - `surfaceElevation`: η = h + B for component 0, the other components as they are.
 * - `standardDeviation`: σ = √variance.
 */
import { inRuns, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** Elements of a part. */
const SEGMENT = 16_384;

/** planes₀ = state₀ + bed, planesᵥ = stateᵥ. Cost: reads state and bed once, writes once; one addition a cell. */
export const surfaceElevation = kernelOperator({
  name: 'surface-elevation',
  block: parameterBlock('SurfaceElevation', {
    /** Cells of the grid, ny · nx. */
    cells: 'count',
    /** Components of the state. */
    variables: 'count',
    segment: 'part',
    /** [variable][y][x] */
    state: 'read real',
    /** [y][x], metres. */
    bed: 'read real',
    /** [variable][y][x], another field than `state`. */
    planes: 'write real',
  }),
  cost: ({ cells, variables }, elementBytes) => ({ bytes: elementBytes * (2 * variables + 1) * cells, flops: cells }),
  reference:
    ({ cells, variables }) =>
    ({ state, bed, planes }) => {
      for (let cell = 0; cell < cells; cell++) planes[cell] = state[cell] + bed[cell];
      for (let i = cells; i < variables * cells; i++) planes[i] = state[i];
    },
  wasm: ({ cells }) => ({ kernel: 'surfaceElevation', ...inRuns(cells, SEGMENT) }),
  webgpu: {
    code: () => [import('./surface.wgsl?raw')],
    parts: ['surface-elevation'],
    items: ({ cells, variables }) => cells * variables,
  },
});

/** deviation = √max(variance, 0). Cost: reads and writes each element once. */
export const standardDeviation = kernelOperator({
  name: 'standard-deviation',
  block: parameterBlock('StandardDeviation', {
    /** Elements of `deviation`; `variance` has at least as many. */
    length: 'count',
    segment: 'part',
    variance: 'read real',
    deviation: 'write real',
  }),
  cost: ({ length }, elementBytes) => ({ bytes: elementBytes * 2 * length, flops: length }),
  reference:
    ({ length }) =>
    ({ variance, deviation }) => {
      for (let i = 0; i < length; i++) deviation[i] = Math.sqrt(Math.max(variance[i], 0));
    },
  wasm: ({ length }) => ({ kernel: 'standardDeviation', ...inRuns(length, SEGMENT) }),
  webgpu: { code: () => [import('./surface.wgsl?raw')], parts: ['standard-deviation'], items: ({ length }) => length },
});
