/** Who looks at the states of an experiment while it runs. */
import type { Method } from '../methods/index.ts';

/**
 * Looks at the states at the moments when they are queued as forecasts and analyses; what it does is queued there. The run waits
 * for what it returns. Whether a method has diverged on the way may be known only later.
 */
export interface ExperimentObserver {
  /** `method.state` is the forecast of the cycle. */
  forecast?(method: Method, cycle: number): void | Promise<void>;
  /** `method.state` is the analysis of the cycle; without observations the forecast. */
  analysis?(method: Method, cycle: number): void | Promise<void>;
  /** Looks inside of each forecast window; changes nothing of the run. */
  readonly window?: WindowObserver | undefined;
}

/** Looks at states on their way through a forecast window. */
export interface WindowObserver {
  /** Moments of a window, at most. */
  readonly count: number;
  /** `who` is undefined for the truth; `share` of the window has passed. */
  take(who: Method | undefined, index: number, share: number): void | Promise<void>;
}
