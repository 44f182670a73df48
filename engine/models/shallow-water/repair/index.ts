/**
 * Makes a shallow-water state representable again after an analysis has changed it: the depth is raised to the floor, and a
 * cell at or below the dry depth has no momentum. A state that is already so is left as it is, bit by bit.
 */
import type { Operator } from '../../../compute/backend.ts';
import { repairReference } from './reference.ts';
import type { RepairParameters } from './parameters.ts';

export type { RepairParameters } from './parameters.ts';

export const repair: Operator<RepairParameters, { state: 'real' }> = {
  name: 'shallow-water-repair',
  fields: { state: 'real' },
  cost: ({ members, cells }, elementBytes) => ({
    bytes: 6 * members * cells * elementBytes,
    flops: 3 * members * cells,
  }),
  implementations: {
    reference: repairReference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
