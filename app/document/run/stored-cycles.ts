/** What the timeline says of the stored cycles, and how it draws them. */
import type { TimelineScale } from './timeline-scale.ts';

/**
 * @param cycles stored, ascending; −1 is the state before the first cycle and none itself
 * @returns `12 cycles`, or `5 of 12 cycles` where some of those that were run are not stored
 */
export function storedText(cycles: readonly number[]): string {
  const run = (cycles.at(-1) ?? -1) + 1;
  const stored = cycles.filter((cycle) => cycle >= 0).length;
  const what = run === 1 ? 'cycle' : 'cycles';
  return stored < run ? `${stored} of ${run} ${what}` : `${run} ${what}`;
}

/** What is known of cycles that lie in a file. */
export interface Recording {
  readonly file: string;
  /** Every so many cycles the run kept one. */
  readonly every: number;
}

/** @returns `2nd`, `11th` */
function ordinal(number: number): string {
  const teens = number % 100 > 10 && number % 100 < 14;
  const ending = teens ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[number % 10];
  return `${number}${ending ?? 'th'}`;
}

/** @returns why cycles of an opened run are passed over; undefined where it kept all */
export function skippedText({ file, every }: Recording): string | undefined {
  if (every === 1) return undefined;
  return `The run kept every ${ordinal(every)} cycle in ${file}; playing and steps pass over the others`;
}

/** The room in which the line of stored cycles is drawn: across, and down. */
export const LINE_BOX = { width: 1000, height: 4 } as const;

/** @returns an SVG path: a bar for each row of cycles that follow each other, as wide as they are and no narrower than can be seen */
export function barsOf(cycles: readonly number[], scale: TimelineScale): string {
  const { width, height } = LINE_BOX;
  const half = width / (scale.last - scale.first) / 2;
  const bars: string[] = [];
  let from = cycles[0];
  cycles.forEach((cycle, index) => {
    if (cycles[index + 1] === cycle + 1) return;
    const inset = Math.min(half, 2);
    const left = width * scale.place(from) - inset;
    const right = width * scale.place(cycle) + inset;
    bars.push(`M${left.toFixed(2)} 0H${right.toFixed(2)}V${height}H${left.toFixed(2)}z`);
    from = cycles[index + 1];
  });
  return bars.join('');
}
