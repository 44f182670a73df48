/** How a forecast is divided into steps, and its steps into the segments between frames. */
import { LimitError } from '../errors.ts';

/** Steps of one forecast at most; counted in ticks of "auto" they fit into 32 bits. */
export const MOST_STEPS = 50_000_000;

/** A window that is a whole number of steps to this relative error is taken as one. */
const WHOLE = 1e-9;

export interface Division {
  readonly steps: number;
  /** Seconds. */
  readonly timeStep: number;
}

/** Whole steps that fill `seconds`, none longer than `longest`. @throws LimitError when there are more than MOST_STEPS */
export function divide(seconds: number, longest: number): Division {
  const whole = Math.round(seconds / longest);
  const fits = whole > 0 && Math.abs(whole * longest - seconds) <= WHOLE * seconds;
  const steps = fits ? whole : Math.ceil(seconds / longest);
  if (!(steps <= MOST_STEPS)) {
    throw new LimitError(
      `a forecast of ${seconds} s in steps of ${Number(longest.toPrecision(3))} s takes ${steps.toPrecision(3)} steps; at most ` +
        `${MOST_STEPS} are taken between two analyses: shorten the window or the spin-up, or take longer steps or larger cells`,
    );
  }
  return { steps, timeStep: fits ? longest : seconds / steps };
}

/** Equal steps of "auto" in which a wave of `rate` (1/s) crosses no more than `courant` cells. @throws LimitError as `divide` */
export function divideAuto(seconds: number, rate: number, courant: number): Division {
  if (!(rate > 0 && rate < Infinity)) return { steps: 1, timeStep: seconds };
  const { steps } = divide(seconds, courant / rate);
  return { steps, timeStep: seconds / steps };
}

/** A frame that is due: which onlooker's, and its index among that onlooker's frames. */
interface DueFrame {
  readonly onlooker: number;
  readonly index: number;
}

/** Steps of a forecast up to the next frames, the share of the forecast that has passed after them, and whose frames they are. */
export interface Segment {
  readonly steps: number;
  readonly share: number;
  readonly due: readonly DueFrame[];
}

/** `steps` cut for each onlooker at up to so many boundaries, evenly chosen; the last segment ends with the forecast. */
export function frameSegments(steps: number, counts: readonly number[] = []): Segment[] {
  const due = new Map<number, DueFrame[]>([[steps, []]]);
  counts.forEach((frames, onlooker) => {
    let index = 0;
    let last = 0;
    for (let frame = 1; frame <= frames; frame++) {
      const end = Math.round((frame * steps) / (frames + 1));
      if (end <= last || end >= steps) continue;
      due.set(end, [...(due.get(end) ?? []), { onlooker, index }]);
      index += 1;
      last = end;
    }
  });
  const cuts = [...due].sort(([a], [b]) => a - b);
  return cuts.map(([end, frames], i) => ({
    steps: end - (i > 0 ? cuts[i - 1][0] : 0),
    share: end / steps,
    due: frames,
  }));
}
