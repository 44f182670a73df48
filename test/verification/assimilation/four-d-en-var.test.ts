/**
 * 4DEnVar with observations inside the window: the asynchronous LETKF's mean without a static part and localisation, and the
 * best linear estimate with the covariances that it says, by dense linear algebra written out here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Backend, Method as MethodSettings, RealField } from '../../../engine/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { createLocalisingFilter } from '../../../engine/methods/hybrid/ensemble-transform.ts';
import { interpolation } from '../../../engine/operators/observation/index.ts';
import { createMethod, executeAnalysis } from '../../../engine/methods/index.ts';
import type { methodSchema } from '../../../engine/scenario/schema.ts';
import { backends } from '../../setup/backends.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import { apply, matrixOf, plusDiagonal, solve, times, transposed } from '../../../engine/check/assimilation/dense.ts';
import {
  analyse,
  anomaliesOf,
  basin,
  contextOf,
  lengthOf,
  meanOf,
  method,
  NO_LOCALISATION,
  PHYSICS,
} from '../../../engine/check/assimilation/set-up.ts';

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

type Input = z.input<typeof methodSchema>;

/** Iterated to the last digits. */
const MINIMISATION = { tolerance: 1e-13, maxIterations: 300 };

function ensembleNamed(name: string): Float64Array {
  return normals(MEMBERS * LENGTH, name).map((value) => Math.fround(0.05 * value));
}

/** Members about water at rest, [MEMBERS][η, hu, hv][NY][NX], half-way through the window and at its end. */
const EARLIER = ensembleNamed('four-d.earlier');
const FORECAST = ensembleNamed('four-d.forecast');
const MEAN = meanOf(FORECAST, LENGTH);

const COUNT = 9;
const NAMES = ['eta', 'hu', 'hv'];

/** Half of them half-way through the window. */
const OBSERVED = {
  x: between(COUNT, 0, NX - 1, 'x').map(Math.fround),
  y: between(COUNT, 0, NY - 1, 'y').map(Math.fround),
  variable: Array.from({ length: COUNT }, (_, j) => NAMES[j % NAMES.length]),
  values: between(COUNT, -0.1, 0.1, 'values').map(Math.fround),
  inverseErrorStd: between(COUNT, 10, 20, 'inverseErrorStd').map(Math.fround),
  moment: Uint32Array.from({ length: COUNT }, (_, j) => j % 2),
};

function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - b[i]);
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** Y, what the members observe, each at its time: [MEMBERS][COUNT]. */
function observedMembers(h: readonly Float64Array[]): Float64Array {
  return Float64Array.from({ length: MEMBERS * COUNT }, (_, at) => {
    const [member, j] = [Math.floor(at / COUNT), at % COUNT];
    const ensemble = OBSERVED.moment[j] === 1 ? EARLIER : FORECAST;
    return h[j].reduce((sum, weight, i) => sum + weight * ensemble[member * LENGTH + i], 0);
  });
}

/** The rows of a bilinear interpolation of `columns` numbers, whole. */
function rowsOf({ indptr, indices, data }: ReturnType<typeof interpolation>, columns: number): Float64Array[] {
  return Array.from({ length: indptr.length - 1 }, (_, row) => {
    const whole = new Float64Array(columns);
    for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) whole[indices[entry]] += data[entry];
    return whole;
  });
}

function fourD(settings: Partial<Extract<Input, { kind: '4denvar' }>>): MethodSettings {
  return method({ kind: '4denvar', covariance: COVARIANCE, minimisation: MINIMISATION, ...settings });
}

describe.each(backends)('4DEnVar on $name', ({ open, precision }) => {
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

  async function incrementOf(settings: MethodSettings): Promise<Float64Array> {
    const { state } = await analyse(backend, MODEL, settings, FORECAST, OBSERVED, { earlier: [EARLIER] });
    return minus(meanOf(state, LENGTH), MEAN);
  }

  const alone = { staticWeight: 0, ensembleWeight: 1, localisation: { length: NO_LOCALISATION.halfWidth } };

  // Of what is linear in the state: the mean of the members sees then what they see on average.
  it('is the mean of the asynchronous LETKF if nothing is static, and everything is alike', async () => {
    const expected = await incrementOf(method({ kind: 'letkf', localisation: NO_LOCALISATION }));
    expect(largest(expected)).toBeGreaterThan(0.01);
    expect(await incrementOf(fourD(alone))).toBeClose(expected, { absolute });
    // What a hybrid takes an earlier observation for, as if it were made at the end, is something else.
    const late = method({ kind: 'hybrid', covariance: COVARIANCE, minimisation: MINIMISATION, ...alone });
    expect(largest(minus(await incrementOf(late), expected))).toBeGreaterThan(1e-3);
  });

  it('is the hybrid to the bit where the ensemble has no weight', async () => {
    const weights = { staticWeight: 1, ensembleWeight: 0 };
    const of = (kind: 'hybrid' | '4denvar') =>
      incrementOf(method({ kind, label: 'one', covariance: COVARIANCE, minimisation: MINIMISATION, ...weights }));
    const expected = await of('hybrid');
    expect(largest(expected)).toBeGreaterThan(0.01);
    expect(await of('4denvar')).toEqual(expected);
  });

  it('is the best linear estimate with both parts, tapered, by dense algebra', async () => {
    const [staticWeight, ensembleWeight, length] = [0.3, 1.6, 3];
    const settings = fourD({ staticWeight, ensembleWeight, localisation: { length } });
    if (settings.kind !== '4denvar') throw new Error(`found ${settings.kind}`);
    const { x, y, variable, values, inverseErrorStd } = OBSERVED;
    const root = await createControlTransform(backend, MODEL, settings.covariance, PHYSICS);
    const b = times(await matrixOf(backend, root, LENGTH), transposed(await matrixOf(backend, root, LENGTH)));
    const { forward, adjoint, scale } = await createLocalisingFilter(backend, MODEL.grid, 1, length);
    const run = (input: RealField, output: RealField): void => forward.run({ input, output });
    const f = await matrixOf(
      backend,
      { length: CELLS, apply: run, applyAdjoint: run, dispose: () => undefined },
      CELLS,
    );
    const c = times(f, transposed(f)).map((row, i) => row.map((value, j) => scale[i] * value * scale[j]));
    const component = variable.map((name) => NAMES.indexOf(name));
    const h = rowsOf(interpolation(MODEL.grid, { x, y, component }), LENGTH);
    const p = rowsOf(interpolation(MODEL.grid, { x, y, component: component.map(() => 0) }), CELLS);
    const seen = observedMembers(h);
    const [anomalies, seenAnomalies] = [anomaliesOf(FORECAST, LENGTH), anomaliesOf(seen, COUNT)];
    const covariance = (a: number, j: number, of: readonly Float64Array[]): number =>
      of.reduce((sum, row, member) => sum + row[a] * seenAnomalies[member][j], 0) / (MEMBERS - 1);
    // Rows by what is observed: β_s B Hᵀ + β_e (C Pᵀ) ∘ X′Y′ᵀ/(k − 1), and the same at the observations.
    const [bh, cp] = [times(b, transposed(h)), times(c, transposed(p))];
    const [hbh, pcp] = [times(h, bh), times(p, cp)];
    const gain = bh.map((row, i) =>
      row.map((value, j) => staticWeight * value + ensembleWeight * cp[i % CELLS][j] * covariance(i, j, anomalies)),
    );
    const own = hbh.map((row, i) =>
      row.map((value, j) => staticWeight * value + ensembleWeight * pcp[i][j] * covariance(i, j, seenAnomalies)),
    );
    const innovation = minus(values, meanOf(seen, COUNT));
    const [weights] = solve(
      plusDiagonal(
        own,
        inverseErrorStd.map((inverse) => inverse ** -2),
      ),
      [innovation],
    );
    const expected = apply(gain, weights);
    expect(largest(expected)).toBeGreaterThan(0.01);
    expect(await incrementOf(settings)).toBeClose(expected, { absolute });
    for (const owned of [root, forward, adjoint]) owned.dispose();
  });

  it('says why it is what it is: shares of the increment sum to it', async () => {
    const settings = fourD({ staticWeight: 0.3, ensembleWeight: 1.6, localisation: { length: 3 } });
    const { influence } = await explained(settings);
    const sum = influence.contributions.reduce((total, share) => total + share, 0);
    expect(Math.abs(influence.increment)).toBeGreaterThan(1e-3);
    expect(Float64Array.of(sum)).toBeClose([influence.increment], { absolute });
  });

  /** What the analysis answers about η in one cell. */
  async function explained(settings: MethodSettings) {
    const context = await contextOf(backend, MODEL, OBSERVED, MEMBERS);
    const held = await createMethod(settings, context);
    const forecast = backend.allocate('forecast', 'real', FORECAST.length);
    backend.write(forecast, FORECAST);
    backend.write(held.state, EARLIER);
    held.departures.see(held.state, 1);
    backend.write(held.state, FORECAST);
    held.departures.compute(held.state);
    await executeAnalysis(backend, held, 0);
    const influence = await held.explain({ kind: 'influence', variable: 'h', cell: { x: 2, y: 2 } }, forecast);
    for (const owned of [held, context, forecast]) owned.dispose();
    if (!influence || !('contributions' in influence)) throw new Error('there is no answer');
    return { influence };
  }
});
