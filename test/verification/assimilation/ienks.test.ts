/**
 * The iterative ensemble Kalman smoother under a model of the test's own: the EnKS where that is linear, and an independent transcript
 * of its iterations in dense algebra where it is not. In a run: what falls and drives is repeated, and checkpoints continue it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateScenario, type Backend, type Scenario } from '../../../engine/index.ts';
import {
  apply,
  dot,
  norm,
  plusDiagonal,
  solve,
  times,
  trace,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import { anomaliesOf, meanOf, method, NO_LOCALISATION } from '../../../engine/check/assimilation/set-up.ts';
import { normals } from '../../../engine/check/measures.ts';
import { createMethod, executeAnalysis } from '../../../engine/methods/index.ts';
import type { AnalysisReport, DegreesOfFreedom, MethodContext } from '../../../engine/methods/index.ts';
import { createLorenz96 } from '../../../engine/models/index.ts';
import { createObservationOperator, observedVariable } from '../../../engine/operators/observation/index.ts';
import { backends, runBackends } from '../../setup/backends.ts';
import { run } from './smoothed-ring.ts';

const N = 12;
const MEMBERS = 6;
const LAG = 2;
const INFLATION = 1.2;
const CYCLES = 4;
/** σₒ is ½. */
const INVERSE = 2;

/** Every second place of a ring, half of them in the middle of a cycle and the others at its end. */
const OBSERVED = {
  x: Float64Array.from({ length: N / 2 }, (_, j) => 2 * j),
  y: new Float64Array(N / 2),
  variable: Array.from({ length: N / 2 }, () => 'state0'),
  inverseErrorStd: new Float64Array(N / 2).fill(INVERSE),
  moment: Uint32Array.from({ length: N / 2 }, (_, j) => j % 2),
};

const FIRST = normals(MEMBERS * N, 'ienks.first');
/** By cycle. */
const VALUES = Array.from({ length: CYCLES }, (_, cycle) => normals(N / 2, `ienks.values.${cycle}`));

/** What half a cycle makes of a member. */
type Half = (member: Float64Array) => Float64Array;

const linear: Half = (x) => x.map((own, i) => 0.8 * own + 0.5 * x[(i + N - 1) % N] - 0.2 * x[(i + 1) % N]);
const bent: Half = (x) => linear(x).map((moved, i) => moved + 0.6 * Math.sin(2 * x[(i + 2) % N]));

/** [members][n], each of them moved. */
function moved(half: Half, ensemble: Float64Array): Float64Array {
  const all = new Float64Array(ensemble.length);
  for (let at = 0; at < all.length; at += N) all.set(half(ensemble.slice(at, at + N)), at);
  return all;
}

interface Followed {
  readonly state: Float64Array;
  /** The states of one, two, … cycles ago. */
  readonly past: readonly Float64Array[];
  readonly reports: readonly AnalysisReport[];
  /** By cycle, how often one was repeated. */
  readonly repeated: readonly number[];
  /** dᵀS⁻¹d and tr(H K) of the last cycle. */
  readonly misfit: number | undefined;
  readonly degreesOfFreedom: DegreesOfFreedom | undefined;
}

/** Some cycles of a method under a model, as the experiment has them. */
async function follow(
  backend: Backend,
  half: Half,
  settings: Parameters<typeof method>[0],
  cycles = CYCLES,
): Promise<Followed> {
  const model = createLorenz96({ n: N });
  const seen = { grid: model.grid, variables: ['state0'] };
  const capacity = OBSERVED.x.length;
  const observations = await createObservationOperator(backend, seen, { capacity, members: [1, MEMBERS], moments: 1 });
  const threshold = backend.allocate('threshold', 'real', capacity);
  backend.write(threshold, new Float64Array(capacity));
  let repeats = 0;
  const context: MethodContext = {
    backend,
    model,
    observations,
    threshold,
    positions: () => OBSERVED,
    members: MEMBERS,
    seed: 1,
    gravity: 0,
    coriolis: { f: 0, beta: 0 },
    window: {
      seconds: 1,
      pace: 0,
      shares: [0.5],
      async repeat(state, _cycle, frames) {
        repeats++;
        const middle = moved(half, Float64Array.from(await backend.read(state)));
        backend.write(state, middle);
        await frames?.take(0, 0.5);
        backend.write(state, moved(half, middle));
        return () => Promise.resolve();
      },
    },
  };
  const held = await createMethod(method(settings), context);
  const variable = OBSERVED.variable.map((name) => observedVariable(name).code);
  const reports: AnalysisReport[] = [];
  const repeated: number[] = [];
  backend.write(held.state, FIRST);
  for (let cycle = 0; cycle < cycles; cycle++) {
    held.past?.keep();
    const middle = moved(half, Float64Array.from(await backend.read(held.state)));
    backend.write(held.state, middle);
    observations.set({ ...OBSERVED, variable, values: VALUES[cycle] });
    held.departures.see(held.state, 1);
    backend.write(held.state, moved(half, middle));
    held.departures.compute(held.state);
    repeats = 0;
    reports.push(await executeAnalysis(backend, held, cycle));
    repeated.push(repeats);
  }
  const state = Float64Array.from(await backend.read(held.state));
  const kept = await Promise.all((held.past?.kept ?? []).map((field) => backend.read(field)));
  const misfit = held.misfit && (await backend.read(held.misfit.value))[0];
  const degreesOfFreedom = await held.explain({ kind: 'degrees-of-freedom' }, held.state);
  for (const owned of [held, observations, threshold]) owned.dispose();
  return { state, past: kept.map((values) => Float64Array.from(values)), reports, repeated, misfit, degreesOfFreedom };
}

function identity(order: number): Matrix {
  return Array.from({ length: order }, (_, i) => Float64Array.from({ length: order }, (__, j) => Number(i === j)));
}

function inverseOf(matrix: Matrix): Matrix {
  return transposed(solve(matrix, identity(matrix.length)));
}

function mean(a: Matrix, b: Matrix): Matrix {
  return a.map((row, i) => row.map((value, j) => (value + b[i][j]) / 2));
}

/** A^−½ by the iteration of Denman and Beavers. */
function inverseRootOf(matrix: Matrix): Matrix {
  let [root, inverse] = [matrix, identity(matrix.length)];
  for (let i = 0; i < 30; i++) [root, inverse] = [mean(root, inverseOf(inverse)), mean(inverse, inverseOf(root))];
  return inverse;
}

/** What a member at the beginning of the first window is seen as, each observation at its time. */
function seenOf(half: Half, member: Float64Array): Float64Array {
  const middle = half(member);
  const end = half(middle);
  return Float64Array.from(OBSERVED.x, (place, j) => (OBSERVED.moment[j] === 1 ? middle : end)[place]);
}

/** The first analysis by the gradient and the Hessian of J in w [bocquet2014], members in rows. @returns members at the beginning */
function transcript(half: Half, { tolerance, most }: { readonly tolerance: number; readonly most: number }) {
  const centre = meanOf(FIRST, N);
  const rows: Matrix = anomaliesOf(FIRST, N);
  let w = new Float64Array(MEMBERS);
  let root: Matrix = identity(MEMBERS);
  let iterations = 0;
  const members = (): Matrix => {
    const shift = apply(transposed(rows), w);
    return times(root, rows).map((row) => row.map((value, i) => centre[i] + shift[i] + value));
  };
  for (let change = Infinity; change > tolerance && iterations < most; iterations++) {
    const seen = Float64Array.from(members().flatMap((member) => [...seenOf(half, member)]));
    const p = OBSERVED.x.length;
    const departures = meanOf(seen, p).map((value, j) => INVERSE * (VALUES[0][j] - value));
    const scaled = anomaliesOf(seen, p).map((row) => row.map((value) => INVERSE * value));
    const y = times(inverseOf(root), scaled);
    const prior = (MEMBERS - 1) / INFLATION;
    const hessian = plusDiagonal(times(y, transposed(y)), new Float64Array(MEMBERS).fill(prior));
    const gradient = apply(y, departures).map((value, i) => value - prior * w[i]);
    const [step] = solve(hessian, [gradient]);
    w = w.map((value, i) => value + step[i]);
    root = inverseRootOf(hessian.map((row) => row.map((value) => value / (MEMBERS - 1))));
    change = norm(step) / Math.sqrt(MEMBERS);
  }
  return { iterations, beginning: Float64Array.from(members().flatMap((member) => [...member])) };
}

function ienks(maxIterations: number, changes: { readonly lag?: number; readonly tolerance?: number } = {}) {
  const { lag = LAG, tolerance = 1e-3 } = changes;
  return { kind: 'ienks', lag, inflation: INFLATION, minimisation: { maxIterations, tolerance } } as const;
}

/** A basin that is stirred and into which drops fall, of each member its own. */
function driven(errorStandardDeviation: number, settings: object): Scenario {
  const raw = {
    version: 3,
    name: 'driven',
    seed: 5,
    grid: { nx: 12, ny: 10, dx: 1, dy: 1 },
    model: { scheme: 'richtmyer', timeStep: 0.1 },
    truth: {
      perturbation: { standardDeviation: 0.02, length: 3 },
      forcing: { kind: 'stirring', shortest: 4, longest: 9, power: 1e-5, decorrelation: 3 },
    },
    background: { perturbation: { standardDeviation: 0.02, length: 3 }, members: MEMBERS },
    observations: [
      { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] }, errorStandardDeviation },
    ],
    methods: [{ kind: 'ienks', label: 'ienks', lag: 2, ...settings }],
    interventions: [
      { cycle: 1, kind: 'drop', x: 4, y: 5, radius: 1.5, height: 0.05, seenBy: 'all' },
      { cycle: 2, kind: 'drop', x: 7, y: 3, radius: 1.5, height: 0.05, seenBy: 'each' },
    ],
    experiment: { cycles: 4, window: 0.5 },
  };
  return validateScenario(raw, 'driven').scenario;
}

describe.each(backends)('the IEnKS on $name', ({ open, precision }) => {
  const isExact = precision === 'float64';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('is the EnKS under a linear model, at the end of the window and at each lag, with any number of iterations', async () => {
    const enks = { kind: 'enks', lag: LAG, localisation: NO_LOCALISATION, inflation: INFLATION } as const;
    const expected = await follow(backend, linear, enks);
    for (const iterations of [1, 4]) {
      const found = await follow(backend, linear, ienks(iterations));
      // Four cycles of decompositions of order 6 with a condition below 100, of numbers up to 4.
      const absolute = isExact ? 1e-12 : 5e-5;
      expect(found.state).toBeClose(expected.state, { absolute });
      expect(found.past).toHaveLength(LAG);
      found.past.forEach((states, index) => expect(states).toBeClose(expected.past[index], { absolute }));
    }
  });

  it.each([1, 2, 3, 6])(
    'is a transcript in dense algebra under a model that is not linear: %i iterations',
    async (most) => {
      const { beginning } = transcript(bent, { tolerance: 1e-9, most });
      const { state, past } = await follow(backend, bent, ienks(most, { tolerance: 1e-9 }), 1);
      const absolute = isExact ? 1e-11 : 1e-4;
      expect(past[0]).toBeClose(beginning, { absolute });
      expect(state).toBeClose(moved(bent, moved(bent, beginning)), { absolute: 4 * absolute });
    },
  );

  it('states the misfit of its forecast and its degrees of freedom as dense algebra has them', async () => {
    const p = OBSERVED.x.length;
    const members = Array.from({ length: MEMBERS }, (_, i) => FIRST.slice(i * N, (i + 1) * N));
    const seen = Float64Array.from(members.flatMap((member) => [...seenOf(linear, member)]));
    const departures = meanOf(seen, p).map((value, j) => INVERSE * (VALUES[0][j] - value));
    const scaled = anomaliesOf(seen, p).map((row) => row.map((value) => INVERSE * value));
    const spread = times(transposed(scaled), scaled).map((row) =>
      row.map((value) => (INFLATION * value) / (MEMBERS - 1)),
    );
    const expected = plusDiagonal(spread, new Float64Array(p).fill(1));
    const [weights] = solve(expected, [departures]);
    const gain = solve(expected, spread);
    const { misfit, degreesOfFreedom } = await follow(backend, linear, ienks(1), 1);
    const tolerance = { relative: isExact ? 1e-11 : 1e-4 };
    expect(misfit).toBeClose(dot(departures, weights), tolerance);
    expect(degreesOfFreedom?.value).toBeClose(trace(gain), tolerance);
    expect(degreesOfFreedom?.observations).toBe(p);
  });

  it('ends when the weights change by less than the tolerance', async () => {
    const tolerance = 1e-3;
    const { iterations } = transcript(bent, { tolerance, most: 50 });
    const { repeated } = await follow(backend, bent, ienks(50, { lag: 1, tolerance }), 1);
    // A repetition for each iteration but the first, and one of the analysis.
    expect(repeated).toEqual([iterations]);
    expect(iterations).toBeGreaterThan(2);
    const { repeated: ofLinear } = await follow(backend, linear, ienks(50), CYCLES);
    // The second iteration changes nothing. The first window has one cycle.
    expect(ofLinear).toEqual([2, 4, 4, 4]);
  });

  it('says once that it has not come to an end', async () => {
    const { reports } = await follow(backend, bent, ienks(2, { tolerance: 1e-9 }));
    const warnings = reports.map(({ warning }) => warning);
    expect(warnings[0]).toMatch(/^after 2 iterations the weights of the members still change by more than 1e-9; raise/);
    expect(warnings.slice(1)).toEqual([undefined, undefined, undefined]);
    const { reports: single } = await follow(backend, bent, ienks(1));
    expect(single).toEqual([{}, {}, {}, {}]);
  });
});

describe.each(runBackends)('runs of the IEnKS on $name', ({ open, precision }) => {
  const isExact = precision === 'float64';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('repeats what fell and what drove the water', async () => {
    const forecasts: Float64Array[] = [];
    const scenario = driven(1e6, { assumed: { errorFactor: 1000 } });
    const { checkpoints } = await run(backend, scenario, 3, { onForecast: (state) => forecasts.push(state) });
    // Weights of size 1e-9 leave the members where they were, if they come the same way.
    const absolute = isExact ? 1e-9 : 1e-5;
    expect(checkpoints[2].arrays['method.ienks']).toBeClose(forecasts[2], { absolute });
  });

  it('continues from a checkpoint to the same bits', async () => {
    const scenario = driven(0.01, { rotation: true, minimisation: { maxIterations: 2 } });
    const { rows, checkpoints } = await run(backend, scenario, 4);
    const resumed = await run(backend, scenario, 4, { checkpoint: checkpoints[1] });
    expect(resumed.checkpoints.at(-1)).toEqual(checkpoints[3]);
    expect(resumed.rows.map(({ smoothed }) => smoothed)).toEqual(rows.slice(2).map(({ smoothed }) => smoothed));
    expect(rows.map(({ smoothed }) => smoothed?.rmse['h'].length)).toEqual([1, 2, 2, 2]);
  });
});
