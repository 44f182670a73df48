/** Order statistics: selection, quantiles, and an interval for the median; and what intervals need of distributions. */

/**
 * Finds the k-th smallest number. The sample is reordered: what comes before k is not larger, what comes after it is not smaller.
 *
 * @param values none of them NaN
 * @param k from 0; the sample's length is larger
 */
export function selectInPlace(values: Float64Array, k: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const larger = values[i];
      values[i] = values[j];
      values[j] = larger;
      i++;
      j--;
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return values[k];
}

function ascending(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new RangeError('a quantile of no values');
  return values.toSorted((a, b) => a - b);
}

/** The same as `quantile`, of values that are in ascending order. */
export function sortedQuantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const weight = place - below;
  // Values may be infinite, of which no part is taken where it counts for nothing.
  return weight === 0 ? sorted[below] : (1 - weight) * sorted[below] + weight * sorted[below + 1];
}

/**
 * The value below which a given share of the sample is, linear between two neighbours (definition 7 of [hyndman1996]).
 *
 * @param share from 0, the least value, to 1, the largest
 * @throws RangeError of no values
 */
export function quantile(values: readonly number[], share: number): number {
  return sortedQuantile(ascending(values), share);
}

/**
 * The middle value, or the mean of the two middle ones.
 *
 * @throws RangeError of no values
 */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const upper = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
}

/**
 * The median of a sample and an interval that holds the median of what it was drawn from. The ends are values of the sample
 * (the sign test turned round), so that the probability is known exactly whatever the distribution. The bootstrap's interval
 * of a median has values of the sample for its ends, too, and is the shorter one where they are few: of five values no
 * interval inside their range holds the median with more than 1 − 2·2⁻⁵ = 93.75 %. [conover1999]
 *
 * Level of the intervals by default.
 */
export const USUAL_LEVEL = 0.95;

export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** The requested level. */
  readonly level: number;
  /** Probability with which it holds what is estimated; below `level` where the values are too few, low and high are then their range. */
  readonly coverage: number;
}

/**
 * @returns the largest k for which the k-th value from below and from above hold the median between them with the level, 1
 *   if none does; and the probability with which they do
 */
function signTestRank(count: number, level: number): { readonly rank: number; readonly coverage: number } {
  const coverageOf = (rank: number): number => 1 - 2 * fairCoinTail(rank - 1, count);
  let rank = 1;
  while (2 * (rank + 1) <= count && coverageOf(rank + 1) >= level) rank += 1;
  return { rank, coverage: coverageOf(rank) };
}

/**
 * @param values independent of each other, as those of seeds are; an infinite one is one that is worse or better than all others
 * @throws RangeError of no values
 */
export function medianInterval(values: readonly number[], { level = USUAL_LEVEL } = {}): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const { rank, coverage } = signTestRank(sorted.length, level);
  return { estimate: median(sorted), low: sorted[rank - 1], high: sorted[sorted.length - rank], level, coverage };
}

/** What the intervals need of distributions: the tails of the binomial with even chances, and of Student's t. */

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0 by Lanczos' series with g = 7; 15 digits. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const t = z + 7.5;
  const series = LANCZOS.reduce((sum, coefficient, k) => sum + coefficient / (z + k + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}

/** @returns the probability of at most `most` heads in `tosses` of a fair coin */
export function fairCoinTail(most: number, tosses: number): number {
  let logTerm = -tosses * Math.LN2;
  let sum = 0;
  for (let heads = 0; heads <= most; heads++) {
    sum += Math.exp(logTerm);
    logTerm += Math.log((tosses - heads) / (heads + 1));
  }
  return sum;
}

const SMALLEST = 1e-300;
const MOST_TERMS = 500;

function awayFromZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}

/** The continued fraction of the incomplete beta function by Lentz' method; it converges fast for x < (a + 1)/(a + b + 2). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / awayFromZero(1 + term * d);
      c = awayFromZero(1 + term / c);
      fraction *= c * d;
      change = c * d;
    }
    if (Math.abs(change - 1) < Number.EPSILON) break;
  }
  return fraction;
}

/** The regularised incomplete beta function I_x(a, b), [abramowitz1964] 26.5.8. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(logFront) * betaFraction(x, a, b)) / a;
}

/** @returns the probability that Student's t is as far from zero as `t`, or further; `degrees` of freedom need not be whole */
export function studentTail(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** To one part in 2⁴⁰ of ν/(ν + t²). */
const HALVINGS = 40;

/**
 * The half-width, in standard errors, of a two-sided interval by Student's t.
 *
 * @param level of the interval, between 0 and 1
 * @param degrees of freedom, above 0; need not be whole
 */
export function studentHalfWidth(level: number, degrees: number): number {
  // The tail is I_x(ν/2, 1/2) with x = ν/(ν + t²), and grows with x.
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, degrees / 2, 0.5) < 1 - level) low = middle;
    else high = middle;
  }
  const x = (low + high) / 2;
  return Math.sqrt((degrees * (1 - x)) / x);
}
