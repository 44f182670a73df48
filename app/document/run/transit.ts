/**
 * The water on its way from one cycle to the next while the run plays: over the forecast window, and then, at its end, from
 * forecast to analysis. Where motion is to be reduced, or nothing is known of the way, there is a cut.
 */
import type { Motion, Snapshot } from '../../../engine/index.ts';

export interface Transit {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly motion: Motion;
  /** When it began, ms of `performance.now()`. */
  readonly begun: number;
  /** Duration of the whole way, and of its end in which the analysis is shown, ms. */
  readonly duration: number;
  readonly analysis: number;
  /** Whether the increment lights up. */
  readonly flashes: boolean;
}

/** The analysis takes this long on the screen, ms, and at higher speeds this share of the way. */
const ANALYSIS_MILLISECONDS = 700;
const ANALYSIS_SHARE = 0.35;
/** No more than three flashes a second may be shown to anybody (WCAG 2.3.1): from here on, ms a cycle, none are. */
const LEAST_FLASHING = 400;

/**
 * @param duration of the way, ms
 * @param now ms of `performance.now()`
 * @returns the way between two stored cycles; undefined where one does not follow on the other, or its motion is not kept
 */
export function transitBetween(
  from: Snapshot | undefined,
  to: Snapshot | undefined,
  motion: Motion | undefined,
  duration: number,
  now: number,
): Transit | undefined {
  if (!from || !to || !motion || to.cycle !== from.cycle + 1 || motion.cycle !== to.cycle) return undefined;
  return {
    from,
    to,
    motion,
    begun: now,
    duration,
    analysis: Math.min(ANALYSIS_MILLISECONDS, ANALYSIS_SHARE * duration),
    flashes: duration >= LEAST_FLASHING,
  };
}
