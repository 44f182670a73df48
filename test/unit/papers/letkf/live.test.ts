/** The analysis of one grid point against the definitions of its parts, on each backend. */
import { describe, expect, it } from 'vitest';
import { analysePoint } from '../../../../engine/papers/letkf/index.ts';
import { backends } from '../../../setup/backends.ts';

const OBSERVATIONS = 9;

function product(a: Float64Array, b: Float64Array, k: number): Float64Array {
  return a.map((_, at) => {
    let sum = 0;
    for (let m = 0; m < k; m++) sum += a[k * Math.floor(at / k) + m] * b[k * m + (at % k)];
    return sum;
  });
}

function sumOf(values: Float64Array): number {
  return values.reduce((a, b) => a + b);
}

describe.each(backends)('the analysis of a grid point on $name', ({ open, precision }) => {
  const rounding = precision === 'float64' ? 1e-13 : 2e-5;

  it.each([
    { members: 7, observationError: 0.3, correlationLength: 0, inflation: 1.2 },
    { members: 20, observationError: 0.5, correlationLength: 1.5, inflation: 1 },
  ])('has C, P̃ᵃ, its root and eigenvalues of $members members', async (question) => {
    const { members: k, observationError, inflation } = question;
    const backend = await open();
    const { observed, inverseR, c, product: p, covariance, root, eigenvalues } = await analysePoint(backend, question);
    backend.dispose();
    const r = inverseR.map((_, at) => {
      const [a, b] = [Math.floor(at / OBSERVATIONS), at % OBSERVATIONS];
      const distance = Math.hypot((a % 3) - (b % 3), Math.floor(a / 3) - Math.floor(b / 3));
      return observationError ** 2 * (a === b ? 1 : Math.exp(-distance / question.correlationLength));
    });
    expect(product(r, inverseR, OBSERVATIONS)).toBeClose(
      r.map((_, at) => Number(at % (OBSERVATIONS + 1) === 0)),
      { absolute: 1e-12 },
    );
    const largest = inverseR.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const expectedC = observed.map((_, at) => {
      let sum = 0;
      for (let q = 0; q < OBSERVATIONS; q++) {
        sum += observed[at - (at % OBSERVATIONS) + q] * inverseR[q * OBSERVATIONS + (at % OBSERVATIONS)];
      }
      return sum;
    });
    expect(c).toBeClose(expectedC, { absolute: largest * rounding });
    const expectedP = Float64Array.from({ length: k * k }, (_, at) => {
      const [i, j] = [Math.floor(at / k), at % k];
      let sum = 0;
      for (let o = 0; o < OBSERVATIONS; o++) {
        sum += expectedC[i * OBSERVATIONS + o] * observed[j * OBSERVATIONS + o];
      }
      return sum;
    });
    expect(p).toBeClose(expectedP, { absolute: OBSERVATIONS * largest * rounding });
    const inverse = expectedP.map((value, at) => value + (at % (k + 1) === 0 ? (k - 1) / inflation : 0));
    const identity = inverse.map((_, at) => Number(at % (k + 1) === 0));
    expect(product(inverse, covariance, k)).toBeClose(identity, { absolute: rounding });
    const scaled = covariance.map((value) => (k - 1) * value);
    expect(product(root, root, k)).toBeClose(scaled, { absolute: rounding });
    // Anomalies have mean 0, so that W keeps it: W 1 = √ρ 1.
    for (let i = 0; i < k; i++) {
      expect(Math.abs(sumOf(root.subarray(i * k, (i + 1) * k)) - Math.sqrt(inflation))).toBeLessThan(10 * rounding);
    }
    const trace = sumOf(inverse.filter((_, at) => at % (k + 1) === 0)) - (k * (k - 1)) / inflation + k;
    expect(Math.abs(sumOf(eigenvalues) / trace - 1)).toBeLessThan(rounding);
    const traceOfInverse = sumOf(eigenvalues.map((value) => 1 / (value - 1 + (k - 1) / inflation)));
    expect(Math.abs(sumOf(covariance.filter((_, at) => at % (k + 1) === 0)) - traceOfInverse)).toBeLessThan(rounding);
    expect(eigenvalues).toEqual(eigenvalues.toSorted().reverse());
    // Nine observations see nine directions at most, and one fewer than there are members.
    const seen = Math.min(OBSERVATIONS, k - 1);
    expect(eigenvalues.subarray(seen)).toBeClose(new Float64Array(k - seen).fill(1), { absolute: trace * rounding });
  });
});
