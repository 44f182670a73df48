/**
 * What an experiment says while it runs. The stage, the charts, the run folder and the command line's progress bar all
 * listen to the same events; none of them reaches into the experiment's state.
 */
import type { BackendName, KernelSample, Ceilings } from '../compute/backend.ts';
import type { Divergence } from '../errors.ts';
import type { MinimisationReport } from '../operators/conjugate-gradient/index.ts';
import type { Intervention } from '../scenario/index.ts';
import type { CycleTrace } from './cycle-trace.ts';
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

/**
 * Products of departures over the used observations of one variable, each over σₒ², as means. With d_b = y − H(x̄ᶠ) and
 * d_a = y − H(x̄ᵃ), and error statistics that are right, the expectations are [desroziers2005]
 *
 *   ⟨d_a d_b⟩ = R,   ⟨(d_b − d_a) d_b⟩ = HBHᵀ,   ⟨(d_b − d_a) d_a⟩ = HAHᵀ = HK R.
 */
export interface DepartureProducts {
  /** Observations that were used. */
  readonly count: number;
  /** ⟨d_b²/σₒ²⟩ */
  readonly innovation: number;
  /** ⟨d_a d_b/σₒ²⟩, 1 expected. */
  readonly residual: number;
  /** ⟨(d_b − d_a) d_b/σₒ²⟩, `backgroundVariance` expected. */
  readonly increment: number;
  /** ⟨(d_b − d_a) d_a/σₒ²⟩, `analysisVariance` expected. */
  readonly incrementResidual: number;
  /**
   * (d_b − d_a)ᵀ R⁻¹ d_a over `count`, R as the method takes it: times `count` the degrees of freedom for signal tr(HK). It is
   * `incrementResidual` if the method takes the errors for independent. If it takes R whole, R = D C D with C = L Lᵀ, it is the same
   * mean of departures multiplied by L⁻¹ D⁻¹.
   */
  readonly signal: number;
  /** ⟨σ_b²/σₒ²⟩, σ_b² the background's variance at the observations as the method uses it. */
  readonly backgroundVariance: number;
  /** ⟨σ_a²/σₒ²⟩ of the members of the analysis at the observations; 0 of a method with one member. */
  readonly analysisVariance: number;
}

/** Scores of one variable, over thinned cells, weighted as all means over cells; lists for an ensemble only. */
export interface SampledScores {
  /**
   * Mean lengths of the gaps between the sorted members, 0 below all and k above, as far as the truth lies above them and below
   * them: αᵢ and βᵢ of [hersbach2000]. [members + 1]
   */
  readonly alpha: readonly number[];
  readonly beta: readonly number[];
  /** Share of the truths below all members, and above all. */
  readonly below: number;
  readonly above: number;
  /** The score of a forecast that knows how the cycle's truth is distributed over the cells, and no more: ½ mean |tᵢ − tⱼ|. */
  readonly uncertainty: number;
  /** By bins of spread over the RMS spread of the cycle, edges `SPREAD_EDGES`: share of cells, and in these sums over the cells
   * of variance and squared error of the mean, over all cells. [bins] */
  readonly share: readonly number[];
  readonly variance: readonly number[];
  readonly squaredError: readonly number[];
}

/** Mean squares by octaves of the wavenumber, from that of the longest wave on, of the first variable. [bands] */
export interface BandSpectra {
  readonly forecastError: readonly number[];
  readonly analysisError: readonly number[];
  /** Spectrum of x̄ᵃ − x̄ᶠ. */
  readonly increment: readonly number[];
  /** Spectrum of the forecast's members about their mean, estimated from one of them, another in each cycle; empty for one member. */
  readonly forecastSpread: readonly number[];
}

/** Budget of the water of one state, over its wet cells. */
export interface Budget {
  /** ∫ h dA, m³. */
  readonly mass: number;
  /** ½ ∫ h|u|² + g (η − η̄)² dA, m⁵/s²: energy over density, above the same water at rest. */
  readonly energy: number;
  /** ½ ∫ (ζ + f)²/h dA, m/s². */
  readonly potentialEnstrophy: number;
  /** Mean of |∂η/∂t| = |∇·(hu, hv)|, m/s. */
  readonly tendency: number;
  /**
   * Share of the kinetic energy of u − u_g in that of u − u_g and u_g together, u_g the geostrophic flow, 0 to 1; undefined
   * without rotation.
   */
  readonly ageostrophicShare: number | undefined;
}

export interface ConsistencyMeasures {
  /** By observed variable; empty in a cycle without observations, and of a method that does not assimilate. */
  readonly departures: Readonly<Record<string, DepartureProducts>>;
  /** Scores of the forecast, by compared variable; empty for a method with one member. */
  readonly sampled: Readonly<Record<string, SampledScores>>;
  /** Undefined of older cycles of a long run in a page, which keeps no lists of them. */
  readonly spectra: BandSpectra | undefined;
  /** Budgets of the truth, and of the method's mean before and after the analysis; undefined for a model without water. */
  readonly budgets: { readonly truth: Budget; readonly forecast: Budget; readonly analysis: Budget } | undefined;
}

/** Between the bins of spread: ratios of a cell's spread to the RMS spread of its cycle. */
export const SPREAD_EDGES: readonly number[] = [0.25, 0.5, Math.SQRT1_2, 1, Math.SQRT2, 2];

/** A value for each state variable that the model has, by its name (`h`, `hu`, `hv`). */
export type ByVariable = Readonly<Record<string, number>>;

/** Statistics of the innovations y − H(x̄ᶠ) of one analysis, over the observations that were used. */
export interface InnovationReport {
  readonly count: number;
  /** Observations that quality control rejected. */
  readonly rejected: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /**
   * Mean of d² / (σₒ² + σ_b²), σ_b² the background's variance at each observation as the method uses it: with its inflation,
   * and of 3D-Var with H linearised and what the balance adds; of d² / σₒ² without one. 1 when error statistics are consistent,
   * but it says nothing of how errors at two observations are correlated: no χ².
   */
  readonly normalisedSquares: number;
  /**
   * χ²/p = dᵀ(HBHᵀ + R)⁻¹d/p, 1 on average when error statistics are consistent: of 3D-Var 2J/p at the last iterate, of the
   * ensemble filters with the tapered sample covariance. Undefined if it is not available: for the free run, with more than 1024
   * observations in the LETKF, where the covariance is not positive definite.
   */
  readonly chiSquare: number | undefined;
}

/** Errors of the states that a smoother carries, of one, two, … cycles ago: lists by lag, by variable. */
export interface SmoothedErrors {
  readonly rmse: Readonly<Record<string, readonly number[]>>;
  readonly spread: Readonly<Record<string, readonly number[]>>;
}

/** What the observations of a cycle changed about a later forecast [kalnay2012]; units are those of `ObservationImpact`. */
export interface ImpactReport {
  /** Squared error of the forecast from the analysis, and of that from its background. */
  readonly error: number;
  readonly errorBefore: number;
  /** By the networks of the scenario, in their order; gauges that were painted are the last. */
  readonly networks: {
    /** Observations that were used, and those of them that helped. */
    readonly used: readonly number[];
    readonly helped: readonly number[];
    /** Sums of their impacts: below 0 they have helped. */
    readonly impact: readonly number[];
  };
}

/** Errors of the analysis by region, as `regionNames` orders them, by variable; NaN of a region that is dry. */
export interface RegionErrors {
  readonly rmse: Readonly<Record<string, readonly number[]>>;
  /** Without variables for a method with one member. */
  readonly spread: Readonly<Record<string, readonly number[]>>;
}

/** One method, one cycle. Units are those of the variable; cells that are dry in the truth and in every member do not count. */
export interface CycleDiagnostics {
  readonly method: string;
  readonly cycle: number;
  /** Model time since the first cycle began, seconds. */
  readonly timeSeconds: number;
  readonly rmse: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /**
   * Mean over the basin of the ensemble mean minus the truth, signed, over the same cells with the same weights as `rmse`: the
   * error of the mean level. Absent in rows of an earlier version.
   */
  readonly meanError?: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /**
   * RMSE about `meanError`, the error of the pattern: rmse² = meanError² + rmsePattern². Measured by itself, since the difference
   * of two squares would lose its digits. Absent in rows of an earlier version.
   */
  readonly rmsePattern?: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /** Square root of the mean ensemble variance; without variables for a method with one member, which has no spread. */
  readonly spread: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /** Continuous ranked probability score of the compared variables; the mean absolute error if there is one member. */
  readonly crps: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /** The same in its fair form, whose expectation does not depend on the number of members. */
  readonly fairCrps: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /**
   * Counts of the truth's rank among the forecast members (members + 1 bins), over thinned cells, of the compared variables;
   * ties are broken at random.
   */
  readonly rankHistogram: Readonly<Record<string, readonly number[]>>;
  readonly innovation: InnovationReport | undefined;
  /** ρ that the analysis was made with, of a method whose inflation adapts itself. */
  readonly inflation?: number | undefined;
  /** What this analysis has made of the states of the cycles before, against the truth of their times; of a smoother alone. */
  readonly smoothed?: SmoothedErrors | undefined;
  /** The parts of the analysis' `rmse` and `spread`, with the same weights. Absent in rows of an earlier version. */
  readonly regions?: RegionErrors | undefined;
  readonly minimisation: MinimisationReport | undefined;
  /** If the experiment asks for impacts and the method can say them; undefined where a forecast has diverged. */
  readonly impact?: ImpactReport | undefined;
  /** Omitted in rows of a run from before it was measured. */
  readonly consistency?: ConsistencyMeasures | undefined;
  readonly milliseconds: { readonly forecast: number; readonly analysis: number };
}

/** What made a method leave what its model can represent, as far as the evidence goes. */
export type DivergenceCause =
  /** Waves of water at rest already cross too many cells in a step. */
  | 'time-step'
  /** Inflation or relaxation makes the spread grow from cycle to cycle. */
  | 'inflation'
  /** Innovations are many times what the errors of background and observations allow. */
  | 'observation-error'
  /** Analyses are worse than the forecasts before them. */
  | 'analysis'
  /** The scheme amplifies waves, and had time enough. */
  | 'unstable-scheme'
  | 'unknown';

/** A method that left what its model can represent. It is omitted from then on; the others continue. */
export interface MethodDivergence {
  readonly method: string;
  /** The cycle that it did not complete. */
  readonly cycle: number;
  readonly stage: 'forecast' | 'analysis';
  readonly cause: DivergenceCause;
  /** What was found, the likely cause with its evidence, and what helps; for people. */
  readonly message: string;
  /** Settings that were changed while it ran and that the cause points to, all of one cycle; the latest ones. */
  readonly edits: readonly Intervention[];
  /** Where a forecast went wrong; undefined where an analysis did. */
  readonly place: Divergence | undefined;
}

export interface MethodSummary {
  /** Unique in the run: the scenario's `label`, or the kind. */
  readonly label: string;
  readonly kind: string;
  readonly members: number;
}

export type ExperimentEvent =
  /** Before the start: how far, 0 to 1, truth and members are drawn, and then spun up. */
  | { readonly type: 'preparing'; readonly part: 'drawing' | 'spin-up'; readonly share: number }
  | {
      readonly type: 'start';
      readonly scenario: string;
      readonly seed: number;
      readonly backend: { readonly name: BackendName; readonly adapter: string };
      readonly methods: readonly MethodSummary[];
      readonly variables: readonly string[];
      readonly cycles: number;
      /** The first cycle that this call will run: above 0 when resumed. */
      readonly firstCycle: number;
      readonly memoryBytes: number;
      /** Methods that are omitted, since they diverged in an earlier part of a run that is resumed, and in which cycle. */
      readonly diverged?: Readonly<Record<string, number>>;
    }
  /** What the machine can do at most, measured before the run; a kernel's share of it follows. */
  | ({ readonly type: 'ceilings' } & Ceilings)
  | { readonly type: 'forecast'; readonly method: string; readonly cycle: number; readonly milliseconds: number }
  | { readonly type: 'analysis'; readonly method: string; readonly cycle: number; readonly milliseconds: number }
  | { readonly type: 'diagnostics'; readonly diagnostics: CycleDiagnostics }
  | { readonly type: 'kernel'; readonly cycle: number; readonly sample: KernelSample }
  /** After all kernels of the cycle that were timed. */
  | ({ readonly type: 'trace' } & CycleTrace)
  | ({ readonly type: 'diverged' } & MethodDivergence)
  /** Settings that take effect with this cycle. */
  | { readonly type: 'edited'; readonly cycle: number; readonly edits: readonly Intervention[] }
  /** A setting that is silently without effect, or a value outside what the method assumes. */
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'cycle'; readonly cycle: number; readonly cycles: number }
  | { readonly type: 'end'; readonly cycles: number };
