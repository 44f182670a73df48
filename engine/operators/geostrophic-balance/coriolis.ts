/** The Coriolis parameter of a plane, and what balances with it. */

/** f-plane and β-plane. */
export interface Coriolis {
  /** In the middle of the basin, 1/s. */
  readonly f: number;
  /** Change along y, 1/(m s). */
  readonly beta: number;
}

/** Rows of a grid, and the metres between them. */
interface Rows {
  readonly ny: number;
  readonly dy: number;
}

/** @returns f + β·(y − y of the middle) at row `j`, which may lie between two rows, 1/s */
export function coriolisAt({ f, beta }: Coriolis, j: number, { ny, dy }: Rows): number {
  return f + beta * (j - (ny - 1) / 2) * dy;
}

/** @returns the operator's coefficient g D/f by cell, m²/s per metre of slope, D being the depth of the water at rest over the bed */
export function balanceCoefficient(
  grid: Rows & { readonly nx: number },
  bed: Float64Array,
  { gravity, coriolis }: { readonly gravity: number; readonly coriolis: Coriolis },
): Float64Array {
  return bed.map(
    (elevation, cell) => (gravity * Math.max(0, -elevation)) / coriolisAt(coriolis, Math.floor(cell / grid.nx), grid),
  );
}
