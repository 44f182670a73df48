/**
 * What an experiment says while it runs. The stage, the charts, the run folder and the command line's progress bar all
 * listen to the same events; none of them reaches into the experiment's state.
 */
import type { BackendName, KernelSample, Ceilings } from '../compute/backend.ts';

import type { Divergence } from '../errors.ts';
import type { MinimisationReport } from '../operators/conjugate-gradient/index.ts';
import type { Intervention } from '../scenario/index.ts';
import type { ConsistencyMeasures } from './consistency-measures.ts';
import type { CycleTrace } from './cycle-trace.ts';

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
  readonly minimisation: MinimisationReport | undefined;
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
