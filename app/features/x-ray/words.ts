/** The words of an X-ray: its subject, and the state of its answers. */
import { formatMeasured, formatQuantity } from '../../format/numbers.ts';
import type { CycleAnswers } from './answers.ts';
import type { XraySubject } from './subject.ts';

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
export interface XrayStanding {
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
