/** The benchmark with fewer seeds and cycles than the published table, and what it rests on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, median } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backendNamed, backends } from '../../setup/backends.ts';
import { isNightly } from '../../setup/nightly.ts';
import { normals } from '../../../engine/check/measures.ts';
import { cases, enkfOf, letkfOf } from './cases.ts';
import type { BenchmarkCase } from './cases.ts';
import { choleskyRoot, climatologicalCovariance } from './climatology.ts';
import { createDenseThreeDVar } from './dense-three-d-var.ts';
import {
  analysisErrors,
  BAR,
  FULL,
  idOf,
  isWithin,
  publishedTable,
  recordedErrors,
  SHORT,
  SHORT_BAR,
  tableOfReadme,
  tableRow,
} from './table.ts';
import { executeAnalysis } from '../../../engine/methods/index.ts';
import { createContext, meanOf, VARIABLES } from '../../../engine/check/lorenz-96.ts';

/** The analysis of one cycle of a method. */
async function analysisOf(
  backend: Backend,
  create: BenchmarkCase['create'],
  background: Float64Array,
  observed: Float64Array,
): Promise<Float64Array> {
  const { context, observe, dispose } = await createContext(backend, background.length / VARIABLES, 1);
  const method = await create(context);
  backend.write(method.state, background);
  observe(observed);
  method.departures.compute(method.state);
  await executeAnalysis(backend, method, 0);
  const analysis = await backend.read(method.state);
  method.dispose();
  dispose();
  return analysis;
}

/** x̄ + factor · (x − x̄), [members][n]. */
function withAnomaliesTimes(factor: number, ensemble: Float64Array): Float64Array {
  const mean = meanOf(ensemble, VARIABLES);
  return ensemble.map((value, element) => mean[element % VARIABLES] + factor * (value - mean[element % VARIABLES]));
}

/** Every member moved `places` along the circle. */
function turned(values: Float64Array, places: number): Float64Array {
  return values.map((_, element) => {
    const i = element % VARIABLES;
    return values[element - i + ((i - places + VARIABLES) % VARIABLES)];
  });
}

/** Those that are soon computed; the others are in nightly-rows.test.ts. */
const DAILY = cases.filter(({ isNightly }) => !isNightly);

/** The quickest cases: those are run on the reference too. */
const ON_REFERENCE = /^(?:L1|L6) /;

describe('the Lorenz-96 benchmark, wasm backend', () => {
  // A run of float32 is another run after some twenty doublings of its errors: its statistics are the same.
  it.each(DAILY)('$name: $published', async (of) => {
    const backend = await backendNamed('wasm').open();
    const error = median(await analysisErrors(backend, of, SHORT));
    backend.dispose();
    expect(isWithin(SHORT_BAR, of.published, error), `found ${error.toFixed(3)}`).toBe(true);
  });
});

describe('the Lorenz-96 benchmark, reference backend', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it.each(cases.filter(({ name }) => ON_REFERENCE.test(name)))('$name: $published', async (of) => {
    const error = median(await analysisErrors(backend, of, SHORT));
    expect(isWithin(SHORT_BAR, of.published, error), `found ${error.toFixed(3)}`).toBe(true);
  });

  it('fails with seven members if nothing localises', async () => {
    const create = letkfOf({ members: 7, inflation: 1.04 });
    // As far from the truth as two states of the attractor, 3.6·√2, or nearly: the observations alone are within 1.
    const [error] = await analysisErrors(
      backend,
      { name: '', published: 0, members: 7, create },
      { ...SHORT, seeds: 1 },
    );
    expect(error).toBeGreaterThan(1);
  });

  describe('localisation on a circle of one row', () => {
    const members = 7;
    const create = letkfOf({ members, inflation: 1.04, radius: 4 });
    const background = normals(members * VARIABLES, 'background');

    async function increment(place: number, ensemble = background): Promise<Float64Array> {
      const observed = new Float64Array(VARIABLES).fill(NaN);
      observed[place] = 3;
      const mean = meanOf(await analysisOf(backend, create, ensemble, observed), VARIABLES);
      const from = meanOf(ensemble, VARIABLES);
      return mean.map((value, i) => value - from[i]);
    }

    it.each([0, 13, 39])('reaches both ways from %i, and ends at twice the half-width', async (place) => {
      const found = await increment(place);
      const lag = (i: number): number => Math.min(Math.abs(i - place), VARIABLES - Math.abs(i - place));
      // Twice 1.82 · 4 is 14.56.
      const near = found.filter((_, i) => lag(i) <= 14).map(Math.abs);
      const far = found.filter((_, i) => lag(i) >= 15).map(Math.abs);
      expect([near.length, far.length]).toEqual([29, 11]);
      expect(Math.min(...near)).toBeGreaterThan(1e-9);
      // The rotation rounds the mean: seven members, 1e-16 each.
      expect(Math.max(...far)).toBeLessThan(1e-14);
    });

    it('does not know where the circle was cut', async () => {
      const found = await increment(3);
      // Sums over observations in another order: some tens of roundings of numbers of size 1.
      expect(await increment(36, turned(background, 33))).toBeClose(turned(found, 33), { absolute: 1e-13 });
    });
  });

  it.each([
    ['LETKF', letkfOf],
    ['EnKF', enkfOf],
  ] as const)('%s with inflation f² of the covariance is that of anomalies f times as large', async (_, of) => {
    const members = 10;
    const background = normals(members * VARIABLES, 'background');
    const observed = normals(VARIABLES, 'observed');
    const inside = await analysisOf(backend, of({ members, inflation: 1.3 }), background, observed);
    const larger = withAnomaliesTimes(1.3, background);
    const before = await analysisOf(backend, of({ members, inflation: 1 }), larger, observed);
    // Decompositions of order 10 and 40 with a condition below 100: 1e-16 · 40 · 100.
    expect(inside).toBeClose(before, { absolute: 1e-12 });
  });

  it('3D-Var solves for the increment δ = B (d − δ)', async () => {
    const covariance = (await climatologicalCovariance()).map((value) => 0.02 * value);
    const background = normals(VARIABLES, 'background');
    const observed = normals(VARIABLES, 'observed');
    const analysis = await analysisOf(
      backend,
      (context) => createDenseThreeDVar(covariance, context),
      background,
      observed,
    );
    const applied = background.map((_, row) =>
      analysis.reduce(
        (sum, value, column) => sum + covariance[row * VARIABLES + column] * (observed[column] - value),
        0,
      ),
    );
    // What is left is V r, |r| ≤ 1e-5 |Vᵀd|: with |V|² below 1 and |d| about √80, 1e-4 at most.
    expect(analysis.map((value, i) => value - background[i])).toBeClose(applied, { absolute: 1e-4 });
  });
});

describe('the climate', () => {
  it('has the published standard deviation of 3.6, and a covariance that its root gives back', async () => {
    const covariance = await climatologicalCovariance();
    expect(Math.abs(Math.sqrt(covariance[0]) - 3.64)).toBeLessThan(0.05);
    const root = choleskyRoot(covariance, VARIABLES);
    const product = covariance.map((_, entry) => {
      const [i, j] = [Math.floor(entry / VARIABLES), entry % VARIABLES];
      let sum = 0;
      for (let k = 0; k < VARIABLES; k++) sum += root[i * VARIABLES + k] * root[j * VARIABLES + k];
      return sum;
    });
    expect(product).toBeClose(covariance, { absolute: 1e-12 });
  });

  it('has no root where it is not positive definite', () => {
    expect(() => choleskyRoot(Float64Array.of(1, 2, 2, 1), 2)).toThrow('pivot 1 is -3');
  });
});

describe.each(backends.filter(({ name }) => name !== 'reference'))(
  'the benchmark’s first cycles on $name',
  ({ open }) => {
    // A GPU in software compiles the gain of many members for seconds.
    it.each(DAILY.filter(({ members }) => [1, 7, ...(isNightly ? [28] : [])].includes(members)))(
      '$name, as in float64',
      async (of) => {
        const first = { seeds: 1, spinup: 0, cycles: 8 };
        const float64 = createReferenceBackend();
        const [expected] = await analysisErrors(float64, of, first);
        float64.dispose();
        const backend = await open();
        const [found] = await analysisErrors(backend, of, first);
        backend.dispose();
        // A state of size 10 in float32 is rounded by 5e-7, which doubles over eight cycles and comes again with each; the error is
        // about 0.1, and the analysis holds what grows.
        expect(Math.abs(found / expected - 1)).toBeLessThan(2e-5);
      },
    );
  },
);

describe('a row of the table', () => {
  const of = { ...cases[0], name: 'L', published: 0.2 };
  it('gives median, range and verdict', () => {
    expect(tableRow(of, [0.3, 0.19, 0.21, 0.2])).toBe('| L | 0.20 | 0.205 | 0.190 to 0.300 | pass |');
    expect(tableRow(of, [0.189, 0.2, 0.189])).toContain('| FAIL |');
    expect(tableRow(of, [0.211, 0.22, 0.2])).toContain('| FAIL |');
    expect(tableRow(of, [NaN, NaN, 0.2])).toContain('| FAIL |');
  });
});

// Written by: SHOAL_VERIFICATION_RECORD=yes SHOAL_VERIFICATION_CASES=L1 npm run verify
describe('the table of the README', () => {
  const recorded = recordedErrors();
  it.each(cases.map((of) => [idOf(of), of] as const))('has %s at full size, within the bar', (id, { published }) => {
    const errors = recorded[id] ?? [];
    expect(errors).toHaveLength(FULL.seeds);
    expect(isWithin(BAR, published, median(errors))).toBe(true);
  });

  it('shows what is recorded', () => {
    expect(tableOfReadme()).toEqual(publishedTable(cases, recorded));
  });
});
