/** What an X-ray is of: a point, or an observation; and where in the model's state that is. */
import type { BasinInfo, SnapshotObservations, XraySubject } from '../../../engine/index.ts';
import { edgeIndex } from '../../document/views/field-values.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { formatMeasured, formatQuantity } from '../../format/numbers.ts';
import type { CycleAnswers } from './answers.ts';

export type { XraySubject } from '../../../engine/index.ts';

/** What the views show of a subject: what links it with the rest, or what the observation alone changes. */
const MEASURES = ['correlation', 'covariance', 'increment'] as const;
export type Measure = (typeof MEASURES)[number];

/** Where a subject is. */
export interface SubjectPlace {
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

/** @returns whether two subjects are one, and an observation of them is taken to have read the same */
export function sameReading(a: XraySubject | undefined, b: XraySubject | undefined): boolean {
  if (!sameSubject(a, b)) return false;
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
