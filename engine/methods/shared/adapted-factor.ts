/** Where the factor of an inflation that adapts itself lies. */
import type { RealField } from '../../compute/backend.ts';

/** A factor on the device. Fields are [1]. */
export interface AdaptedFactor {
  /** Of the next analysis: it goes on with the state. */
  readonly next: RealField;
  /** Of the latest analysis. */
  readonly used: RealField;
}
