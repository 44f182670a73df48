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
