/** The χ² distribution, and with it the test of a rank histogram for flatness. */

import { logGamma } from './quantile.ts';

/** Enough terms for arguments of some thousands, where the series needs about √a of them beyond a. */
const MOST_TERMS = 20_000;

/** Lower regularised gamma function P(a, x) by its power series; for x < a + 1. */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MOST_TERMS && term > sum * 1e-16; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * Math.exp(a * Math.log(x) - x - logGamma(a));
}

/** Upper regularised gamma function Q(a, x) by Lentz' continued fraction; for x ≥ a + 1. */
function upperFraction(a: number, x: number): number {
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < MOST_TERMS; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b;
    if (Math.abs(d) < tiny) d = tiny;
    c = b + numerator / c;
    if (Math.abs(c) < tiny) c = tiny;
    d = 1 / d;
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return h * Math.exp(a * Math.log(x) - x - logGamma(a));
}

/**
 * The probability that a χ² variable is at least as large as `statistic`: Q(degrees/2, statistic/2).
 * @param degrees of freedom, above 0
 */
export function chiSquareProbability(statistic: number, degrees: number): number {
  if (!(degrees > 0) || Number.isNaN(statistic)) return Number.NaN;
  if (statistic <= 0) return 1;
  const [a, x] = [degrees / 2, statistic / 2];
  return x < a + 1 ? 1 - lowerSeries(a, x) : upperFraction(a, x);
}

/** A bar of a rank histogram. */
interface RankBin {
  /** First and last rank in the bar. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** What a flat histogram has there. */
  readonly expected: number;
}

export interface RankSummary {
  readonly total: number;
  readonly bins: readonly RankBin[];
  /** Σ (count − expected)² / expected over all ranks, and the probability of at least as much from a flat one. */
  readonly chiSquare: number;
  readonly degrees: number;
  readonly probability: number;
  readonly shape: 'flat' | 'u' | 'dome' | 'high' | 'low' | 'uneven';
}

/** Sum of counts by rank over cycles. */
export function sumRanks(histograms: readonly (readonly number[])[]): number[] {
  const sum = Array.from<number>({ length: histograms[0]?.length ?? 0 }).fill(0);
  for (const histogram of histograms) {
    for (let rank = 0; rank < sum.length; rank++) sum[rank] += histogram[rank];
  }
  return sum;
}

/** Below this probability a histogram is not called flat. */
const SIGNIFICANT = 0.01;

/**
 * What the form says: high at both ends means too little spread, high in the middle too much, tilted means a bias. Compared
 * by the shares of the outer thirds, since single bars are noisy.
 */
function shapeOf(counts: readonly number[], total: number, probability: number): RankSummary['shape'] {
  if (probability >= SIGNIFICANT || counts.length < 3) return 'flat';
  const third = counts.length / 3;
  const share = (from: number, to: number): number => {
    let sum = 0;
    for (let rank = 0; rank < counts.length; rank++) {
      sum += counts[rank] * Math.max(0, Math.min(rank + 1, to) - Math.max(rank, from));
    }
    return sum / total;
  };
  const [first, last] = [share(0, third), share(2 * third, counts.length)];
  const middle = 1 - first - last;
  if (first > middle && last > middle) return 'u';
  if (first < middle && last < middle) return 'dome';
  if (first > last) return 'low';
  return last > first ? 'high' : 'uneven';
}

/**
 * @param counts by rank of the truth, from 0 (below all members) to the number of members (above all)
 * @param mostBins ranks are joined into at most this many bars; the test is over the ranks themselves
 */
export function summariseRanks(counts: readonly number[], mostBins = 41): RankSummary {
  const ranks = counts.length;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const level = total / ranks;
  const chiSquare = level > 0 ? counts.reduce((sum, count) => sum + (count - level) ** 2 / level, 0) : 0;
  const degrees = ranks - 1;
  const probability = total > 0 ? chiSquareProbability(chiSquare, degrees) : Number.NaN;
  const number = Math.min(ranks, mostBins);
  const bins = Array.from({ length: number }, (_, bin) => {
    const from = Math.floor((bin * ranks) / number);
    const to = Math.floor(((bin + 1) * ranks) / number) - 1;
    let count = 0;
    for (let rank = from; rank <= to; rank++) count += counts[rank];
    return { from, to, count, expected: level * (to - from + 1) };
  });
  return { total, bins, chiSquare, degrees, probability, shape: shapeOf(counts, total, probability) };
}
