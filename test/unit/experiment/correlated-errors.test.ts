/** Correlated errors of observations, and the results of methods that treat them as independent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObservingSystem } from '../../../engine/experiment/networks.ts';
import { createExperiment, estimateEffort, estimateMemory, NO_FILES, validateScenario } from '../../../engine/index.ts';
import { warningsOf } from '../../../engine/scenario/warnings.ts';
import type { Backend, CycleDiagnostics, Scenario } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';

const [NX, NY, ERROR] = [20, 16, 0.01];
const grid = { nx: NX, ny: NY, dx: 2, dy: 1, periodicX: true, periodicY: true };
const track = { kind: 'track', heading: 30, speed: 7, length: 18, spacing: 1.5 };
const PLACES = 13;

function withErrors(errors: object, network: object = track, changes: object = {}): Scenario {
  const waves = { standardDeviation: 0.03, length: 5 };
  const raw = {
    version: 3,
    name: 'together',
    grid: { nx: NX, ny: NY, dx: 2, dy: 1 },
    model: { boundary: { x: 'periodic', y: 'periodic' }, bathymetry: { kind: 'flat', depth: 0.4 } },
    truth: { initial: { kind: 'rest' }, perturbation: waves },
    background: { initial: { kind: 'rest' }, perturbation: waves, members: 12 },
    observations: [{ name: 'track', variable: 'eta', network, errorStandardDeviation: ERROR, ...errors }],
    methods: [{ kind: 'letkf', localisation: { halfWidth: 8 }, inflation: 1.05 }],
    experiment: { cycles: 12, window: 1 },
    ...changes,
  };
  return validateScenario(raw, 'together').scenario;
}

/** Lines of the scenario's warnings. */
function warned(errors: object, changes: object = {}): string[] {
  return warningsOf(withErrors(errors, track, changes)).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('correlated errors', () => {
  const CYCLES = 2000;
  const length = 6;

  it.each([
    ['exponential', (r: number) => Math.exp(-r / length)],
    ['gaussian', (r: number) => Math.exp((-r * r) / (2 * length * length))],
  ] as const)('have the variance and the correlation that they are said to: %s', (shape, correlation) => {
    const scenario = withErrors({ errorCorrelation: { length, share: 0.75, shape } });
    const system = createObservingSystem(scenario, grid, NO_FILES);
    const products = Array.from({ length: PLACES }, () => 0);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const { correlatedError, errorStd } = system.plan(cycle);
      correlatedError.forEach((error, j) => (products[j] += (correlatedError[0] * error) / CYCLES / ERROR ** 2));
      expect(errorStd[0]).toBeCloseTo(ERROR / 2, 15);
    }
    // Sample covariances of 2000 draws of a variance of 3/4 err by 3/4·√(2/2000) at most; five of these.
    const bound = 5 * 0.75 * Math.sqrt(2 / CYCLES);
    products.forEach((product, j) => expect(Math.abs(product - 0.75 * correlation(1.5 * j))).toBeLessThan(bound));
  });

  it('reach across a periodic seam: neighbours are as near there as anywhere', () => {
    const row = Array.from({ length: 10 }, (_, i): [number, number] => [4 * i + 1, 8]);
    const network = { kind: 'points', points: row };
    const scenario = withErrors({ errorCorrelation: { length, share: 0.75, shape: 'exponential' } }, network);
    const between = (at: typeof grid): ((a: number, b: number) => number) => {
      const [{ errors }] = createObservingSystem(scenario, at, NO_FILES).plan(0).correlated;
      return errors.between;
    };
    const wrapped = between(grid);
    expect(wrapped(0, 9)).toBeCloseTo(wrapped(0, 1), 15);
    expect(wrapped(1, 8)).toBeCloseTo(0.75 * Math.exp(-12 / length), 8);
    expect(between({ ...grid, periodicX: false })(0, 9)).toBeCloseTo(0.75 * Math.exp(-36 / length), 8);
  });

  it.each(['exponential', 'gaussian'] as const)(
    'stay positive definite where they reach round the basin: %s',
    (shape) => {
      // By the nearest image alone a Gaussian of this length has eigenvalues down to −0.1 on a ring.
      const scenario = withErrors(
        { errorCorrelation: { length: 16, share: 1, shape } },
        { kind: 'points', points: Array.from({ length: 20 }, (_, i): [number, number] => [2 * i + 1, 8]) },
      );
      const [{ errors }] = createObservingSystem(scenario, grid, NO_FILES).plan(0).correlated;
      // C is circulant: its eigenvalues are the cosine sums of a row.
      for (let k = 0; k < 20; k++) {
        let eigenvalue = 0;
        for (let j = 0; j < 20; j++) eigenvalue += errors.between(0, j) * Math.cos((2 * Math.PI * j * k) / 20);
        expect(eigenvalue).toBeGreaterThan(0);
      }
      expect(errors.between(0, 19)).toBeCloseTo(errors.between(0, 1), 12);
    },
  );

  it('are others in each cycle, and the same again', () => {
    const scenario = withErrors({ errorCorrelation: {} });
    const [system, again] = [1, 2].map(() => createObservingSystem(scenario, grid, NO_FILES));
    const { correlatedError } = system.plan(1);
    expect(again.plan(1).correlatedError).toEqual(correlatedError);
    expect(again.plan(2).correlatedError).not.toEqual(correlatedError);
    expect(system.plan(1).errorStd).toEqual(new Float64Array(PLACES));
  });

  it('are larger and fewer to methods that are set so', () => {
    const told = withErrors({ assumed: { errorFactor: 2, thinning: 4 } });
    const { inverseErrorStd, errorStd } = createObservingSystem(told, grid, NO_FILES).plan(0);
    expect([...inverseErrorStd]).toEqual(Array.from({ length: PLACES }, (_, j) => (j % 4 === 0 ? 1 / (2 * ERROR) : 0)));
    expect(new Set(errorStd)).toEqual(new Set([ERROR]));
  });

  it('are correlated at the remaining places alone', () => {
    const gauges = { kind: 'regular', stride: [5, 4] };
    const correlation = { length, share: 0.75 };
    const scenario = withErrors({ errorCorrelation: correlation }, gauges, {
      interventions: [{ cycle: 1, kind: 'gauges', remove: [[5, 0]] }],
    });
    const system = createObservingSystem(scenario, grid, NO_FILES);
    const [whole] = system.plan(0).correlated;
    expect(whole.first).toBe(0);
    expect(whole.errors.count).toBe(16);
    expect(system.plan(1).correlated[0].errors).toBe(whole.errors);
    // Places [0, 0], [5, 0] and [10, 0] of cells 2 m long.
    expect(whole.errors.between(0, 0)).toBe(1);
    expect(whole.errors.between(1, 0)).toBeCloseTo(0.75 * Math.exp(-10 / length), 7);
    expect(whole.errors.between(0, 2)).toBeCloseTo(0.75 * Math.exp(-20 / length), 7);
    system.configure(scenario, 1);
    const [rest] = system.plan(1).correlated;
    expect(rest.errors.count).toBe(15);
    expect(rest.errors.between(0, 1)).toBe(whole.errors.between(0, 2));
    expect(createObservingSystem(withErrors({}), grid, NO_FILES).plan(0).correlated).toEqual([]);
  });

  it('earn a warning where a method treats them as independent and nothing is done about it', () => {
    const place = 'observations.0.errorCorrelation: the errors of track are correlated over 12 m, and ';
    const errorCorrelation = { length: 12 };
    const letkf = { kind: 'letkf', localisation: { halfWidth: 8 }, inflation: 1.05 };
    const enkf = { ...letkf, kind: 'enkf' };
    const full = { ...enkf, errorCorrelation: 'full' };
    const threeDVar = { kind: '3dvar', covariance: { kind: 'gaussian', standardDeviation: { h: 0.02 } } };
    const hybrid = { ...threeDVar, kind: 'hybrid', errorCorrelation: 'full' };
    const told = warned({ errorCorrelation });
    expect(told.some((line) => line.startsWith(`${place}letkf treats them as independent`))).toBe(true);
    const both = warned(
      { errorCorrelation },
      { methods: [{ kind: 'free-run' }, letkf, enkf, { ...full, label: 'full' }] },
    );
    expect(both.some((line) => line.startsWith(`${place}letkf and enkf treat them as independent`))).toBe(true);
    for (const quiet of [
      warned({}),
      warned({ errorCorrelation: { length: 12, share: 0 } }),
      warned({ errorCorrelation, assumed: { errorFactor: 2 } }),
      warned({ errorCorrelation, assumed: { thinning: 4 } }),
      warned({ errorCorrelation }, { methods: [full] }),
      warned({ errorCorrelation }, { methods: [{ ...threeDVar, errorCorrelation: 'full' }] }),
      warned({ errorCorrelation }, { methods: [{ ...hybrid, ensemble: full }] }),
    ]) {
      expect(quiet.filter((line) => line.includes('errorCorrelation'))).toEqual([]);
    }
    for (const alone of [full, { ...threeDVar, errorCorrelation: 'full' }, { ...hybrid, ensemble: enkf }]) {
      expect(warned({}, { methods: [alone] })).toContain(
        'methods.0.errorCorrelation: "full", and the errors of no network are correlated: it is without effect',
      );
    }
    for (const ensemble of [{ ...letkf, rotation: false }, enkf]) {
      expect(warned({ errorCorrelation }, { methods: [{ ...hybrid, ensemble }] })).toContain(
        `methods.0.ensemble: the minimisation takes R whole, but "${ensemble.kind}" treats correlated errors as independent: ` +
          'its members are closer together than they should; give it errorCorrelation "full"',
      );
    }
    expect(warned({ errorCorrelation }, { methods: [threeDVar] }).join()).toContain(`${place}3dvar treats them`);
  });

  it('take memory and work of a method that has R whole', () => {
    const covariance = { kind: 'gaussian', standardDeviation: { h: 0.02 } };
    const ensemble = { kind: 'enkf', errorCorrelation: 'full' };
    for (const kind of ['3dvar', 'hybrid']) {
      const [independent, whole] = ['ignored', 'full'].map((errorCorrelation) =>
        withErrors({ errorCorrelation: { length: 12 } }, track, {
          methods: [{ kind, covariance, errorCorrelation, ...(kind === 'hybrid' && { ensemble }) }],
        }),
      );
      // By rows, with four numbers an entry; and at least its products in each of 60 iterations.
      expect(estimateMemory(whole, 8)).toBeGreaterThan(estimateMemory(independent, 8) + (PLACES * PLACES) / 2);
      const [less, more] = [independent, whole].map((scenario) => estimateEffort(scenario).operations);
      expect(more - less).toBeGreaterThan(12 * 60 * 2 * PLACES ** 2);
      expect(more - less).toBeLessThan(12 * 60 * 3 * PLACES ** 2);
    }
  });

  it('need places that keep their distances, and not too many', () => {
    expect(() => withErrors({ errorCorrelation: {} }, { kind: 'random', count: 5, redraw: true })).toThrow(
      'observations[0].errorCorrelation: the places of "random" do not keep their distances',
    );
    expect(() => withErrors({ errorCorrelation: {} }, { ...track, spacing: 0.01 })).toThrow(
      'found 1801 places, allowed: 1024',
    );
  });
});

describe.each(backends)('correlated errors on $name', ({ open, name, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function run(scenario: Scenario) {
    const rows: CycleDiagnostics[] = [];
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
    });
    try {
      while (experiment.nextCycle < experiment.cycles) await experiment.step();
      return { rows, observations: experiment.observations };
    } finally {
      experiment.dispose();
    }
  }

  it('are in what is observed', async () => {
    const scenario = withErrors({ errorCorrelation: { length: 5 } }, track, {
      truth: { initial: { kind: 'rest' } },
      methods: [{ kind: 'free-run' }],
      experiment: { cycles: 2, window: 1 },
    });
    const { observations } = await run(scenario);
    const values = Float64Array.from(observations?.values ?? []);
    const planned = Float64Array.from(observations?.correlatedError ?? []);
    expect(values).toHaveLength(PLACES);
    expect(values).toBeClose(planned, { absolute: precision === 'float64' ? 1e-15 : 4e-9 });
  });

  // The fastest of them; eight seeds of two methods.
  it.runIf(name === 'wasm')('are what an EnKF with R whole expects, and takes more from', async () => {
    const filter = { kind: 'enkf', localisation: { halfWidth: 8 }, inflation: 1.05 };
    const methods = [
      { ...filter, label: 'ignored' },
      { ...filter, label: 'full', errorCorrelation: 'full' },
    ];
    const sums = { ignored: { error: 0, misfit: 0, count: 0 }, full: { error: 0, misfit: 0, count: 0 } };
    for (let seed = 1; seed <= 8; seed++) {
      const { rows } = await run(withErrors({ errorCorrelation: { length: 12 } }, track, { seed, methods }));
      for (const { method, rmse, innovation } of rows.slice(8)) {
        const sum = sums[method === 'full' ? 'full' : 'ignored'];
        sum.error += rmse.analysis['h'];
        sum.misfit += innovation?.chiSquare ?? Number.NaN;
        sum.count += 1;
      }
    }
    const { ignored, full } = sums;
    expect(full.count).toBe(64);
    // Of 13 innovations χ²/p has the deviation √(2/13), of 64 means of them 5 %; the prior is not exact.
    expect(Math.abs(full.misfit / full.count - 1)).toBeLessThan(0.25);
    expect(full.error / ignored.error).toBeLessThan(0.97);
  });

  // The fastest of them; ten seeds of three runs.
  it.runIf(name === 'wasm')(
    'make a filter that ignores them underdispersive, and assuming larger errors less so',
    async () => {
      const correlation = { errorCorrelation: { length: 12 } };
      const told = { ...correlation, assumed: { errorFactor: 2 } };
      const sums = { white: { error: 0, spread: 0 }, ignored: { error: 0, spread: 0 }, told: { error: 0, spread: 0 } };
      for (const [key, errors] of [
        ['white', {}],
        ['ignored', correlation],
        ['told', told],
      ] as const) {
        for (let seed = 1; seed <= 10; seed++) {
          const { rows } = await run(withErrors(errors, track, { seed }));
          for (const { rmse, spread } of rows.slice(4)) {
            sums[key].error += rmse.analysis['h'];
            sums[key].spread += spread.analysis['h'];
          }
        }
      }
      const { white, ignored, told: warned } = sums;
      // An eighth more error in the mean of ten seeds, of which the spread knows nothing.
      expect(ignored.error / white.error).toBeGreaterThan(1.05);
      expect(Math.abs(ignored.spread / white.spread - 1)).toBeLessThan(0.02);
      expect(warned.spread / warned.error).toBeGreaterThan(ignored.spread / ignored.error);
    },
  );
});
