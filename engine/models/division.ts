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

/** The fewest steps, from `least` up to twice as many, that end at every share of them; `least` if none do. */
function stepsThatEndAt(shares: readonly number[], least: number): number {
  const endsAt = (steps: number): boolean =>
    shares.every((share) => Math.abs(share * steps - Math.round(share * steps)) <= WHOLE * steps);
  for (let steps = least; steps <= Math.min(2 * least, MOST_STEPS); steps++) if (endsAt(steps)) return steps;
  return least;
}

/**
 * Whole steps that fill `seconds`, none longer than `longest`.
 *
 * @param shares of the seconds that steps are to end at, where that takes no more than twice as many
 * @throws LimitError when there are more than MOST_STEPS
 */
export function divide(seconds: number, longest: number, shares: readonly number[] = []): Division {
  const whole = Math.round(seconds / longest);
  const fits = whole > 0 && Math.abs(whole * longest - seconds) <= WHOLE * seconds;
  const steps = fits ? whole : Math.ceil(seconds / longest);
  if (!(steps <= MOST_STEPS)) {
    throw new LimitError(
      `a forecast of ${seconds} s in steps of ${Number(longest.toPrecision(3))} s takes ${steps.toPrecision(3)} steps; at most ` +
        `${MOST_STEPS} are taken between two analyses: shorten the window or the spin-up, or take longer steps or larger cells`,
    );
  }
  const taken = stepsThatEndAt(shares, steps);
  return { steps: taken, timeStep: fits && taken === steps ? longest : seconds / taken };
}

/** Equal steps of "auto" in which a wave of `rate` (1/s) crosses no more than `courant` cells. @throws LimitError as `divide` */
export function divideAuto(seconds: number, rate: number, courant: number, shares: readonly number[] = []): Division {
  const longest = rate > 0 && rate < Infinity ? courant / rate : seconds / (shares.length + 1);
  const { steps } = divide(seconds, longest, shares);
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

/** Step boundaries inside a forecast, up to so many of them, evenly chosen. */
function evenEnds(steps: number, frames: number): number[] {
  const ends = Array.from({ length: frames }, (_, frame) => Math.round(((frame + 1) * steps) / (frames + 1)));
  return ends.filter((end, i) => end > (i > 0 ? ends[i - 1] : 0) && end < steps);
}

/**
 * `steps` cut for each onlooker at up to so many boundaries, evenly chosen, or at those nearest to given shares of them; the last
 * segment ends with the forecast.
 */
export function frameSegments(steps: number, wanted: readonly (number | readonly number[])[] = []): Segment[] {
  const due = new Map<number, DueFrame[]>([[steps, []]]);
  wanted.forEach((frames, onlooker) => {
    const ends =
      typeof frames === 'number'
        ? evenEnds(steps, frames)
        : frames.map((share) => Math.min(steps, Math.max(1, Math.round(share * steps))));
    ends.forEach((end, index) => due.set(end, [...(due.get(end) ?? []), { onlooker, index }]));
  });
  const cuts = [...due].sort(([a], [b]) => a - b);
  return cuts.map(([end, frames], i) => ({
    steps: end - (i > 0 ? cuts[i - 1][0] : 0),
    share: end / steps,
    due: frames,
  }));
}
