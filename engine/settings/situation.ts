/** What a kind is judged in: all of a scenario that its checks, its warnings and its estimates may depend on. */
import type { BasinSettings } from './basin.ts';

/** Of one observing network. */
export interface ObservingNetwork {
  readonly variable: string;
  /** In the unit of the variable. */
  readonly errorStandardDeviation: number;
  /** Observations in one analysis at most; undefined where a file says. */
  readonly capacity: number | undefined;
  /** Places at a time whose errors go together; none if omitted. */
  readonly together?: number | undefined;
  /** Whether methods are told to take its errors for larger, or fewer of its observations. */
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
  /** Of the model's state, in its order. */
  readonly variables: readonly string[];
  readonly background: {
    readonly members: number;
    readonly perturbation: { readonly standardDeviation: number; readonly balance: 'none' | 'geostrophic' };
  };
  readonly networks: readonly ObservingNetwork[];
  /** In one analysis at most, those of files omitted: what there is room for. */
  readonly observations: number;
  /** Of the water at rest where the bottom is as the scenario states it, m; undefined where a file says. */
  readonly depth: number | undefined;
}
