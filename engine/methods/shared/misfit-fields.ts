/** Where the misfit of an analysis is read from. */
import type { IndexField, RealField } from '../../compute/backend.ts';

/** Where a misfit is read from, after an analysis. */
export interface Misfit {
  /** [1]: dᵀS⁻¹d over the observations that are used. */
  readonly value: RealField;
  /** [1]: 0 where S could be factorised; the value means nothing otherwise. */
  readonly status: IndexField;
}
