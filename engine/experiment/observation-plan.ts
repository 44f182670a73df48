/** What is observed in the window of a cycle, before the truth is looked at. */
import type { Positions } from '../networks/index.ts';
import type { Segment } from '../operators/standard-normal/index.ts';
import type { ErrorBlock } from '../methods/index.ts';
import type { ObservedVariable, ObservationNetwork, Scenario, PaintedGauge } from '../scenario/index.ts';
import { momentsOf } from '../scenario/index.ts';
import { streamWords } from '../random/stream.ts';

/** A look of a network at the truth: when, and how many more it takes in the window after it. */
export interface Look {
  readonly share: number;
  /** As in `Layout.moment`. */
  readonly moment: number;
  readonly before: number;
}

function isMoment({ timing }: ObservationNetwork, share: number, { share: other, isInTime }: Moment): boolean {
  return share === other && (timing?.firstGuess !== 'at-analysis') === isInTime;
}

/** The moments inside a window of all networks, each once, by share. */
export function innerMoments(networks: Scenario['observations']): readonly Moment[] {
  const found: Moment[] = [];
  for (const network of networks) {
    const isInTime = network.timing?.firstGuess !== 'at-analysis';
    for (const share of momentsOf(network)) {
      if (share < 1 && !found.some((moment) => isMoment(network, share, moment))) found.push({ share, isInTime });
    }
  }
  return found.toSorted((a, b) => a.share - b.share || Number(a.isInTime) - Number(b.isInTime));
}

/** @returns when a network looks in a window, rising. @param moments of all networks inside it */
export function looksOf(network: ObservationNetwork, moments: readonly Moment[]): readonly Look[] {
  const shares = momentsOf(network);
  return shares.map((share, i) => ({
    share,
    moment: share === 1 ? 0 : 1 + moments.findIndex((moment) => isMoment(network, share, moment)),
    before: shares.length - 1 - i,
  }));
}

/** Where and what an analysis observes. */
export interface Layout extends Positions {
  readonly count: number;
  readonly variable: readonly ObservedVariable[];
  /** Index of the network in the scenario; of gauges that were painted, one more than the last of them. */
  readonly network: Uint16Array;
  /** Share of the window that has passed when it is observed: 1 at its end, where the analysis is. */
  readonly share: Float64Array;
  /** Index of that in the window's moments, from 1 on; 0 at its end. */
  readonly moment: Uint32Array;
}

/**
 * The observations of one analysis before the truth is looked at; all arrays have `count` elements. If nothing has moved
 * since the plan before, the layout's arrays are the same objects as there, and if nothing else has changed, all others too:
 * nobody may write to them.
 */
export interface ObservationPlan extends Layout {
  /** σₒ as methods take it, with what the network assumes, or 0 for an observation that is missing. */
  readonly assumedErrorStd: Float64Array;
  /** 1/σₒ of the same, or 0 for an observation that is missing. */
  readonly inverseErrorStd: Float64Array;
  /** Standard deviation of the error that is added to the observed truth: times a standard normal number. */
  readonly errorStd: Float64Array;
  /** The streams of these numbers. */
  readonly errors: readonly Segment[];
  /** What is added to that where errors are correlated, in the unit of the variable; 0 where they do not. */
  readonly correlatedError: Float64Array;
  /** Observations whose errors are correlated, by their place in the plan. */
  readonly correlated: readonly ErrorBlock[];
  /** The value where a file gives it, otherwise NaN: then the truth is observed. */
  readonly given: Float64Array;
  /** Standard deviations beyond which an innovation is rejected; 0 keeps all. */
  readonly threshold: Float64Array;
}

/** What plans need room for. */
export interface ObservationRoom {
  /** The largest count of any analysis. */
  readonly observations: number;
  /** The largest number of streams that errors are drawn from. */
  readonly segments: number;
  /** Moments inside a window, by share: 1, 2, … of plans. */
  readonly moments: readonly Moment[];
  /** Whether errors are correlated. */
  readonly isCorrelated: boolean;
}

/** A time inside the window at which is observed. */
export interface Moment {
  /** Share of the window that has passed. */
  readonly share: number;
  /** Whether the methods are compared as they are then, or at the end of the window. */
  readonly isInTime: boolean;
}

/** What a plan has for each observation beside the layout, to be written from a position on. */
export type PlanNumbers = Omit<ObservationPlan, 'errors' | 'correlated' | keyof Layout>;

/** What the errors of a plan are drawn from, to be appended to. */
export interface PlanErrors {
  readonly errors: Segment[];
  readonly correlated: ErrorBlock[];
}

/** What observes at an analysis, and where. */
export interface Observer {
  /** As in `Layout.network`. */
  readonly index: number;
  /** Share of the window that has passed when it does. */
  readonly share: number;
  /** As in `Layout.moment`. */
  readonly moment: number;
  /** The same object where it observes the same places again. */
  readonly positions: Positions & { readonly given?: Float64Array };
  /** At all places, or at each. */
  readonly variable: ObservedVariable | readonly ObservedVariable[];
  /** The same object as before if `complete` would write the same numbers as before; undefined if it may not. */
  readonly steady: object | undefined;
  /** Writes the numbers beside the layout. @param start the first position */
  complete(numbers: PlanNumbers, start: number, cycle: number): void;
  /** Appends where the errors come from. @param start the first position */
  draw(into: PlanErrors, start: number, cycle: number): void;
}

/** @returns 1/σₒ; 0 for an observation that is missing, whose σₒ is 0 */
export function inverseOf(errorStd: number): number {
  return errorStd > 0 ? 1 / errorStd : 0;
}

/**
 * The gauges that were painted, as one network that observes at the end of every cycle. Each has a stream of its own, named for what
 * it observes and where, so that its errors are the same whichever gauges are beside it and whenever it was painted.
 *
 * @param index of the network
 */
export function createPaintedNetwork(gauges: readonly PaintedGauge[], index: number, seed: number): Observer {
  const streamNames = gauges.map(({ variable, x, y }) => `gauges.${variable}.${x},${y}.error`);
  return {
    index,
    share: 1,
    moment: 0,
    positions: { x: Float64Array.from(gauges, ({ x }) => x), y: Float64Array.from(gauges, ({ y }) => y) },
    variable: gauges.map(({ variable }) => variable),
    steady: gauges,
    complete(numbers, start) {
      gauges.forEach(({ errorStandardDeviation }, gauge) => {
        numbers.assumedErrorStd[start + gauge] = errorStandardDeviation;
        numbers.inverseErrorStd[start + gauge] = inverseOf(errorStandardDeviation);
        numbers.errorStd[start + gauge] = errorStandardDeviation;
      });
    },
    draw({ errors }, start, cycle) {
      streamNames.forEach((name, gauge) => {
        errors.push({ words: streamWords(seed, name, cycle), first: start + gauge });
      });
    },
  };
}
