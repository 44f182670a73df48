/**
 * A whole cycle of a twin experiment: the forecast of truth and members, an analysis, and the diagnostics of both. One cycle is
 * reported while the next is queued, as in a run.
 */
import type { Backend } from '../compute/backend.ts';
import { createExperiment } from '../experiment/index.ts';
import type { Cycle } from '../experiment/index.ts';
import { NO_FILES, validateScenario } from '../scenario/index.ts';
import type { Benchmark, Workload } from './benchmark.ts';
import type { Sizes } from './sizes.ts';
import { TWIN_METHODS, twinScenario } from './twin-experiment.ts';
import type { TwinExperiment } from './twin-experiment.ts';

type Size = Omit<TwinExperiment, 'stride'>;

const STRIDE = 4;

async function open(backend: Backend, name: string, size: Size): Promise<Workload> {
  const { scenario } = validateScenario(twinScenario({ ...size, stride: STRIDE }), name);
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
  papers: (Object.keys(TWIN_METHODS) as Size['method'][])
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
