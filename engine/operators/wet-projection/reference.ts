import type { ArraysOf } from '../../compute/backend.ts';
import type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';

export function wetProjectionReference({ variables, cells, dryDepth }: WetProjectionParameters) {
  return ({ background, bed, increment }: ArraysOf<WetProjectionFields>): void => {
    for (let cell = 0; cell < cells; cell++) {
      if (background[cell] - bed[cell] > dryDepth) continue;
      for (let variable = 0; variable < variables; variable++) increment[variable * cells + cell] = 0;
    }
  };
}
