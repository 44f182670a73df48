/** What the operators on ensembles are prepared with, and how they divide their work. */

export interface EnsembleSize {
  /** k, from 1 on. */
  readonly members: number;
  /** Elements of a member. */
  readonly length: number;
}

export interface ScaledParameters extends EnsembleSize {
  /** Multiplies variance, anomalies or noise; 1 if omitted. */
  readonly factor?: number;
}

/** What the kernels of all operators on ensembles are given. */
export const ENSEMBLE = {
  members: 'count',
  length: 'count',
  /** Elements of a part. */
  segment: 'part',
} as const;

/** Reals of an ensemble that a part works on, about. */
const PART_REALS = 65_536;

/** @returns elements of a part */
export function segmentOf({ members }: EnsembleSize): number {
  return 4 * Math.max(1, Math.ceil(PART_REALS / members / 4));
}
