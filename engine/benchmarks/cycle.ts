/**
 * A whole cycle of a twin experiment: the forecast of truth and members, an analysis, and the diagnostics of both. One cycle is
 * reported while the next is queued, as in a run.
 */
import type { Backend } from '../compute/backend.ts';
import { createExperiment } from '../experiment/index.ts';
import type { Cycle } from '../experiment/index.ts';
import { NO_FILES, validateScenario } from '../scenario/index.ts';
import type { ScenarioInput } from '../scenario/index.ts';
import type { Benchmark, Workload } from './benchmark.ts';
import type { Sizes } from './sizes.ts';

/** Short enough that what grows in this scheme does not show in any number of cycles that is timed. */
const TIME_STEP_SECONDS = 0.02;
/** More than anybody will time. */
const CYCLES = 100_000;

interface Size {
  /** Cells a side. */
  readonly n: number;
  readonly members: number;
  /** Of the model, in a cycle. */
  readonly steps: number;
  readonly method: keyof typeof METHODS;
}

const METHODS = {
  'free-run': { kind: 'free-run' },
  letkf: { kind: 'letkf', localisation: { halfWidth: 3 }, inflation: 1.05 },
  nudging: { kind: 'nudging', localisation: { halfWidth: 3 } },
  enkf: { kind: 'enkf', localisation: { halfWidth: 3 }, inflation: 1.05 },
  '3dvar': {
    kind: '3dvar',
    covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 } },
    minimisation: { tolerance: 1e-4, maxIterations: 100 },
  },
} as const;

function scenarioOf({ n, members, steps, method }: Size): ScenarioInput {
  const initial: { kind: 'drops'; count: number; amplitude: [number, number]; width: number } = {
    kind: 'drops',
    count: 6,
    amplitude: [0.02, 0.1],
    width: n / 6,
  };
  return {
    version: 3,
    name: 'benchmark-cycle',
    seed: 1,
    grid: { nx: n, ny: n, dx: 1, dy: 1 },
    model: { scheme: 'lax-wendroff', timeStep: TIME_STEP_SECONDS, boundary: { x: 'wall', y: 'wall' } },
    truth: { initial },
    background: { initial, members },
    observations: [
      {
        name: 'gauges',
        variable: 'h',
        network: { kind: 'regular', stride: [4, 4], offset: [2, 2] },
        errorStandardDeviation: 0.02,
      },
    ],
    methods: [METHODS[method]],
    experiment: { cycles: CYCLES, window: steps * TIME_STEP_SECONDS },
  };
}

async function open(backend: Backend, name: string, size: Size): Promise<Workload> {
  const { scenario } = validateScenario(scenarioOf(size), name);
  const experiment = await createExperiment(backend, scenario, { files: NO_FILES, listener: () => undefined });
  const [method] = experiment.methods;
  let latest: Cycle | undefined;
  return {
    kind: 'whole',
    cost: undefined,
    // One cycle after the other, as in a run; each is as much work as the one before.
    reset: () => undefined,
    async run() {
      const before = latest;
      latest = await experiment.begin();
      await before?.reported;
    },
    async result() {
      await latest?.reported;
      return backend.read(method.state);
    },
    // The experiment itself throws when a forecast goes wrong.
    verify: async () => latest?.reported,
    dispose: () => experiment.dispose(),
  };
}

/** Methods that run one state, without an ensemble. */
const OF_ONE_STATE: ReadonlySet<Size['method']> = new Set(['3dvar', 'nudging']);

/** The LETKF's has been the only one, and keeps its name. */
function nameOf({ n, members, steps, method }: Size): string {
  if (method === 'letkf') return `cycle-${n}-k${members}-s${steps}`;
  return OF_ONE_STATE.has(method) ? `cycle-${n}-${method}-s${steps}` : `cycle-${n}-${method}-k${members}-s${steps}`;
}

function cycle(size: Size): Benchmark {
  const { n, members, steps, method } = size;
  const name = nameOf(size);
  const states = OF_ONE_STATE.has(method) ? 1 : members;
  return {
    suite: 'cycle',
    name,
    table: `whole cycles, ${steps} steps`,
    parameters: { n, method, members: states },
    published: [],
    cellWork: { series: name.replace(`cycle-${n}`, 'cycle'), cells: n * n * states },
    open: (backend) => open(backend, name, size),
  };
}

const usual: readonly Benchmark[] = [
  cycle({ n: 256, members: 32, steps: 20, method: 'letkf' }),
  cycle({ n: 64, members: 2, steps: 20, method: '3dvar' }),
  cycle({ n: 64, members: 32, steps: 20, method: 'enkf' }),
];
const usualNames = new Set(usual.map(({ name }) => name));

/** Observations grow with the cells: the EnKF, whose gain is that of all of them, stays small. */
const LARGEST: Readonly<Record<Size['method'], number>> = {
  'free-run': 512,
  '3dvar': 512,
  letkf: 512,
  enkf: 128,
  nudging: 512,
};

export const cycleBenchmarks: Sizes = {
  usual,
  papers: (Object.keys(METHODS) as Size['method'][])
    .flatMap((method) =>
      [64, 128, 256, 512]
        .filter((n) => n <= LARGEST[method])
        .map((n) => cycle({ n, members: OF_ONE_STATE.has(method) ? 2 : 32, steps: 20, method })),
    )
    .filter(({ name }) => !usualNames.has(name)),
  quick: [
    cycle({ n: 24, members: 6, steps: 5, method: 'letkf' }),
    cycle({ n: 24, members: 2, steps: 5, method: '3dvar' }),
    cycle({ n: 24, members: 6, steps: 5, method: 'enkf' }),
    cycle({ n: 24, members: 6, steps: 5, method: 'free-run' }),
    cycle({ n: 24, members: 2, steps: 5, method: 'nudging' }),
  ],
};
