/**
 * The hybrid between its two limits: without the ensemble it is 3D-Var, and without the static part and without localisation it is
 * the LETKF's mean. Its covariance is the sum that it says, by dense linear algebra written out here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Backend, Method as MethodSettings, RealField } from '../../../engine/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { createHybridBackground } from '../../../engine/methods/hybrid/background.ts';
import { createLocalisingFilter } from '../../../engine/methods/hybrid/ensemble-transform.ts';
import type { methodSchema } from '../../../engine/scenario/schema.ts';
import { backends, allBackends } from '../../setup/backends.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import { dot, matrixOf, norm, times, transposed } from '../../../engine/check/assimilation/dense.ts';
import {
  analyse,
  basin,
  contextOf,
  lengthOf,
  meanOf,
  method,
  NO_LOCALISATION,
  PHYSICS,
  sampleCovariance,
  variational,
} from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY, MEMBERS] = [6, 5, 5];
const CELLS = NX * NY;
const MODEL = basin({ nx: NX, ny: NY, periodicX: true });
const LENGTH = lengthOf(MODEL);
const COVARIANCE = {
  kind: 'recursive-filter',
  length: 4,
  standardDeviation: { h: 0.05, hu: 0.1 },
  balance: 'geostrophic',
} as const;

type HybridInput = Extract<z.input<typeof methodSchema>, { kind: 'hybrid' }>;
type HybridMethod = Extract<MethodSettings, { kind: 'hybrid' }>;

/** Iterated to the last digits. */
function hybrid(settings: Partial<HybridInput>): HybridMethod {
  const minimisation = { tolerance: 1e-13, maxIterations: 300 };
  const found = method({ kind: 'hybrid', covariance: COVARIANCE, minimisation, ...settings });
  if (found.kind !== 'hybrid') throw new Error(`found ${found.kind} where the hybrid was asked for`);
  return found;
}

/** Members about water at rest, [MEMBERS][η, hu, hv][NY][NX]. */
const FORECAST = normals(MEMBERS * LENGTH, 'hybrid.forecast').map((value) => Math.fround(0.05 * value));
const MEAN = meanOf(FORECAST, LENGTH);

/** What is linear in the state, at any place. */
const COUNT = 7;
const NAMES = ['eta', 'hu', 'hv'];
const OBSERVED: Observed = {
  x: between(COUNT, 0, NX - 1, 'x').map(Math.fround),
  y: between(COUNT, 0, NY - 1, 'y').map(Math.fround),
  variable: Array.from({ length: COUNT }, (_, j) => NAMES[j % NAMES.length]),
  values: between(COUNT, -0.1, 0.1, 'values').map(Math.fround),
  inverseErrorStd: between(COUNT, 10, 20, 'inverseErrorStd').map(Math.fround),
};

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - b[i]);
}

async function backgroundOf(backend: Backend, settings: HybridMethod) {
  const context = await contextOf(backend, MODEL, OBSERVED, MEMBERS);
  const ensemble = backend.allocate('ensemble', 'real', FORECAST.length);
  const weighted = backend.allocate('weighted', 'real', FORECAST.length);
  const mean = backend.allocate('mean', 'real', LENGTH);
  const background = await createHybridBackground(settings, context, weighted);
  backend.write(ensemble, FORECAST);
  background.take(ensemble, mean);
  return {
    ...background,
    ensemble,
    dispose() {
      for (const owned of [background, ensemble, weighted, mean, context]) owned.dispose();
    },
  };
}

const TRANSFORMS = [
  ['of both', {}],
  ['of the ensemble alone', { staticWeight: 0 }],
  ['of the ensemble, not localised', { staticWeight: 0, localisation: { length: 1e9 } }],
  ['of the static part alone', { ensembleWeight: 0 }],
] as const;

describe.each(allBackends)('the covariance of the hybrid on $name', ({ open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(TRANSFORMS)('⟨Vx, y⟩ = ⟨x, Vᵀy⟩: %s', async (_, settings) => {
    const background = await backgroundOf(backend, hybrid(settings));
    const { transform } = background;
    const [x, y] = [normals(transform.length, 'x'), normals(LENGTH, 'y')];
    const control = backend.allocate('control', 'real', x.length);
    const state = backend.allocate('state', 'real', LENGTH);
    backend.write(control, x);
    transform.apply(control, state);
    const vx = await backend.read(state);
    backend.write(state, y);
    transform.applyAdjoint(state, control);
    const vty = await backend.read(control);
    const scale = norm(vx) * norm(y);
    expect(Math.abs(dot(vx, y) - dot(x, vty)) / scale).toBeLessThan(precision === 'float64' ? 1e-12 : 1e-5);
    // Not the equality of two zeros.
    expect(Math.abs(dot(x, vty)) / scale).toBeGreaterThan(1e-4);
    for (const owned of [background, control, state]) owned.dispose();
  });

  it('is β_s B + β_e C ∘ P', async () => {
    const [staticWeight, ensembleWeight, length] = [0.3, 1.6, 3];
    const settings = hybrid({ staticWeight, ensembleWeight, localisation: { length } });
    const background = await backgroundOf(backend, settings);
    const v = await matrixOf(backend, background.transform, LENGTH);
    const root = await createControlTransform(backend, MODEL, settings.covariance, PHYSICS);
    const b = times(await matrixOf(backend, root, LENGTH), transposed(await matrixOf(backend, root, LENGTH)));
    const filter = await createLocalisingFilter(backend, MODEL.grid, 1, length);
    const { forward, scale } = filter;
    const apply = (input: RealField, output: RealField): void => forward.run({ input, output });
    const f = await matrixOf(backend, { length: CELLS, apply, applyAdjoint: apply, dispose: () => undefined }, CELLS);
    const c = times(f, transposed(f)).map((row, i) => row.map((value, j) => scale[i] * value * scale[j]));
    const p = sampleCovariance(FORECAST, LENGTH);
    // Where a taper tapers: 1 in the same cell, and next to nothing between the farthest.
    expect(c[0][0]).toBeClose(1, { absolute: 8 * eps * CELLS });
    expect(c[0][CELLS - 1]).toBeLessThan(0.6);
    const expected = b.flatMap((row, i) =>
      Array.from(row, (value, j) => staticWeight * value + ensembleWeight * c[i % CELLS][j % CELLS] * p[i][j]),
    );
    // Each a sum over all controls of products of two filtered numbers.
    const absolute = 8 * eps * background.transform.length * largest(Float64Array.from(expected));
    expect(times(v, transposed(v)).flatMap((row) => [...row])).toBeClose(expected, { absolute });
    const deviations = await background.deviations(background.ensemble);
    expect(deviations.map((deviation) => deviation ** 2)).toBeClose(
      Float64Array.from({ length: LENGTH }, (_, i) => expected[i * LENGTH + i]),
      { absolute },
    );
    for (const owned of [background, root, filter.forward, filter.adjoint]) owned.dispose();
  });
});

describe.each(backends)('the hybrid between its limits on $name', ({ open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  /**
   * For float64, what the minimisation leaves. For float32, the rounding of the largest number, amplified by the condition of the
   * problem: the largest eigenvalue of I + GᵀG is below 1 + Σ σ_b²/σₒ² of the observations.
   */
  const absolute = precision === 'float64' ? 1e-11 : 4 * eps * 0.2 * (1 + COUNT * (0.2 * 20) ** 2);
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function incrementOf(settings: MethodSettings, forecast: Float64Array = FORECAST): Promise<Float64Array> {
    const { state } = await analyse(backend, MODEL, settings, forecast, OBSERVED);
    return minus(meanOf(state, LENGTH), MEAN);
  }

  it.each([
    ['0', 0],
    ['next to nothing', 1e-24],
  ])('is 3D-Var where the ensemble’s weight is %s', async (_, ensembleWeight) => {
    const { minimisation } = hybrid({});
    const expected = await incrementOf(variational(COVARIANCE, minimisation), MEAN);
    expect(largest(expected)).toBeGreaterThan(0.01);
    const found = await incrementOf(hybrid({ staticWeight: 1, ensembleWeight }));
    expect(found).toBeClose(expected, { absolute });
  });

  it('is the LETKF’s mean if there is nothing static, and everything is alike', async () => {
    const expected = await incrementOf(method({ kind: 'letkf', localisation: NO_LOCALISATION }));
    expect(largest(expected)).toBeGreaterThan(0.01);
    const alone = { staticWeight: 0, ensembleWeight: 1, localisation: { length: NO_LOCALISATION.halfWidth } };
    expect(await incrementOf(hybrid(alone))).toBeClose(expected, { absolute });
    // Two thirds of a covariance say something else.
    expect(largest(minus(await incrementOf(hybrid({ ...alone, ensembleWeight: 0.67 })), expected))).toBeGreaterThan(
      10 * absolute,
    );
  });

  it.each(['letkf', 'enkf'] as const)('has the anomalies of its filter, the %s', async (kind) => {
    const filter = { kind, localisation: { halfWidth: 4 }, inflation: 1.1 };
    const { state: own } = await analyse(backend, MODEL, hybrid({ ensemble: filter }), FORECAST, OBSERVED);
    const { state: others } = await analyse(backend, MODEL, method({ ...filter, label: 'hybrid' }), FORECAST, OBSERVED);
    const [ownMean, otherMean] = [meanOf(own, LENGTH), meanOf(others, LENGTH)];
    const shifted = others.map((value, i) => value - otherMean[i % LENGTH] + ownMean[i % LENGTH]);
    expect(own).toBeClose(shifted, { absolute: 16 * eps });
    expect(largest(minus(ownMean, otherMean))).toBeGreaterThan(1e-3);
  });
});
