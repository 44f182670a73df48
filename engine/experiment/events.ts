/**
 * What an experiment says while it runs. The stage, the charts, the run folder and the command line's progress bar all
 * listen to the same events; none of them reaches into the experiment's state.
 */
import type { BackendName, KernelSample } from '../compute/backend.ts';
import type { Ceilings } from '../compute/ceilings.ts';
import type { MinimisationReport } from '../operators/conjugate-gradient/index.ts';

/** A value for each state variable that the model has, by its name (`h`, `hu`, `hv`). */
export type ByVariable = Readonly<Record<string, number>>;

/** Of the innovations y − H(x̄ᶠ) of one analysis, over the observations that were used. */
export interface InnovationReport {
  readonly count: number;
  /** Observations that quality control rejected. */
  readonly rejected: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /** Mean of d² / (σₒ² + HBHᵀ): 1 when error statistics are consistent. Without a background variance, of d² / σₒ². */
  readonly chiSquare: number;
}

/** One method, one cycle. Units are those of the variable. */
export interface CycleDiagnostics {
  readonly method: string;
  readonly cycle: number;
  /** Model time since the first cycle began, seconds. */
  readonly timeSeconds: number;
  readonly rmse: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /** Square root of the mean ensemble variance; 0 for a method with one member. */
  readonly spread: { readonly forecast: ByVariable; readonly analysis: ByVariable };
  /** Continuous ranked probability score of the first variable; the mean absolute error where there is one member. */
  readonly crps: { readonly forecast: number; readonly analysis: number };
  /** Counts of the truth's rank among the forecast members (members + 1 bins), over thinned cells of the first variable. */
  readonly rankHistogram: readonly number[];
  readonly innovation: InnovationReport | undefined;
  readonly minimisation: MinimisationReport | undefined;
  readonly milliseconds: { readonly forecast: number; readonly analysis: number };
}

export interface MethodSummary {
  /** Unique in the run: the scenario's `label`, or the kind. */
  readonly label: string;
  readonly kind: string;
  readonly members: number;
}

export type ExperimentEvent =
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
    }
  /** What the machine can do at most, measured before the run; a kernel's share of it follows. */
  | ({ readonly type: 'ceilings' } & Ceilings)
  | { readonly type: 'forecast'; readonly method: string; readonly cycle: number; readonly milliseconds: number }
  | { readonly type: 'analysis'; readonly method: string; readonly cycle: number; readonly milliseconds: number }
  | { readonly type: 'diagnostics'; readonly diagnostics: CycleDiagnostics }
  | { readonly type: 'kernel'; readonly cycle: number; readonly sample: KernelSample }
  /** A setting that is silently without effect, or a value outside what the method assumes. */
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'cycle'; readonly cycle: number; readonly cycles: number }
  | { readonly type: 'end'; readonly cycles: number };
