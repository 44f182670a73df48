/**
 * Restricts increments to water that can hold them, in place: P δx = min(1, h/h_t) δx in a cell whose background has a depth h
 * above the dry depth, and 0 elsewhere; P = Pᵀ. A static covariance knows nothing of land or depth: without P an analysis would
 * put films of water on land, where a forecast's ensemble, dry in every member, has no variance, and give a film the momentum of
 * deep water. With the thin depth h_t = 0 only dry cells are changed, and P = P².
 */
import { inRuns, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** Cost: reads surface and bed, writes at most the increment of thin water; one subtraction a cell. */
export const wetProjection = kernelOperator({
  name: 'wet-projection',
  block: parameterBlock('WetProjection', {
    variables: 'count',
    cells: 'count',
    /** A depth up to this is dry, metres. */
    dryDepth: 'f32',
    /** The depth from which on an increment is whole, metres; below it, it is in proportion to the depth. 0 for none. */
    thinDepth: 'f32',
    segment: 'part',
    /** [variables][cells]; variable 0 is the elevation of the surface, m. */
    background: 'read real',
    /** [cells], elevation of the bed, m. */
    bed: 'read real',
    /** [variables][cells], changed in place. */
    increment: 'write real',
  }),
  cost: ({ variables, cells }, elementBytes) => ({ bytes: (2 + variables) * cells * elementBytes, flops: cells }),
  reference:
    ({ variables, cells, dryDepth, thinDepth }) =>
    ({ background, bed, increment }) => {
      for (let cell = 0; cell < cells; cell++) {
        const depth = background[cell] - bed[cell];
        const wet = depth > dryDepth;
        if (wet && depth >= thinDepth) continue;
        const share = wet ? depth / thinDepth : 0;
        for (let variable = 0; variable < variables; variable++) {
          const i = variable * cells + cell;
          increment[i] = wet ? share * increment[i] : 0;
        }
      }
    },
  wasm: ({ cells }) => ({ kernel: 'wetProjection', ...inRuns(cells, 16_384) }),
  webgpu: { code: () => [import('./wet-projection.wgsl?raw')], items: ({ cells }) => cells },
});
