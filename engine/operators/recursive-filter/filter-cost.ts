/** What a filter costs, estimated before it is prepared. */

interface FilterGrid {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
}

/** Multiplications and additions. */
export interface FilterCost {
  /** Cost of one plane. */
  readonly plane: number;
  /** To build its normalisation. */
  readonly build: number;
}

/** Points that a filter of this length (metres) reaches to either side along an axis of `cells`. */
export function reachAlong(length: number, spacing: number, cells: number): number {
  return Math.min(cells, Math.ceil((6 * length) / spacing) + 1);
}

/** @param length L of the correlation exp(−r²/2L²), metres */
export function filterCost(length: number, iterations: number, { nx, ny, dx, dy }: FilterGrid): FilterCost {
  const axes = [
    [nx, dx],
    [ny, dy],
  ] as const;
  const builds = axes.map(([cells, spacing]) => {
    const width = Math.min(cells, 2 * reachAlong(length, spacing, cells));
    return width * width * 12 * iterations;
  });
  return { plane: 12 * iterations * nx * ny, build: builds[0] + builds[1] };
}
