/** One observation: the increment of 3D-Var is the column of B through it, and B tends to the kernels that it represents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import type { Model } from '../../../engine/models/index.ts';
import { backends } from '../../setup/backends.ts';
import { apply, dot, matrixOf } from '../../../engine/check/assimilation/dense.ts';
import { analyse, basin, lengthOf, PHYSICS, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { CovarianceInput, Observed } from '../../../engine/check/assimilation/set-up.ts';

const DEVIATION = 0.1;
const ERROR = 0.04;
const VALUE = 0.3;

function observedAt(x: number, y: number, variable = 'eta'): Observed {
  return {
    x: Float64Array.of(x),
    y: Float64Array.of(y),
    variable: [variable],
    values: Float64Array.of(VALUE),
    inverseErrorStd: Float64Array.of(1 / ERROR),
  };
}

/** e^(−z) Iₙ(z), the modified Bessel function, by its integral: exact for a sum over a circle. */
function bessel(n: number, z: number): number {
  const points = 256;
  let sum = 0;
  for (let m = 0; m < points; m++) {
    const angle = (2 * Math.PI * m) / points;
    sum += Math.exp(z * (Math.cos(angle) - 1)) * Math.cos(n * angle);
  }
  return sum / points;
}

/** The increment of a sea at rest by one observation, [variable][y][x]. */
async function increment(
  backend: Backend,
  model: Model,
  covariance: CovarianceInput,
  observed: Observed,
): Promise<Float64Array> {
  const settings = variational({ standardDeviation: { h: DEVIATION }, ...covariance });
  const { state } = await analyse(backend, model, settings, new Float64Array(lengthOf(model)), observed);
  return state;
}

describe.each(backends)('one observation on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  const [NX, NY] = [8, 6];
  const CELLS = NX * NY;
  const model = basin({ nx: NX, ny: NY });
  // One iteration of a well conditioned problem: rounding of the filter's few tens of operations, of increments below 1.
  const absolute = precision === 'float64' ? 1e-12 : 1e-5;

  const cases = [
    ['η in the middle of a cell', 3, 2, 'eta', 0],
    ['η between cells', 4.25, 2.6, 'eta', 0],
    ['η in a corner of the basin', 0, 5, 'eta', 0],
    ['hu, which balance alone connects with η', 4, 3, 'hu', 1],
  ] as const;

  it.each(cases)('the 3D-Var increment is B hᵀ d/(σ_o² + h B hᵀ): %s', async (_, x, y, variable, component) => {
    const covariance = { kind: 'recursive-filter', length: 3, balance: 'geostrophic' } as const;
    const found = await increment(backend, model, covariance, observedAt(x, y, variable));
    const reference = createReferenceBackend();
    const settings = variational({ standardDeviation: { h: DEVIATION }, ...covariance });
    const transform = await createControlTransform(reference, model, settings.covariance, PHYSICS);
    const root = await matrixOf(reference, transform, lengthOf(model));
    reference.dispose();
    const weights = new Float64Array(lengthOf(model));
    for (let j = 0; j < NY; j++) {
      for (let i = 0; i < NX; i++) {
        weights[component * CELLS + j * NX + i] = Math.max(0, 1 - Math.abs(i - x)) * Math.max(0, 1 - Math.abs(j - y));
      }
    }
    const seen = Float64Array.from({ length: root[0].length }, (_value, column) =>
      root.reduce((sum, row, e) => sum + weights[e] * row[column], 0),
    );
    const scale = VALUE / (ERROR ** 2 + dot(seen, seen));
    const expected = apply(root, seen).map((value) => scale * value);
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.05);
    expect(found).toBeClose(expected, { absolute });
  });

  it('at the observation it is d σ_b²/(σ_o² + σ_b²), in the middle as in the corners', async () => {
    const share = (VALUE * DEVIATION ** 2) / (ERROR ** 2 + DEVIATION ** 2);
    for (const [x, y] of [
      [0, 0],
      [NX - 1, 0],
      [0, NY - 1],
      [4, 3],
    ]) {
      const found = await increment(backend, model, { kind: 'recursive-filter', length: 3 }, observedAt(x, y));
      expect(found[y * NX + x]).toBeClose(share, { absolute });
    }
  });
});

describe('the column of B, float64', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  const N = 41;
  const MIDDLE = (N - 1) / 2;
  const model = createShallowWater({
    scheme: 'central-upwind',
    grid: { nx: N, ny: N, dx: 1, dy: 1, periodicX: true, periodicY: true },
    gravity: PHYSICS.gravity,
    timeStep: 'auto',
    boundary: { x: 'periodic', y: 'periodic' },
    bed: new Float64Array(N * N).fill(-1),
  });
  const share = (VALUE * DEVIATION ** 2) / (ERROR ** 2 + DEVIATION ** 2);

  /** The largest difference between the increment, as a share of its middle, and a kernel's product along x and y. */
  async function distance(covariance: CovarianceInput, kernel: (lag: number) => number): Promise<number> {
    const found = await increment(backend, model, covariance, observedAt(MIDDLE, MIDDLE));
    let largest = 0;
    for (let j = 0; j < N; j++) {
      for (let i = 0; i < N; i++) {
        const expected = (kernel(i - MIDDLE) * kernel(j - MIDDLE)) / kernel(0) ** 2;
        largest = Math.max(largest, Math.abs(found[j * N + i] / share - expected));
      }
    }
    return largest;
  }

  async function distanceAlongX(covariance: CovarianceInput, kernel: (lag: number) => number): Promise<number> {
    const found = await increment(backend, model, covariance, observedAt(MIDDLE, MIDDLE));
    const row = found.subarray(MIDDLE * N, MIDDLE * N + N);
    return Math.max(...row.map((value, i) => Math.abs(value / share - kernel(i - MIDDLE))));
  }

  it('the recursive filter’s tends to the Bessel kernel e^(−2σ²) Iₙ(2σ²) as 1/K', async () => {
    const sigma = 2;
    const errors: number[] = [];
    for (const iterations of [8, 32, 128, 512]) {
      const covariance = { kind: 'recursive-filter', length: Math.SQRT2 * sigma, iterations } as const;
      errors.push(await distance(covariance, (n) => bessel(n, 2 * sigma ** 2)));
    }
    // A factor 4 in K: 4 in the error, up to the next order, 1/K².
    for (let k = 1; k < errors.length; k++) expect(errors[k - 1] / errors[k]).toBeClose(4, { absolute: 0.4 });
    expect(errors[3]).toBeLessThan(1e-3);
  });

  it('and its distance from the Gaussian exp(−r²/2L²), L = √2 σ, is that of its excess kurtosis 1/2σ² + 3/2K, which vanishes with both', async () => {
    for (const [sigma, iterations] of [
      [2, 1000],
      [3, 1000],
      [3, 100],
    ]) {
      const covariance = { kind: 'recursive-filter', length: Math.SQRT2 * sigma, iterations } as const;
      const found = await distanceAlongX(covariance, (n) => Math.exp(-(n ** 2) / (4 * sigma ** 2)));
      // Edgeworth: g(x)(1 + κ(x⁴ − 6x² + 3)/24) over its middle is largest from g at x² = 5 − √13, by 0.1333 κ. The next
      // order is of relative size κ.
      const kurtosis = 1 / (2 * sigma ** 2) + 3 / (2 * iterations);
      expect(found / (0.1333 * kurtosis)).toBeClose(1, { absolute: 2 * kurtosis });
    }
  });

  it('a Gaussian covariance’s is the Gaussian exp(−r²/2L²)', async () => {
    // Sampled on the grid, a Gaussian of σ = L/√2 = 2 convolved with itself is a Gaussian to e^(−2π²σ²)…, and its taps omit 1e-8.
    const error = await distance({ kind: 'gaussian', length: Math.sqrt(8) }, (n) => Math.exp(-(n ** 2) / (2 * 8)));
    expect(error).toBeLessThan(1e-7);
  });
});
