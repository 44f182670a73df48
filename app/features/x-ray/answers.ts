/**
 * What an X-ray is of, a point or an observation; what the methods of a run answer about it in one cycle; and the words for both.
 */
import { AT_END, NotKeptError, QuestionError } from '../../../engine/index.ts';
import type {
  AskedObservation,
  DegreesOfFreedom,
  Explanation,
  MethodQuestion,
  BasinInfo,
  SnapshotObservations,
  XraySubject,
} from '../../../engine/index.ts';
import { edgeIndex } from '../../document/views/field-values.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { formatMeasured, formatQuantity } from '../../format/numbers.ts';

/** What an X-ray is of: a point, or an observation; and where in the model's state that is. */
export type { XraySubject } from '../../../engine/index.ts';

/** What the views show of a subject: what links it with the rest, or what the observation alone changes. */
const MEASURES = ['correlation', 'covariance', 'increment'] as const;
export type Measure = (typeof MEASURES)[number];

/** Where a subject is. */
interface SubjectPlace {
  /** In grid units. */
  readonly at: GridPoint;
  /** The cell of the state that it is in, or nearest to. */
  readonly cell: GridPoint;
  /** Variable of the model's state: what is observed, or what it is made of. */
  readonly variable: string;
}

/** @returns the state's variable that an observed one is, or is of first of all */
function stateVariableOf(observed: string, variables: readonly string[]): string {
  const made: Readonly<Record<string, string>> = { eta: 'h', u: 'hu', v: 'hv', speed: 'hu' };
  const component = /^state(\d+)$/.exec(observed)?.[1];
  const found = component === undefined ? (made[observed] ?? observed) : variables[Number(component)];
  return variables.find((name) => name === found) ?? variables[0];
}

/** @returns whether two subjects are one, whatever the observation is taken to have read */
export function sameSubject(a: XraySubject | undefined, b: XraySubject | undefined): boolean {
  if (a?.kind === 'point' && b?.kind === 'point') return a.x === b.x && a.y === b.y && a.variable === b.variable;
  return a?.kind === 'observation' && b?.kind === 'observation' && a.index === b.index;
}

/** When in the window the field and the point are, as shares of it; both at its end if omitted. */
type XrayTimes = (XraySubject & { readonly kind: 'point' })['times'];

function sameTimes(a: XrayTimes, b: XrayTimes): boolean {
  const [one, other] = [a ?? AT_END, b ?? AT_END];
  return one.field === other.field && one.cell === other.cell;
}

/** @returns whether two subjects are one, at the same times, and an observation of them is taken to have read the same */
export function sameReading(a: XraySubject | undefined, b: XraySubject | undefined): boolean {
  if (!sameSubject(a, b)) return false;
  if (a?.kind === 'point' && b?.kind === 'point') return sameTimes(a.times, b.times);
  if (a?.kind !== 'observation' || b?.kind !== 'observation') return true;
  return a.value === b.value && a.errorStd === b.errorStd;
}

/** @returns where the subject is in a cycle; undefined for an observation that the cycle does not have */
export function placeOf(
  subject: XraySubject,
  { nx, ny, periodicX, periodicY }: Pick<BasinInfo, 'nx' | 'ny' | 'periodicX' | 'periodicY'>,
  observations: Pick<SnapshotObservations, 'x' | 'y' | 'variable'>,
  variables: readonly string[],
): SubjectPlace | undefined {
  if (subject.kind === 'point') {
    const at = { x: subject.x, y: subject.y };
    return { at, cell: at, variable: subject.variable };
  }
  const { index } = subject;
  if (index >= observations.x.length) return undefined;
  const at = { x: observations.x[index], y: observations.y[index] };
  const cell = { x: edgeIndex(Math.round(at.x), nx, periodicX), y: edgeIndex(Math.round(at.y), ny, periodicY) };
  return { at, cell, variable: stateVariableOf(observations.variable[index], variables) };
}

/**
 * @param unit of what is observed, where it is known
 * @returns what it is of: `point [12, 8]`, on a ring `place 12`; `observation 5, assumed to read 0.12 m`
 */
export function subjectWords(subject: XraySubject, isRing = false, unit = ''): string {
  if (subject.kind === 'point') return isRing ? `place ${subject.x}` : `point [${subject.x}, ${subject.y}]`;
  const { index, value } = subject;
  return `observation ${index}${value === undefined ? '' : `, assumed to read ${formatQuantity(value, unit)}`}`;
}

/** The state of an X-ray. */
interface XrayStanding {
  /** On screen; −1 before the first. */
  readonly cycle: number;
  readonly answers: Pick<CycleAnswers, 'cycle'> | undefined;
  readonly busy: 'asking' | 'again' | undefined;
  readonly failure: string | undefined;
}

/** @returns which cycle is shown, what is waited for, or why there is nothing */
export function standingWords({ cycle, answers, busy, failure }: XrayStanding): string {
  if (failure !== undefined) return answers ? `${failure} Shown is cycle ${answers.cycle}.` : failure;
  if (cycle < 0) return 'An X-ray is of an analysis: step to the first cycle.';
  if (busy === 'again') return `Cycle ${cycle} is computed again, to be asked.`;
  if (answers?.cycle === cycle) return `cycle ${cycle}`;
  if (!answers) return 'The methods are asked.';
  return `of cycle ${answers.cycle}; pause, and the cycle on screen is asked.`;
}

/** A mean with its error in two digits, `0.972 ± 0.0070`; powers of ten where those would be long. */
export function meanText({
  mean,
  deviation,
}: {
  readonly mean: number;
  readonly deviation: number | undefined;
}): string {
  if (deviation === undefined || !(deviation > 0)) return formatMeasured(mean);
  const decimals = 1 - Math.floor(Math.log10(deviation));
  if (decimals < 0 || decimals > 6) return `${formatMeasured(mean)} ± ${formatMeasured(deviation)}`;
  return `${mean.toFixed(decimals).replace('-', '−')} ± ${deviation.toFixed(decimals)}`;
}

/** @returns the sentence, in which no line ends between a number and its error or its unit */
export function keptTogether(sentence: string): string {
  return sentence.replaceAll(/(?<=\d) (?=[±%σm])|(?<=±) /g, '\u00a0');
}

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
  /** Why it has no answer to a part. */
  readonly refusals?: Readonly<Partial<Record<Part, string | undefined>>>;
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

/** What follows from what an observation is taken to have read, or from when in the window a point is asked about. */
export const WHAT_IF: Readonly<Record<XraySubject['kind'], readonly Part[]>> = {
  observation: ['alone', 'observation'],
  point: ['column'],
};

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
      return ask(method, {
        kind: 'covariance-column',
        variable,
        cell,
        ...(subject.kind === 'point' && subject.times && { times: subject.times }),
      });
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
    return { [part]: await answer, refusals: { [part]: undefined } };
  } catch (error) {
    // What was not kept can be computed again; what cannot be asked is reported.
    if (error instanceof NotKeptError || !(error instanceof QuestionError)) throw error;
    return { [part]: undefined, refusals: { [part]: error.message } };
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
    const joined = methods.map((method) => {
      const [before, now] = [answers.byMethod.get(method), found.get(method)];
      return [method, { ...before, ...now, refusals: { ...before?.refusals, ...now?.refusals } }] as const;
    });
    answers = { cycle, subject, place, byMethod: new Map(joined) };
    onPart(answers);
  }
  return answers;
}
