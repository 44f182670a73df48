/**
 * Makes a shallow-water state representable again after an analysis has changed it: the depth is raised to the floor, and a
 * cell at or below the dry depth has no momentum. A state that is already so is left as it is, bit by bit.
 */
import type { Operator } from '../../../compute/backend.ts';
import { repairReference } from './reference.ts';

export interface RepairParameters {
  readonly members: number;
  readonly cells: number;
  /** Smallest depth, metres: 0 where cells may be dry. */
  readonly floor: number;
  /** A depth up to this, metres, is taken as dry. */
  readonly dryDepth: number;
  /** Where component 0 is the elevation η: the bed, [y][x], metres. Where it is the depth: undefined. */
  readonly bed: Float64Array | undefined;
}

export const repair: Operator<RepairParameters, { state: 'real' }> = {
  name: 'shallow-water-repair',
  fields: { state: 'real' },
  cost: ({ members, cells }, elementBytes) => ({
    bytes: 6 * members * cells * elementBytes,
    flops: 3 * members * cells,
  }),
  reference: repairReference,
  webgpu: () => import('./webgpu.ts'),
};
