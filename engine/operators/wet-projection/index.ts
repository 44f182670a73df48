/**
 * The projection onto increments of water that is there: P δx = δx in a cell whose background has more than the dry depth of
 * water, 0 elsewhere, in place. P = Pᵀ = P². A static covariance knows nothing of land: without P an analysis would put films
 * of water on it, where a forecast's ensemble, dry in every member, has no variance.
 */
import type { Operator } from '../../compute/backend.ts';
import type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';
import { wetProjectionReference } from './reference.ts';

export type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';

/** Cost: reads surface and bed, writes at most the increment; one subtraction a cell. */
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
