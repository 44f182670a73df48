/** What the operator is prepared with, and the arrays it works on. */
import { LimitError } from '../../errors.ts';

export interface InflationEstimateParameters {
  /** p, the capacity of the observation fields. */
  readonly observations: number;
  /** `innovations`: from dᵀR⁻¹d; `desroziers`: from the ratio of (d − dᵃ)ᵀR⁻¹d to what the ensemble says. */
  readonly kind: 'innovations' | 'desroziers';
  /** √v_b above 0: how far the factor may have moved since the cycle before. */
  readonly deviation: number;
  /** What the factor is held between. */
  readonly least: number;
  readonly most: number;
}

/**
 * - `innovation` d = y − H(x̄ᶠ), `residual` dᵃ = y − H(x̄ᵃ) (not read for `innovations`), `inverseErrorStd` (1/σₒ of what is
 *   used, 0 elsewhere) and `variance` (of the inflated background at the observations, ρσ_b²): [observations]
 * - `factor` ρ, [1], in place
 */
export const inflationEstimateFields = {
  innovation: 'real',
  residual: 'real',
  inverseErrorStd: 'real',
  variance: 'real',
  factor: 'real',
} as const;

export type InflationEstimateFields = typeof inflationEstimateFields;

/** @throws LimitError naming the parameter, what was found and what is allowed */
export function validated(parameters: InflationEstimateParameters): InflationEstimateParameters {
  const { observations, deviation, least, most } = parameters;
  if (!Number.isInteger(observations) || observations < 1) {
    throw new LimitError(`inflation-estimate: observations is ${observations}, it must be an integer of at least 1`);
  }
  if (!(deviation > 0 && Number.isFinite(deviation))) {
    throw new LimitError(`inflation-estimate: deviation is ${deviation}, it must be finite and above 0`);
  }
  if (!(least > 0 && least <= most)) {
    throw new LimitError(
      `inflation-estimate: the factor is held from ${least} to ${most}; both must be above 0, in order`,
    );
  }
  return parameters;
}
