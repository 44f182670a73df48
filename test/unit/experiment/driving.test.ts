/** Wind, tide and stirring in a run: against exact solutions, and who sees what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModel } from '../../../engine/experiment/index.ts';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Checkpoint, Scenario } from '../../../engine/index.ts';
import { backends, runBackends } from '../../setup/backends.ts';

const [GRAVITY, DEPTH] = [9.81, 2];

/** A channel along x, of the truth alone but for a member. */
function channel(
  nx: number,
  changes: {
    readonly forcing: object;
    readonly drag: number;
    readonly window: number;
    readonly timeStep?: number;
    readonly model?: object;
  },
): Scenario {
  const { forcing, drag, window, timeStep = 1, model } = changes;
  const raw = {
    version: 3,
    name: 'channel',
    grid: { nx, ny: 4, dx: 10, dy: 10 },
    model: {
      scheme: 'central-upwind',
      timeStep,
      gravity: GRAVITY,
      friction: { linear: drag },
      boundary: { x: 'wall', y: 'periodic' },
      bathymetry: { kind: 'flat', depth: DEPTH },
      ...model,
    },
    truth: { initial: { kind: 'rest' }, forcing },
    background: { initial: { kind: 'rest' }, members: 1 },
    methods: [{ kind: 'free-run' }],
    experiment: { cycles: 1000, window },
  };
  return validateScenario(raw, 'channel').scenario;
}

/** The truth, elevation and momenta, after each of so many cycles from `first` on. */
async function states(
  backend: Backend,
  scenario: Scenario,
  cycles: number,
  first = cycles - 1,
): Promise<Float64Array[]> {
  const experiment = await createExperiment(backend, scenario, { files: NO_FILES, listener: () => undefined });
  const found: Float64Array[] = [];
  try {
    while (experiment.nextCycle < cycles) {
      await experiment.step();
      if (experiment.nextCycle > first) found.push(await backend.read(experiment.truth));
    }
    return found;
  } finally {
    experiment.dispose();
  }
}

/** A basin that is stirred, with two members, and 4D-Var beside them. */
function stirred(seenBy: 'truth' | 'all' | 'each'): Scenario {
  const raw = {
    version: 3,
    name: 'stirred',
    grid: { nx: 12, ny: 10 },
    model: { scheme: 'richtmyer', timeStep: 0.1, bathymetry: { kind: 'flat', depth: DEPTH } },
    truth: {
      initial: { kind: 'rest' },
      spinup: 0.7,
      forcing: { kind: 'stirring', shortest: 4, longest: 10, power: 1e-3, decorrelation: 2, seenBy },
    },
    background: { initial: { kind: 'rest' }, members: 2 },
    observations: [{ name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] }, every: 10 }],
    methods: [
      { kind: 'letkf', localisation: { halfWidth: 2 } },
      { kind: '4dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
    ],
    experiment: { cycles: 6, window: 0.5 },
  };
  return validateScenario(raw, 'stirred').scenario;
}

interface Found {
  readonly truth: Float64Array;
  readonly members: readonly Float64Array[];
  readonly single: Float64Array;
  readonly checkpoint: Checkpoint;
}

async function run(backend: Backend, scenario: Scenario, cycles: number, checkpoint?: Checkpoint): Promise<Found> {
  const options = { files: NO_FILES, listener: () => undefined, ...(checkpoint && { checkpoint }) };
  const experiment = await createExperiment(backend, scenario, options);
  try {
    while (experiment.nextCycle < cycles) await experiment.step();
    const truth = await backend.read(experiment.truth);
    const [ensemble, single] = await Promise.all(experiment.methods.map(({ state }) => backend.read(state)));
    const members = [0, 1].map((member) => ensemble.slice(member * truth.length, (member + 1) * truth.length));
    return { truth, members, single, checkpoint: await experiment.checkpoint() };
  } finally {
    experiment.dispose();
  }
}

describe.each(runBackends)('what drives a run on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('gives momentum to water that nothing but friction holds, as a wind does', async () => {
    const [drag, stress, seconds] = [0.05, 2, 20];
    const scenario = channel(8, { forcing: { kind: 'wind', stress, direction: 90 }, drag, window: 5 });
    const [state] = await states(backend, scenario, 4);
    // ∂(hv)/∂t = τ/ρ − r·hv; steps of 1 s add half of one to it, r/2 of it all.
    const exact = (stress / 1000 / drag) * (1 - Math.exp(-drag * seconds));
    const [along, across] = [state.slice(32, 64), state.slice(64)];
    expect(along).toBeClose(new Float64Array(32), { absolute: 1e-9 });
    expect(across.map((momentum) => momentum / exact)).toBeClose(new Float64Array(32).fill(1 + drag / 2), {
      absolute: 2e-3,
    });
  });

  it('leaves no momentum on ground that a wind off the shore has laid bare', async () => {
    const [nx, timeStep] = [8, 0.5];
    // Friction that grows as water gets thin, which a wind accelerates without end otherwise.
    const model = { friction: { manning: 0.03 }, bathymetry: { kind: 'slope', depth: 0.5, endDepth: 0.01 } };
    const forcing = { kind: 'wind', stress: 5, direction: 180 };
    const scenario = channel(nx, { forcing, drag: 0, window: 10, timeStep, model });
    const [state] = await states(backend, scenario, 2);
    const { bed = new Float64Array(0), dryDepth = 0 } = createModel(scenario, NO_FILES);
    const dry = Array.from(bed, (elevation, cell) => (state[cell] - elevation > dryDepth ? [] : [cell])).flat();
    expect(dry.length).toBeGreaterThan(0);
    for (const cell of dry) expect([state[cell + 4 * nx], state[cell + 8 * nx]]).toEqual([0, 0]);
  });

  it('drives the truth alone where the truth alone is driven', async () => {
    const { truth, members, single } = await run(backend, stirred('truth'), 2);
    expect(Math.max(...truth.subarray(120))).toBeGreaterThan(0.01);
    for (const state of [...members, single]) expect(state.subarray(120)).toEqual(new Float64Array(240));
  });

  it('drives all alike where all are driven', async () => {
    const { truth, members, single } = await run(backend, stirred('all'), 2);
    expect([...members, single]).toEqual([truth, truth, truth]);
  });

  it('drives each by its own dice, and what is no member by their mean', async () => {
    const { truth, members, single } = await run(backend, stirred('each'), 1);
    const [first, second] = members;
    expect(first).not.toEqual(second);
    expect(first).not.toEqual(truth);
    const mean = first.map((value, i) => (value + second[i]) / 2);
    const departure = Math.max(...first.map((value, i) => Math.abs(value - mean[i])));
    const error = Math.max(...single.map((value, i) => Math.abs(value - mean[i])));
    // What two members are apart is advected: a product of two currents of 0.03 m/s.
    expect(error).toBeLessThan(0.05 * departure);
  });

  it.each(['all', 'each'] as const)('continues from a checkpoint with the same bits, seen by %s', async (seenBy) => {
    const whole = await run(backend, stirred(seenBy), 4);
    const { checkpoint } = await run(backend, stirred(seenBy), 2);
    expect(await run(backend, stirred(seenBy), 4, checkpoint)).toEqual(whole);
  });
});

describe('what drives a channel', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[0].open();
  });
  afterAll(() => backend.dispose());

  it('is sloped by a steady wind by τ/(ρgh)', async () => {
    const nx = 16;
    // Stress for a slope of 1e-4; the slowest wave falls to e⁻¹⁵ in 300 s.
    const forcing = { kind: 'wind', stress: 1000 * GRAVITY * DEPTH * 1e-4 };
    const [eta] = await states(backend, channel(nx, { forcing, drag: 0.1, window: 20, timeStep: 0.5 }), 15);
    // Between the fifth cells from both walls, where limiters do not reach; the depth differs from 2 m by 0.2 % there.
    const slope = (eta[nx - 5] - eta[4]) / (10 * (nx - 9));
    expect(slope / 1e-4).toBeClose(1, { absolute: 2e-3 });
  });

  it('lets a tide rise as far as friction and length allow', async () => {
    const [nx, period, drag, amplitude] = [20, 240, 0.02, 0.01];
    const forcing = { kind: 'tide', side: 'west', amplitude, period };
    const perPeriod = 24;
    const scenario = channel(nx, { forcing, drag, window: period / perPeriod });
    const series = await states(backend, scenario, 4 * perPeriod, 3 * perPeriod);
    // η″ = −k²η with k² = (ω² − iωr)/(gH), q = 0 at the east and a·√(gH) at the west: |η| = |q k/(ω sin kL)| at the east.
    const omega = (2 * Math.PI) / period;
    const [real, imaginary] = [omega ** 2 / (GRAVITY * DEPTH), (-omega * drag) / (GRAVITY * DEPTH)];
    const size = Math.hypot(real, imaginary);
    const length = nx * 10;
    const [kx, ky] = [Math.sqrt((size + real) / 2) * length, Math.sqrt((size - real) / 2) * length];
    const sine = Math.hypot(Math.sin(kx) * Math.cosh(ky), Math.cos(kx) * Math.sinh(ky));
    const exact = (amplitude * Math.sqrt(GRAVITY * DEPTH) * Math.hypot(kx, ky)) / length / (omega * sine);
    const east = series.map((state) => state[nx - 1]);
    const found = (Math.max(...east) - Math.min(...east)) / 2;
    // The mean over a twenty-fourth of the period loses 0.3 %, times as far apart as that 0.9 %, half a cell 0.3 %.
    expect(found / exact).toBeClose(1, { absolute: 0.02 });
  });
});
