/**
 * The variance of the mean of a series whose values depend on those before them, by the stationary bootstrap: samples are
 * made of blocks of the series whose lengths are geometric with a mean b, so that the dependence inside a block stays. For
 * a mean, the variance over all such samples has a closed form, so none is drawn. [politis1994]
 *
 * Blocks of a short series are short, too, and what depends over longer times than they hold is lost: of 40 values of an
 * autoregression with φ = 0.8 the plain interval of 95 % holds the mean in 62 %. The series is therefore made nearly
 * independent by an autoregression of order one first, and its variance recovered from the residuals'. [andrews1992] Held
 * against that of the autoregression itself, which alone sees a series that only drifts, such an interval holds the mean of
 * 40 values with φ = 0.8 in 94 %, and of 20 in 89 %.
 */
import { USUAL_LEVEL, studentHalfWidth } from './quantile.ts';

/** φ is kept away from 1, where the mean of a series says nothing about the mean of its process. */
const LARGEST_PHI = 0.97;

/** Autocovariances R(0) … R(n − 1), each a sum divided by n. */
export function autocovariances(series: ArrayLike<number>, most = series.length - 1): Float64Array {
  const n = series.length;
  let mean = 0;
  for (let t = 0; t < n; t++) mean += series[t] / n;
  const covariances = new Float64Array(Math.min(most, n - 1) + 1);
  for (let lag = 0; lag < covariances.length; lag++) {
    let sum = 0;
    for (let t = lag; t < n; t++) sum += (series[t] - mean) * (series[t - lag] - mean);
    covariances[lag] = sum / n;
  }
  return covariances;
}

/** The lag after which the correlations of a few in a row are no more than chance leaves. */
function cutOff(covariances: Float64Array, n: number): { readonly lag: number; readonly most: number } {
  const run = Math.max(5, Math.ceil(Math.sqrt(Math.log10(n))));
  const most = Math.min(Math.ceil(Math.sqrt(n)) + run, n - 1);
  const chance = 2 * Math.sqrt(Math.log10(n) / n);
  const stands = (lag: number): boolean => Math.abs(covariances[lag]) > chance * covariances[0];
  let last = 0;
  for (let lag = 1; lag <= most; lag++) {
    if (stands(lag)) last = lag;
    else if (lag - last >= run) break;
  }
  return { lag: Math.max(1, last), most };
}

/** Flat to ½, then down to 0 at 1. */
function flatTop(x: number): number {
  return Math.min(1, 2 * (1 - x));
}

/**
 * The mean length of the stationary bootstrap's blocks with the least mean square error of its variance. [politis2004],
 * with the constant as corrected in [patton2009]
 *
 * @returns from 1 to the smaller of 3√n and n/3
 */
export function blockLength(covariances: Float64Array, n: number): number {
  const largest = Math.max(1, Math.min(3 * Math.sqrt(n), n / 3));
  const { lag, most } = cutOff(covariances, n);
  const width = Math.min(2 * lag, most);
  // g is the spectral density at zero, G that of its curvature.
  let [g, bend] = [covariances[0], 0];
  for (let k = 1; k <= width; k++) {
    const term = 2 * flatTop(k / width) * covariances[k];
    g += term;
    bend += k * term;
  }
  if (g <= 0) return largest;
  return Math.min(Math.max(1, Math.cbrt((bend / g) ** 2 * n)), largest);
}

/** n times the variance of the mean over all stationary bootstrap samples with blocks of mean length b, lemma 1 of [politis1994]. */
export function stationaryBootstrapVariance(covariances: Float64Array, n: number, length: number): number {
  const goesOn = 1 - 1 / length;
  let variance = covariances[0];
  for (let lag = 1; lag < n; lag++) {
    const weight = (1 - lag / n) * goesOn ** lag + (lag / n) * goesOn ** (n - lag);
    variance += 2 * weight * covariances[lag];
  }
  return variance;
}

export interface MeanUncertainty {
  /** Standard error of the mean of the series. */
  readonly standardError: number;
  /** Degrees of freedom of the standard error. */
  readonly degrees: number;
  /** In values of the series. */
  readonly blockLength: number;
  /** How many independent values would leave the mean as uncertain; at most as many as there are. */
  readonly effectiveSize: number;
}

/** φ of an autoregression of order one, its bias in a short series corrected to first order. [kendall1954] */
function autoregression([variance, next]: Float64Array, n: number): number {
  const phi = next / variance;
  return Math.min(phi + (1 + 3 * phi) / n, LARGEST_PHI);
}

/** @param series of at least three values. @returns how uncertain its mean is; a standard error of 0 where all are alike */
export function uncertaintyOfMean(series: ArrayLike<number>): MeanUncertainty {
  const n = series.length;
  const plain = autocovariances(series);
  const [variance] = plain;
  if (variance === 0) return { standardError: 0, degrees: n - 1, blockLength: 1, effectiveSize: n };
  const phi = autoregression(plain, n);
  const residuals = Float64Array.from({ length: n - 1 }, (_, t) => series[t + 1] - phi * series[t]);
  const covariances = autocovariances(residuals);
  const recovered = stationaryBootstrapVariance(covariances, n - 1, blockLength(covariances, n - 1)) / (1 - phi) ** 2;
  const length = blockLength(plain, n);
  const ofAutoregression = (variance * (1 + phi)) / (1 - phi);
  const longRun = Math.max(recovered, ofAutoregression, stationaryBootstrapVariance(plain, n, length));
  const effectiveSize = Math.min(Math.max((n * variance) / longRun, 1), n);
  // The sample's mean takes its share of the variance, as one of so many independent values; so few leave one degree at least.
  const independent = Math.max(effectiveSize, 2);
  return {
    standardError: Math.sqrt(longRun / (1 - 1 / independent) / n),
    degrees: Math.max(Math.min(independent, n / length) - 1, 1),
    blockLength: length,
    effectiveSize,
  };
}

/**
 * The mean of a series over cycles, and the ratio of two such means, each with an interval by the stationary bootstrap and
 * Student's t with as many degrees of freedom as the series has independent values.
 */
export interface SeriesEstimate {
  readonly value: number;
  /** At 95 %; undefined of fewer than three cycles. */
  readonly interval: readonly [low: number, high: number] | undefined;
}

/** The variance of the residuals of an autoregression needs two of them. */
const FEWEST_VALUES = 3;

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function around(value: number, influence: readonly number[]): SeriesEstimate {
  if (influence.length < FEWEST_VALUES || !Number.isFinite(value)) return { value, interval: undefined };
  const { standardError, degrees } = uncertaintyOfMean(influence);
  const halfWidth = studentHalfWidth(USUAL_LEVEL, degrees) * standardError;
  return { value, interval: [value - halfWidth, value + halfWidth] };
}

/** @param series a finite value a cycle, in order */
export function meanOfSeries(series: readonly number[]): SeriesEstimate {
  return around(meanOf(series), series);
}

/**
 * mean(a)/mean(b). To first order it moves with a single cycle as (aₜ − ratio · bₜ)/mean(b) does.
 *
 * @param pairs a finite numerator and denominator a cycle, in order
 */
export function ratioOfSeries(pairs: readonly (readonly [numerator: number, denominator: number])[]): SeriesEstimate {
  const below = meanOf(pairs.map(([, denominator]) => denominator));
  const value = meanOf(pairs.map(([numerator]) => numerator)) / below;
  return around(
    value,
    pairs.map(([numerator, denominator]) => (numerator - value * denominator) / below),
  );
}
