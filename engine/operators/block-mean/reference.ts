/** Means of blocks in float64. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { blockMeanFields, BlockMeanParameters } from './parameters.ts';

export function blockMeanReference({ nx, ny, variables, factor }: BlockMeanParameters) {
  const cells = nx * ny;
  const along = nx * factor;
  return ({ fine, offset, coarse }: ArraysOf<typeof blockMeanFields>): void => {
    for (let v = 0; v < variables; v++) {
      for (let cell = 0; cell < cells; cell++) {
        const corner = v * cells * factor ** 2 + Math.floor(cell / nx) * factor * along + (cell % nx) * factor;
        let sum = 0;
        for (let j = 0; j < factor; j++) for (let i = 0; i < factor; i++) sum += fine[corner + j * along + i];
        coarse[v * cells + cell] = sum / factor ** 2 + (v === 0 ? offset[cell] : 0);
      }
    }
  };
}
