/** What the steps are prepared with, and the arrays they work on. */

export const GAIN_STEPS = ['basic', 'rows', 'transposed', 'one launch'] as const;
export type GainStep = (typeof GAIN_STEPS)[number];

export interface GainStepsParameters {
  readonly nx: number;
  readonly ny: number;
  /** L, at least 2. */
  readonly members: number;
  /** m, rows of H. */
  readonly observations: number;
  /** z, stored entries of H. */
  readonly nonzeros: number;
  readonly step: GainStep;
}

export const gainStepsFields = {
  /** e, the mean already removed. [n][L] */
  anomalies: 'real',
  /** C between (y₁, x₁) and (y₂, x₂) is `taperRow[|y₁ − y₂|·nx + |x₁ − x₂|]`. [n] */
  taperRow: 'real',
  /** H in compressed rows. */
  indptr: 'index',
  indices: 'index',
  data: 'real',
  /** P_HT transposed. [m][n] */
  output: 'real',
} as const;
