/** Which cells say anything of an ensemble: where water is, in the truth or in a member. */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import type { WetCellsParameters, WetCellsFields } from './parameters.ts';

/**
 * Weights for means over the cells that are wet in the truth or in one member at least, 0 elsewhere: a cell that is dry in all
 * of them is right whatever a method does. They sum to the number of cells; all are 1 where all cells are wet, and 0 if none
 * is. Cost: reads bed and truth, and members only as far as no water is found.
 */
export const wetCells = defineOperator<WetCellsParameters, WetCellsFields>({
  name: 'wet-cells',
  fields: { ensemble: 'real', truth: 'real', bed: 'real', weight: 'real' },
  cost: ({ cells }, elementBytes) => ({ bytes: 5 * elementBytes * cells, flops: 3 * cells }),
  reference: wetCellsReference,
  wasm: async () => (await import('./wasm.ts')).wetCells,
  webgpu: async () => (await import('./webgpu.ts')).wetCells,
});

function wetCellsReference({ members, variables, cells, dryDepth }: WetCellsParameters) {
  const state = variables * cells;
  return ({ ensemble, truth, bed, weight }: ArraysOf<WetCellsFields>): void => {
    let count = 0;
    for (let cell = 0; cell < cells; cell++) {
      let isWet = truth[cell] - bed[cell] > dryDepth;
      for (let l = 0; l < members && !isWet; l++) isWet = ensemble[l * state + cell] - bed[cell] > dryDepth;
      weight[cell] = isWet ? 1 : 0;
      count += weight[cell];
    }
    if (count === 0) return;
    for (let cell = 0; cell < cells; cell++) weight[cell] *= cells / count;
  };
}
