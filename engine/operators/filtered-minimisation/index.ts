/**
 * All iterations of conjugate gradients for A v = b, A = shift·I + Fᵀ Gᵀ G F, at once, where v is so short that starting a kernel
 * takes longer than what it does:
 *
 *   F = F_y ⊗ F_x, banded matrices along the axes of each plane of v;   G sparse, R^−½ H with what multiplies the state.
 *
 * `rightHandSide` and `solution` are `[planes][ny][nx]`; `indptr`, `indices`, `data` are G's rows and `columnStart`, `entryRow`,
 * `entryPosition` its columns (`transposeStructure`); `history` and `progress` as conjugate gradients leave them
 * (conjugate-gradient/parameters.ts), with the same formulas and the same reasons to stop.
 */
import type { Cost } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { filteredMinimisationFields, referenceFilteredMinimisation } from './reference.ts';
import type { FilteredMinimisationParameters } from './reference.ts';

export type { FilterBands, FilteredMinimisationParameters, filteredMinimisationFields } from './reference.ts';

/** Cost of one iteration: four bands, twice G, and twelve passes over v. How many there are is known on the device alone. */
function cost({ nx, ny, planes, nonzeros, bands }: FilteredMinimisationParameters, bytes: number): Cost {
  const length = nx * ny * planes;
  const taps = bands.x.width + bands.y.width + bands.adjointX.width + bands.adjointY.width;
  return {
    bytes: 2 * length * bytes + nonzeros * (8 + 2 * bytes),
    flops: 2 * taps * length + 4 * nonzeros + 12 * length,
  };
}

export const filteredMinimisation = defineOperator<FilteredMinimisationParameters, typeof filteredMinimisationFields>({
  name: 'filtered-minimisation',
  fields: filteredMinimisationFields,
  cost,
  reference: referenceFilteredMinimisation,
  webgpu: async () => (await import('./webgpu.ts')).default,
});

/**
 * Elements of v up to which one workgroup does. On an H200 an iteration takes about 60 µs of the device at 64² either way, and the
 * host waits once less; a larger v keeps more workgroups than one at work.
 */
const LONGEST = 4096;
/** Iterations up to which one dispatch lasts no longer than a frame. */
const MOST_ITERATIONS = 256;

/** Whether a minimisation is small enough to be done at once. */
export function isShort({
  nx,
  ny,
  planes,
  maxIterations,
}: Pick<FilteredMinimisationParameters, 'nx' | 'ny' | 'planes' | 'maxIterations'>): boolean {
  return nx * ny * planes <= LONGEST && maxIterations <= MOST_ITERATIONS;
}
