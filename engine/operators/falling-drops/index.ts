/**
 * Drops that fall on states, in place: x_s[j][i] ← x_s[j][i] + Σ_d a_sd[j] b_sd[i] − f_s w[j][i] over the first plane of each state.
 *
 * A drop height·exp(−5 r²/width²) is a product of one factor along each axis, a along y and b along x, which is 0 beyond its reach:
 * the host sends nx + ny numbers for a drop instead of a plane for a state. f is how far the water at rest falls for displaced drops,
 * and w is 1 in cells with water at rest and 0 in others.
 */
import { inRunsOfLayers, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** Drops of a state that one run adds, as many as most scenarios have: more take further runs. */
export const DROPS_AT_ONCE = 8;

/** Rows of a part. */
const ROWS = 32;

/** Cost: reads and writes the plane of each state, reads the water and the factors; a multiply-add a drop and cell. */
export const fallingDrops = kernelOperator({
  name: 'falling-drops',
  block: parameterBlock('FallingDrops', {
    states: 'count',
    /** Drops of each state; factors of 0 for those that it does not have. */
    drops: 'count',
    nx: 'count',
    ny: 'count',
    /** The first state that drops fall on. */
    first: 'u32',
    /** Elements of one state, at least nx ny. */
    stride: 'count',
    segment: 'part',
    segments: 'part',
    /** b, [states][drops][nx] */
    along: 'read real',
    /** a, [states][drops][ny] */
    across: 'read real',
    /** f, [states] */
    levels: 'read real',
    /** w, [ny][nx] */
    water: 'read real',
    /** [first + states or more][stride] */
    ensemble: 'write real',
  }),
  cost: ({ states, drops, nx, ny }, elementBytes) => ({
    bytes: elementBytes * (states * (2 * nx * ny + drops * (nx + ny) + 1) + nx * ny),
    flops: states * nx * ny * (2 * drops + 3),
  }),
  reference:
    ({ states, drops, nx, ny, first, stride }) =>
    ({ along, across, levels, water, ensemble }) => {
      for (let s = 0; s < states; s++) {
        for (let j = 0; j < ny; j++) {
          for (let i = 0; i < nx; i++) {
            let sum = 0;
            for (let d = s * drops; d < (s + 1) * drops; d++) sum += across[d * ny + j] * along[d * nx + i];
            ensemble[(first + s) * stride + j * nx + i] += sum - levels[s] * water[j * nx + i];
          }
        }
      }
    },
  wasm: ({ states, drops, ny }) => ({
    kernel: 'fallingDrops',
    ...inRunsOfLayers(ny, states, ROWS),
    scratchBytes: 8 * drops,
  }),
  webgpu: {
    code: () => [import('./falling-drops.wgsl?raw')],
    items: ({ nx, ny }) => nx * ny,
    layers: ({ states }) => states,
  },
});
