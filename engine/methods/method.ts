/** What an assimilation method is to the experiment: an ensemble on a backend, and an analysis that changes it in place. */
import type { Backend, RealField, IndexField } from '../compute/backend.ts';
import type { ForecastFrames, Model } from '../models/index.ts';
import type { MinimisationReport } from '../operators/conjugate-gradient/index.ts';
import type { Coriolis } from '../operators/geostrophic-balance/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';
import type { Explain } from './explanation.ts';
import type { Departures } from './shared/departures.ts';

/** A factor on the device, [1], or one of every place that is analysed. */
export interface AdaptedFactor {
  /** Factor of the next analysis: it continues with the state. */
  readonly next: RealField;
  /** Factor of the latest analysis. */
  readonly used: RealField;
  /** Its mean over the places, [1]. */
  readonly mean: RealField;
}

/** Where a misfit is read from, after an analysis. */
export interface Misfit {
  /** [1]: dᵀS⁻¹d over the observations that are used. */
  readonly value: RealField;
  /** [1]: 0 where S could be factorised; the value means nothing otherwise. */
  readonly status: IndexField;
}

/** Correlated errors, of variance 1: the same object as long as they are correlated alike. */
export interface ErrorCorrelation {
  readonly count: number;
  /** Between the errors of two of them, 0 … count − 1: 1 of one with itself. */
  readonly between: (a: number, b: number) => number;
}

/** Observations whose errors are correlated: those of a cycle from `first` on, one for each of `errors`. */
export interface ErrorBlock {
  readonly first: number;
  readonly errors: ErrorCorrelation;
}

/** C between the errors of two observations of a cycle: 0 unless both are of one block. */
export function correlationIn(blocks: readonly ErrorBlock[], a: number, b: number): number {
  const block = blocks.find(({ first, errors }) => Math.min(a, b) >= first && Math.max(a, b) < first + errors.count);
  return block ? block.errors.between(a - block.first, b - block.first) : 0;
}

/** Where and what the observations of a cycle are. Places and variables that did not change since the cycle before are the same arrays. */
export interface ObservedPositions {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly variable: readonly string[];
  /** 0 where an observation is missing. */
  readonly inverseErrorStd: Float64Array;
  /** 0 where the state that is analysed is observed, more where it was observed on its way there; 0 for all by default. */
  readonly moment?: Uint32Array;
  /** Standard deviations beyond which an innovation is rejected, 0 keeping it; none is if omitted. */
  readonly threshold?: Float64Array | undefined;
  /** Those whose errors are correlated, by rising places; of all others the errors are independent. None if omitted. */
  readonly correlated?: readonly ErrorBlock[];
}

/** The window of a forecast, which ends with the state that is analysed. */
interface ForecastWindow {
  readonly seconds: number;
  /** The wave rate that the model's "auto" steps are made for, 1/s. */
  readonly pace: number;
  /** Shares of the window that have passed at the moments 1, 2, … of observations, as the method takes them. */
  readonly shares: readonly number[];
  /**
   * Queues the forecast of a cycle once more, the present one or one before it, for as many states as the method has members: water
   * below zero is taken away, what fell at its start falls, and what drove it drives it. With "auto" it waits for the device.
   *
   * @param frames look at the states on their way
   * @returns to be called when a `collect` has followed. @throws DivergenceError then, if a step went wrong
   */
  readonly repeat: (
    state: RealField,
    cycle: number,
    frames?: ForecastFrames,
  ) => Promise<(context: string) => Promise<void>>;
}

/** What every method of a run shares: the truth's observations among them, set again each cycle by the experiment. */
export interface MethodContext {
  readonly backend: Backend;
  readonly model: Model;
  readonly observations: ObservationOperator;
  /** Standard deviations beyond which an innovation is rejected, by observation; 0 keeps all. [capacity] */
  readonly threshold: RealField;
  /** This cycle's observations on the host, places in grid units, in the order of the fields: localisation sorts them. */
  readonly positions: () => ObservedPositions;
  /** Members of the ensemble that every ensemble method starts with. */
  readonly members: number;
  readonly seed: number;
  /** What the method's random streams are named by; its label if omitted. */
  readonly streamName?: string;
  /** Whether the departures of its analyses are measured. Default true; false for a filter inside another method. */
  readonly measuresDepartures?: boolean;
  readonly window: ForecastWindow;
  /** Gravity of the scenario's model, for balance: m/s², and rotation. */
  readonly gravity: number;
  readonly coriolis: Coriolis;
}

/** What an analysis says of itself beside its result. */
export interface AnalysisReport {
  readonly minimisation?: MinimisationReport;
  /** Anything a user should know, once: the analysis was carried out all the same. */
  readonly warning?: string;
}

/** An analysis that is queued, with what the device will report. */
export interface QueuedAnalysis {
  /**
   * To be called when a `collect` has followed, and before the state is used: queues the rest. Undefined where the analysis is
   * whole as it is queued.
   */
  readonly complete?: () => Promise<void>;
  /** When that is done and a `collect` has followed. */
  report(): Promise<AnalysisReport>;
}

/** States that a method moves on from cycle to cycle where they are not those that everybody looks at. */
export interface CarriedStates {
  /** [members][variable][y][x] */
  readonly state: RealField;
  /** The method's members, and after them a forecast of its own. */
  readonly members: number;
  /** Queues the method's `state` as these states have it. */
  show(): void;
  /** Queues these states as the method's `state` has them. */
  take(): void;
}

/** States of earlier cycles that a smoother's analyses change too, at most `lag` cycles back. */
export interface PastStates {
  readonly lag: number;
  /** The states of one, two, … cycles ago, as many as are kept: [members][variable][y][x] each. */
  readonly kept: readonly RealField[];
  /** Queues the method's state as that of one cycle ago, in place of the oldest. Called between two cycles. */
  keep(): void;
  /** Takes so many for kept, at most `lag`. @returns them, to be written */
  makeRoom(count: number): readonly RealField[];
}

/** A method of a run, on a backend. */
export interface Method {
  readonly label: string;
  readonly kind: string;
  readonly members: number;
  /** What is scored, drawn and asked about, and moved on by the model if nothing is carried: [members][variable][y][x]. */
  readonly state: RealField;
  /** What forecasts, drops and checkpoints are of instead, where the method carries something else than its state. */
  readonly carried?: CarriedStates | undefined;
  /** Departures of the state before the analysis; the experiment computes them, the analysis uses them. */
  readonly departures: Departures;
  /** dᵀS⁻¹d of the latest analysis on the device, where the method has S = HBHᵀ + R there; 3D-Var has it as 2J at the minimum. */
  readonly misfit?: Misfit;
  /**
   * Where it takes R whole: queues `white` = L⁻¹ `scaled`, both [capacity], for the observations that the latest analysis used, with
   * R = D C D, C = L Lᵀ, and `scaled` = D⁻¹ times departures.
   */
  readonly whiten?: ((scaled: RealField, white: RealField) => void) | undefined;
  /** Where its inflation adapts itself: what it carries from cycle to cycle beside its state. */
  readonly inflation?: AdaptedFactor | undefined;
  /**
   * Queues the state that the method begins with, of the background as all methods get it, drawn and spun up: `ensemble` is
   * [members of the context][variable][y][x], is not changed, and may be freed when the backend has settled.
   */
  readonly initialise: (ensemble: RealField) => void;
  /** Answers, between two cycles, a question about the latest analysis. Rejects with a QuestionError for what is not in the state. */
  readonly explain: Explain;
  /**
   * Between two cycles: the error variance of the latest analysis of what one row of H sees; `row` is [variable][y][x]. Undefined
   * if a method estimates it from its members, or states no errors.
   */
  readonly analysedVariance?: ((row: RealField, forecast: RealField) => Promise<number>) | undefined;
  /** Where it analyses a window: what the model moves, as it is at the beginning, which is copied here before the forecast. */
  readonly beginning?: RealField | undefined;
  /** What a smoother carries of the cycles before. */
  readonly past?: PastStates | undefined;
  /** Queues what turns the forecast in `state` into the analysis. Called where the cycle has observations. */
  analyse(cycle: number): Promise<QueuedAnalysis>;
  /** Frees what it holds on the backend. */
  dispose(): void;
}

/** @returns the states of a method that the model moves on */
export function movedStates({ carried, state, members }: Pick<Method, 'carried' | 'state' | 'members'>) {
  return carried ?? { state, members };
}

/** Carries an analysis out from beginning to end, waiting for the device. */
export async function executeAnalysis(backend: Backend, method: Method, cycle: number): Promise<AnalysisReport> {
  const analysis = await method.analyse(cycle);
  await backend.collect();
  await analysis.complete?.();
  await backend.collect();
  return analysis.report();
}

/** Whether the same is observed in the same places: the arrays are new ones where anything has changed. */
export function observesAlike(a: ObservedPositions | undefined, b: ObservedPositions): a is ObservedPositions {
  return a?.x === b.x && a.y === b.y && a.variable === b.variable;
}
