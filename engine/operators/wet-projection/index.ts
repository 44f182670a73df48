/**
 * The projection onto increments of water that is there: P δx = δx in a cell whose background has more than the dry depth of
 * water, 0 elsewhere, in place. P = Pᵀ = P². A static covariance knows nothing of land: without P an analysis would put films
 * of water on it, where a forecast's ensemble, dry in every member, has no variance.
 */
import type { Operator } from '../../compute/backend.ts';
import { wetProjectionReference } from './reference.ts';

export interface WetProjectionParameters {
  readonly variables: number;
  readonly cells: number;
  /** A depth up to this is dry, metres. */
  readonly dryDepth: number;
}

export type WetProjectionFields = {
  /** [variables][cells]; variable 0 is the elevation of the surface, m. */
  readonly background: 'real';
  /** [cells], elevation of the bed, m. */
  readonly bed: 'real';
  /** [variables][cells], changed in place. */
  readonly increment: 'real';
};

/** Cost: reads surface and bed, writes at most the increment; one subtraction a cell. */
export const wetProjection: Operator<WetProjectionParameters, WetProjectionFields> = {
  name: 'wet-projection',
  fields: { background: 'real', bed: 'real', increment: 'real' },
  cost: ({ variables, cells }, elementBytes) => ({ bytes: (2 + variables) * cells * elementBytes, flops: cells }),
  reference: wetProjectionReference,
  webgpu: () => import('./webgpu.ts'),
};
