/** What the methods of a run answer about a subject in one cycle, asked in one go: all belongs together. */
import { NotKeptError, QuestionError } from '../../../engine/index.ts';
import type { AskedObservation, DegreesOfFreedom, Explanation, MethodQuestion } from '../../../engine/index.ts';
import type { SubjectPlace, XraySubject } from './subject.ts';

/** Work on what is asked for, one at a time: while one is done the newest waits, and those in between are dropped. */

interface Latest<Job> {
  ask(job: Job): void;
  /** Drops what waits; what is done is done for nobody. */
  clear(): void;
}

/** @param work must not reject; `isStale` says that another job waits, or that nobody does */
export function createLatest<Job>(work: (job: Job, isStale: () => boolean) => Promise<void>): Latest<Job> {
  let waiting: { readonly job: Job } | undefined;
  let isBusy = false;
  let generation = 0;

  async function go(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (waiting) {
      const { job } = waiting;
      const own = generation;
      waiting = undefined;
      await work(job, () => waiting !== undefined || own !== generation);
    }
    isBusy = false;
  }

  return {
    ask(job) {
      waiting = { job };
      void go();
    },
    clear() {
      waiting = undefined;
      generation += 1;
    },
  };
}

/** Answers of one method; undefined if not asked, or without an answer. */
export interface MethodAnswers {
  readonly column?: Explanation<'covariance-column'> | undefined;
  readonly alone?: Explanation<'single-observation'> | undefined;
  readonly observation?: Explanation<'observation'> | undefined;
  readonly weights?: Explanation<'weights'> | undefined;
  readonly influence?: Explanation<'influence'> | undefined;
  readonly freedom?: DegreesOfFreedom | undefined;
  /** Why it has no answers. */
  readonly refusal?: string | undefined;
}

export interface CycleAnswers {
  readonly cycle: number;
  readonly subject: XraySubject;
  readonly place: SubjectPlace;
  /** By method label, in the order of the run. */
  readonly byMethod: ReadonlyMap<string, MethodAnswers>;
}

/** Asks one method about the cycle. */
export type AskMethod = <const Asked extends MethodQuestion>(
  method: string,
  question: Asked,
) => Promise<Explanation<Asked['kind']> | undefined>;

/** The parts of an answer, in the order in which they are asked: those that the views show come first. */
export const PARTS = ['column', 'alone', 'observation', 'weights', 'influence'] as const;
export type Part = (typeof PARTS)[number] | 'freedom';

/** What follows from what the observation is taken to have read. */
export const WHAT_IF = ['alone', 'observation'] as const satisfies readonly Part[];

function observationOf(subject: XraySubject): AskedObservation | undefined {
  if (subject.kind === 'point') return undefined;
  const { index, value, errorStd } = subject;
  return { index, value, errorStd };
}

/** @returns the answer of a method to one part of what is asked; undefined where it has none */
function askPart(
  ask: AskMethod,
  method: string,
  part: Part,
  subject: XraySubject,
  { cell, variable }: SubjectPlace,
): Promise<MethodAnswers[Part]> {
  const observation = observationOf(subject);
  switch (part) {
    case 'column':
      return ask(method, { kind: 'covariance-column', variable, cell });
    case 'weights':
      return ask(method, { kind: 'weights', cell });
    case 'influence':
      return ask(method, { kind: 'influence', variable, cell });
    case 'alone':
      return observation ? ask(method, { kind: 'single-observation', observation }) : Promise.resolve(undefined);
    case 'observation':
      return observation ? ask(method, { kind: 'observation', observation }) : Promise.resolve(undefined);
    case 'freedom':
      return ask(method, { kind: 'degrees-of-freedom' });
    default:
      return part satisfies never;
  }
}

/** What came of a question, as something that can be kept. */
async function outcome(answer: Promise<MethodAnswers[Part]>, part: Part): Promise<MethodAnswers> {
  try {
    return { [part]: await answer };
  } catch (error) {
    // What was not kept can be computed again; what cannot be asked is reported.
    if (error instanceof NotKeptError || !(error instanceof QuestionError)) throw error;
    return { refusal: error.message };
  }
}

/**
 * Asks all methods at once, so that nothing of the run comes between their answers.
 *
 * @param known answers that are to be beside the new ones
 * @param onPart called with the answers so far, part by part
 * @returns all of them. Rejects with NotKeptError where the cycle has to be computed again, and with what ended the run
 */
export async function askAbout(
  ask: AskMethod,
  methods: readonly string[],
  parts: readonly Part[],
  { cycle, subject, place, byMethod: known }: CycleAnswers,
  onPart: (answers: CycleAnswers) => void = () => undefined,
): Promise<CycleAnswers> {
  const asked = parts.map((part) =>
    Promise.all(
      methods.map(async (method) => {
        const answer = await outcome(askPart(ask, method, part, subject, place), part);
        return [method, answer] as const;
      }),
    ),
  );
  // A failure is handled below, whichever it is.
  for (const each of asked) each.catch(() => undefined);
  let answers: CycleAnswers = { cycle, subject, place, byMethod: known };
  for (const part of asked) {
    const found = new Map(await part);
    const joined = methods.map(
      (method) => [method, { ...answers.byMethod.get(method), ...found.get(method) }] as const,
    );
    answers = { cycle, subject, place, byMethod: new Map(joined) };
    onPart(answers);
  }
  return answers;
}
