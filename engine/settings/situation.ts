/** What a kind is judged in: all of a scenario that its checks, its warnings and its estimates may depend on. */
import type { BasinSettings } from './basin.ts';

/** Facts about one observing network. */
export interface ObservingNetwork {
  readonly variable: string;
  /** In the unit of the variable. */
  readonly errorStandardDeviation: number;
  /** Observations in one analysis at most; undefined where a file says. */
  readonly capacity: number | undefined;
  /** Places at a time whose errors are correlated; none if omitted. */
  readonly together?: number | undefined;
  /** Whether methods are set to assume larger errors, or to use fewer of its observations. */
  readonly remedied?: boolean | undefined;
  /** Standard deviations beyond which innovations are rejected; 0 keeps all. */
  readonly qualityControl: number;
}

/** The parts that are as the scenario has them keep its names. */
export interface Situation extends BasinSettings {
  readonly model: BasinSettings['model'] & {
    /** 1/s in the middle, and its change along y, 1/(m s); of a model of water alone. */
    readonly coriolis?: { readonly f: number; readonly beta: number };
  };
  /** Variables of the model's state, in its order. */
  readonly variables: readonly string[];
  readonly background: {
    readonly members: number;
    readonly perturbation: { readonly standardDeviation: number; readonly balance: 'none' | 'geostrophic' };
  };
  readonly networks: readonly ObservingNetwork[];
  /** In one analysis at most, those of files omitted: what there is room for. */
  readonly observations: number;
  /** Depth of the water at rest if the scenario states the bottom, m; undefined if a file gives it. */
  readonly depth: number | undefined;
}
