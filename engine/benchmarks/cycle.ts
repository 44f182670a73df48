/** A whole cycle of a twin experiment, and answers to questions about it. */
import type { Backend } from '../compute/backend.ts';
import { createExperiment, type Cycle } from '../experiment/index.ts';
import { NO_FILES, validateScenario, type ScenarioInput } from '../scenario/index.ts';
import type { Benchmark, Workload, Sizes } from './benchmark.ts';
import type { ExplanationKind, MethodQuestion } from '../methods/index.ts';

/** Short enough that what grows in this scheme does not show in any number of cycles that is timed. */
const TIME_STEP_SECONDS = 0.02;
/** More than anybody will time. */
export const CYCLES = 100_000;

/** The twin experiment whose cycles and answers are timed: drops in a basin with walls, with gauges on a lattice. */
interface TwinExperiment {
  /** Cells a side. */
  readonly n: number;
  readonly members: number;
  /** Steps of the model in a cycle. */
  readonly steps: number;
  readonly method: keyof typeof TWIN_METHODS;
  /** Cells between gauges, along both axes; even. */
  readonly stride: number;
}

const TWIN_METHODS = {
  'free-run': { kind: 'free-run' },
  letkf: { kind: 'letkf', localisation: { halfWidth: 3 }, inflation: 1.05 },
  nudging: { kind: 'nudging', localisation: { halfWidth: 3 } },
  enkf: { kind: 'enkf', localisation: { halfWidth: 3 }, inflation: 1.05 },
  '3dvar': {
    kind: '3dvar',
    covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 } },
    minimisation: { tolerance: 1e-4, maxIterations: 100 },
  },
  // Always twenty iterations. The deviations suit the errors, so that a run is stable over any number of cycles.
  '4dvar': {
    kind: '4dvar',
    covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.015, hu: 0.03, hv: 0.03 } },
    minimisation: { tolerance: 1e-12, maxIterations: 20 },
  },
} as const;

function twinScenario({ n, members, steps, method, stride }: TwinExperiment): ScenarioInput {
  const initial: { kind: 'drops'; count: number; amplitude: [number, number]; width: number } = {
    kind: 'drops',
    count: 6,
    amplitude: [0.02, 0.1],
    width: n / 6,
  };
  return {
    version: 3,
    name: 'benchmark',
    seed: 1,
    grid: { nx: n, ny: n, dx: 1, dy: 1 },
    model: { scheme: 'lax-wendroff', timeStep: TIME_STEP_SECONDS, boundary: { x: 'wall', y: 'wall' } },
    truth: { initial },
    background: { initial, members },
    observations: [
      {
        name: 'gauges',
        variable: 'h',
        network: { kind: 'regular', stride: [stride, stride], offset: [stride / 2, stride / 2] },
        errorStandardDeviation: 0.02,
      },
    ],
    methods: [TWIN_METHODS[method]],
    experiment: { cycles: CYCLES, window: steps * TIME_STEP_SECONDS },
  };
}

type Size = Omit<TwinExperiment, 'stride'>;

const STRIDE = 4;

/** Whole cycles of an experiment, one a run; the result is the state of its last method. */
export async function openCycles(backend: Backend, name: string, input: ScenarioInput): Promise<Workload> {
  const { scenario } = validateScenario(input, name);
  const experiment = await createExperiment(backend, scenario, { files: NO_FILES, listener: () => undefined });
  const method = experiment.methods[experiment.methods.length - 1];
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
const OF_ONE_STATE: ReadonlySet<Size['method']> = new Set(['3dvar', '4dvar', 'nudging']);

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
    open: (backend) => openCycles(backend, name, twinScenario({ ...size, stride: STRIDE })),
  };
}

const usual: readonly Benchmark[] = [
  cycle({ n: 256, members: 32, steps: 20, method: 'letkf' }),
  cycle({ n: 64, members: 2, steps: 20, method: '3dvar' }),
  cycle({ n: 64, members: 2, steps: 10, method: '4dvar' }),
  cycle({ n: 64, members: 32, steps: 20, method: 'enkf' }),
];
const usualNames = new Set(usual.map(({ name }) => name));

/** Observations grow with the cells: the EnKF, whose gain is that of all of them, stays small. */
const LARGEST: Readonly<Record<Size['method'], number>> = {
  'free-run': 512,
  '3dvar': 512,
  // Its one row is beside the papers’ other methods.
  '4dvar': 0,
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
    cycle({ n: 24, members: 2, steps: 5, method: '4dvar' }),
    cycle({ n: 24, members: 6, steps: 5, method: 'enkf' }),
    cycle({ n: 24, members: 6, steps: 5, method: 'free-run' }),
    cycle({ n: 24, members: 2, steps: 5, method: 'nudging' }),
  ],
};

/** Kinds that are answered while a pointer moves. */
type Asked = Extract<
  ExplanationKind,
  'covariance-column' | 'single-observation' | 'observation' | 'weights' | 'influence'
>;

interface AnswerSize extends Pick<TwinExperiment, 'n' | 'members' | 'stride'> {
  readonly method: '3dvar' | 'letkf' | 'enkf';
  readonly question: Asked;
}

const STEPS = 5;

/** A question about the cell in the middle, or about an observation near it. */
function questionOf({ n, stride, question }: AnswerSize): MethodQuestion {
  const cell = { x: n / 2, y: n / 2 };
  const across = Math.floor(n / stride);
  const observation = { index: Math.floor(across / 2) * (across + 1) };
  switch (question) {
    case 'covariance-column':
    case 'influence':
      return { kind: question, variable: 'h', cell };
    case 'weights':
      return { kind: question, cell };
    case 'single-observation':
    case 'observation':
      return { kind: question, observation };
    default:
      return question satisfies never;
  }
}

/** The numbers that an answer is judged by: of a field, the plane of the first variable. */
function numbersOf(answer: object, cells: number): Float64Array {
  const { values, increment, alone, weights, contributions } = answer as Readonly<Record<string, unknown>>;
  const numbers = values ?? contributions ?? weights ?? increment ?? [(alone as { mean: number }).mean];
  return Float64Array.from(numbers as ArrayLike<number>).subarray(0, cells);
}

async function openAnswer(backend: Backend, name: string, size: AnswerSize): Promise<Workload> {
  const { scenario } = validateScenario(twinScenario({ ...size, steps: STEPS }), name);
  const experiment = await createExperiment(backend, scenario, { files: NO_FILES, listener: () => undefined });
  experiment.keepForecasts(true);
  await experiment.step();
  const [{ label }] = experiment.methods;
  const question = questionOf(size);
  const ask = async (): Promise<Float64Array> => {
    const answer = await experiment.explain(label, question);
    if (answer === undefined) throw new Error(`${label} has no answer to ${question.kind}`);
    return numbersOf(answer, size.n ** 2);
  };
  // What is made for the first question stays for the next.
  let latest = await ask();
  return {
    kind: 'whole',
    cost: undefined,
    reset: () => undefined,
    async run() {
      latest = await ask();
    },
    result: async () => latest,
    verify: async () => undefined,
    dispose: () => experiment.dispose(),
  };
}

function answer(size: AnswerSize): Benchmark {
  const { n, members, method, question } = size;
  const carried = method === '3dvar' ? 1 : members;
  const name = `answer-${n}-${method}${carried > 1 ? `-k${members}` : ''}-${question}`;
  return {
    suite: 'answer',
    name,
    table: `answers about one analysis, a gauge every ${size.stride} cells`,
    parameters: { n, method, members: carried },
    published: [],
    open: (backend) => openAnswer(backend, name, size),
  };
}

const QUESTIONS: Readonly<Record<AnswerSize['method'], readonly Asked[]>> = {
  '3dvar': ['covariance-column', 'single-observation', 'observation', 'influence'],
  letkf: ['covariance-column', 'single-observation', 'observation', 'weights', 'influence'],
  enkf: ['covariance-column', 'single-observation', 'observation', 'influence'],
};

function answers(size: Omit<AnswerSize, 'method' | 'question'>): readonly Benchmark[] {
  return (Object.keys(QUESTIONS) as AnswerSize['method'][]).flatMap((method) =>
    QUESTIONS[method].map((question) => answer({ ...size, method, question })),
  );
}

/**
 * Answers to questions about an analysis, one at a time, as X-ray asks them: what a click has to wait for. Some of them include
 * an analysis of one observation by a method of its own.
 */
export const answerBenchmarks: Sizes = {
  usual: answers({ n: 256, members: 32, stride: 8 }),
  papers: [],
  quick: answers({ n: 16, members: 6, stride: 4 }),
};
