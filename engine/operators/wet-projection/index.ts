/**
 * Restricts increments to water that can hold them, in place: P δx = min(1, h/h_t) δx in a cell whose background has a depth h
 * above the dry depth, and 0 elsewhere; P = Pᵀ. A static covariance knows nothing of land or depth: without P an analysis would
 * put films of water on land, where a forecast's ensemble, dry in every member, has no variance, and give a film the momentum of
 * deep water. With the thin depth h_t = 0 only dry cells are changed, and P = P².
 */
import type { Operator } from '../../compute/backend.ts';
import type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';
import { wetProjectionReference } from './reference.ts';

export type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';

/** Cost: reads surface and bed, writes at most the increment of thin water; one subtraction a cell. */
export const wetProjection: Operator<WetProjectionParameters, WetProjectionFields> = {
  name: 'wet-projection',
  fields: { background: 'real', bed: 'real', increment: 'real' },
  cost: ({ variables, cells }, elementBytes) => ({ bytes: (2 + variables) * cells * elementBytes, flops: cells }),
  implementations: {
    reference: wetProjectionReference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
