import type { ArraysOf } from '../../compute/backend.ts';
import type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';

export function wetProjectionReference({ variables, cells, dryDepth, thinDepth }: WetProjectionParameters) {
  return ({ background, bed, increment }: ArraysOf<WetProjectionFields>): void => {
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
  };
}
