/**
 * Weight with which the derivative at row `j` of an axis takes its neighbour `j + offset`, in units of one over the cell
 * size: ±½ inside and on periodic axes, one-sided at the two ends.
 */
export function differenceWeight(j: number, offset: -1 | 0 | 1, n: number, periodic: boolean): number {
  if (periodic || (j > 0 && j < n - 1)) return offset / 2;
  if (n === 1) return 0;
  if (j === 0) return offset === 1 ? 1 : offset === 0 ? -1 : 0;
  return offset === 0 ? 1 : offset === -1 ? -1 : 0;
}
