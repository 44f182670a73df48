/** Pole classes hold for conditions up to 4, 16, …, 4^10 = 2^20, beyond which SMALLEST_UNIT of local.wgsl does not go. */
export const POLE_CLASSES = 10;

/** Entries of a pole class; POLE_STRIDE of local.wgsl and of analysis.as.ts. Fifteen poles are enough for the last one. */
const POLE_STRIDE = 16;

/** Error of the inverse root relative to itself: that of float32. */
const POLE_TOLERANCE = 1e-7;

let table: Float64Array | undefined;

/** [class][pole](shift, weight of the root, weight of f = weight/shift, number of poles of the class). */
export function poleTable(): Float64Array {
  if (table) return table;
  table = new Float64Array(POLE_CLASSES * POLE_STRIDE * 4);
  for (let c = 0; c < POLE_CLASSES; c++) {
    const poles = polesFor(4 ** (c + 1), POLE_TOLERANCE);
    for (const [m, { shift, weight }] of poles.entries()) {
      table.set([shift, weight, weight / shift, poles.length], 4 * (c * POLE_STRIDE + m));
    }
  }
  return table;
}

/**
 * Partial fractions for the inverse square root [hht2008, method 3]: on 1 ≤ a ≤ κ
 *
 *   a^−½ ≈ Σ_m weight_m / (a − 1 + shift_m),   shift_m = 1/cn²(t_m),   weight_m = (2K′/πN) dn(t_m)/cn²(t_m),
 *
 * with t_m = (m − ½)K′/N, the Jacobi functions and K′ of parameter 1 − 1/κ. All shifts are at least 1 and all weights
 * positive, so that every matrix to be factored is as well conditioned as the one given, and nothing cancels. The error
 * falls as exp(−2π²N/(ln κ + 3)) for N poles.
 */

export interface Pole {
  /** Added to λ = a − 1; at least 1. */
  readonly shift: number;
  readonly weight: number;
}

/**
 * @param bound κ > 1, no smaller than any a
 * @param count number of poles, at least 1
 */
export function inverseRootPoles(bound: number, count: number): Pole[] {
  const complement = 1 / bound;
  const quarterPeriod = Math.PI / (2 * arithmeticGeometricMean(1, Math.sqrt(complement)));
  return Array.from({ length: count }, (_, m) => {
    const { cn, dn } = jacobi(((m + 0.5) * quarterPeriod) / count, complement);
    return { shift: 1 / (cn * cn), weight: (2 * quarterPeriod * dn) / (Math.PI * count * cn * cn) };
  });
}

/** The fewest poles, from two on, whose error relative to a^−½ stays below `tolerance` on all of [1, bound]. */
export function polesFor(bound: number, tolerance: number): Pole[] {
  const isEnough = (count: number): boolean => largestError(inverseRootPoles(bound, count), bound) <= tolerance;
  // The law of the error is near the truth; each error is found by sampling, which takes a while.
  let count = Math.max(2, Math.round((-Math.log(tolerance) * (Math.log(bound) + 3)) / (2 * Math.PI ** 2)));
  while (count > 2 && isEnough(count - 1)) count -= 1;
  while (!isEnough(count)) count += 1;
  return inverseRootPoles(bound, count);
}

/** Largest relative error over [1, bound], sampled far more densely than it oscillates. */
export function largestError(poles: readonly Pole[], bound: number): number {
  const samples = 64 * poles.length;
  let largest = 0;
  for (let i = 0; i <= samples; i++) {
    const a = bound ** (i / samples);
    let sum = 0;
    for (const { shift, weight } of poles) sum += weight / (a - 1 + shift);
    largest = Math.max(largest, Math.abs(sum * Math.sqrt(a) - 1));
  }
  return largest;
}

function arithmeticGeometricMean(first: number, second: number): number {
  let a = first;
  let b = second;
  while (Math.abs(a - b) > 1e-15 * a) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return a;
}

/** cn and dn of argument u ≠ 0 by descending Landen transformations. @param complement 1 − m, above 0 */
function jacobi(u: number, complement: number): { readonly cn: number; readonly dn: number } {
  const means: [number, number][] = [];
  let a = 1;
  let b = complement;
  let c = 1;
  do {
    b = Math.sqrt(b);
    means.push([a, b]);
    c = (a + b) / 2;
    if (Math.abs(a - b) <= 1e-8 * a) break;
    b *= a;
    a = c;
  } while (means.length < 32);
  const angle = u * c;
  let dn = 1;
  let ratio = Math.cos(angle) / Math.sin(angle);
  c *= ratio;
  for (const [mean, root] of means.toReversed()) {
    ratio *= c;
    c *= dn;
    dn = (root + ratio) / (mean + ratio);
    ratio = c / mean;
  }
  return { cn: c / Math.sqrt(c * c + 1), dn };
}
