/**
 * Eigenvalues of a symmetric tridiagonal matrix by bisection on Sturm sequences (Givens 1954; as LAPACK's dstebz). Every
 * eigenvalue is found to the last digits, whatever the others are: there is no iteration that could fail.
 */

/** Halvings of the starting interval: beyond the 53 bits of a number nothing changes. */
const LARGEST_HALVINGS = 120;

/** How many eigenvalues lie below `shift`: the negative pivots of T − shift·I. */
function countBelow(
  diagonal: ArrayLike<number>,
  offSquared: Float64Array,
  smallestPivot: number,
  shift: number,
): number {
  let count = 0;
  let pivot = 1;
  for (let i = 0; i < diagonal.length; i++) {
    pivot = diagonal[i] - shift - (i > 0 ? offSquared[i - 1] / pivot : 0);
    if (Math.abs(pivot) < smallestPivot) pivot = -smallestPivot;
    if (pivot < 0) count += 1;
  }
  return count;
}

/**
 * @param diagonal n numbers
 * @param offDiagonal n − 1 numbers, next to the diagonal
 * @param wanted which eigenvalues, counted from the lowest, 0, and ascending; all if omitted
 * @returns those eigenvalues, ascending; not-a-number throughout where an element is not finite
 */
export function tridiagonalEigenvalues(
  diagonal: ArrayLike<number>,
  offDiagonal: ArrayLike<number>,
  wanted: ArrayLike<number> = Uint32Array.from({ length: diagonal.length }, (_, index) => index),
): Float64Array {
  const n = diagonal.length;
  const eigenvalues = new Float64Array(wanted.length);
  if (n === 0) return eigenvalues;
  // Gershgorin: all eigenvalues lie within the discs around the diagonal.
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < n; i++) {
    const radius = Math.abs(i > 0 ? offDiagonal[i - 1] : 0) + Math.abs(i < n - 1 ? offDiagonal[i] : 0);
    lowest = Math.min(lowest, diagonal[i] - radius);
    highest = Math.max(highest, diagonal[i] + radius);
  }
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return eigenvalues.fill(NaN);
  const offSquared = Float64Array.from({ length: n - 1 }, (_, i) => offDiagonal[i] ** 2);
  const smallestPivot = Math.max(
    Number.MIN_VALUE * 2 ** 52,
    offSquared.reduce((a, b) => Math.max(a, b), 1) * 2 ** -1022,
  );
  const margin = (Math.abs(lowest) + Math.abs(highest)) * n * Number.EPSILON;
  for (let place = 0; place < wanted.length; place++) {
    const index = wanted[place];
    // The k-th eigenvalue is where the count passes from k to k + 1; one that is lower bounds it from below.
    let low = place > 0 ? eigenvalues[place - 1] - margin : lowest - margin;
    let high = highest + margin;
    for (let halving = 0; halving < LARGEST_HALVINGS; halving++) {
      const middle = low + 0.5 * (high - low);
      if (middle <= low || middle >= high) break;
      if (countBelow(diagonal, offSquared, smallestPivot, middle) > index) high = middle;
      else low = middle;
    }
    eigenvalues[place] = low + 0.5 * (high - low);
  }
  return eigenvalues;
}
