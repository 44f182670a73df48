/** Where the factor of an adaptive inflation is stored. */
import type { RealField } from '../../compute/backend.ts';

/** A factor on the device. Fields are [1]. */
export interface AdaptedFactor {
  /** Factor of the next analysis: it continues with the state. */
  readonly next: RealField;
  /** Factor of the latest analysis. */
  readonly used: RealField;
}
