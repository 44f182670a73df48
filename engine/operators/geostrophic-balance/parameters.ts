/** What the operator is prepared with, and the arrays it works on. */

export interface GeostrophicBalanceParameters {
  readonly nx: number;
  readonly ny: number;
  /** Cell sizes in metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  readonly transpose: boolean;
}

/** `coefficient` [ny][nx] is c in m²/s per metre of slope; `input` and `output` are [3][ny][nx]: surface (m), hu, hv (m²/s). */
export const geostrophicBalanceFields = { coefficient: 'real', input: 'real', output: 'real' } as const;
