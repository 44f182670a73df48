/**
 * Answers to questions about an analysis, one at a time, as X-ray asks them: what a click has to wait for. Some of them include
 * an analysis of one observation by a method of its own.
 */
import type { Backend } from '../compute/backend.ts';
import { createExperiment } from '../experiment/index.ts';
import type { ExplanationKind, MethodQuestion } from '../methods/index.ts';
import { NO_FILES, validateScenario } from '../scenario/index.ts';
import type { Benchmark, Workload } from './benchmark.ts';
import type { Sizes } from './sizes.ts';
import { twinScenario } from './twin-experiment.ts';
import type { TwinExperiment } from './twin-experiment.ts';

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

export const answerBenchmarks: Sizes = {
  usual: answers({ n: 256, members: 32, stride: 8 }),
  papers: [],
  quick: answers({ n: 16, members: 6, stride: 4 }),
};
