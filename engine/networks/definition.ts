/**
 * What a kind of observing network is: where each analysis observes, how much that is at most, and what is wrong with its
 * settings. Each kind is one definition, listed in `index.ts`, from which the schema, the form, the checks, the estimates and the
 * run derive.
 */
import type { z } from 'zod';
import type { Grid } from '../models/index.ts';
import { describedKind } from '../settings/index.ts';
import type { BasinSettings, NamedFile, Problem, ScenarioFiles } from '../settings/index.ts';
import type { Buoys, Drifting, Positions } from './positions.ts';

/** Places that a network in the file may have; more belong in a CSV file. */
export const MAXIMUM_POINTS = 65_536;

/** Where one network observes, analysis by analysis. */
export interface Sampler {
  /** Places in one analysis at most. */
  readonly capacity: number;
  /**
   * When `share` of the window of a cycle has passed, 1 at its end; with the values where a file gives them, NaN where it does
   * not. Where the same places are observed twice, these may be the same object.
   *
   * @param before how many more times the network observes in the window after that
   */
  positions(cycle: number, share?: number, before?: number): Positions & { readonly given?: Float64Array };
  /** The places of a fixed network; undefined if they differ from one analysis to the next. */
  readonly standing?: Positions;
  /** Places of a network that moves as a whole, in metres along and across its path: they keep their distances. */
  readonly swath?: Positions;
}

/** What a network samples from. */
export interface NetworkContext {
  readonly grid: Grid;
  /** From one analysis to the next. */
  readonly windowSeconds: number;
  readonly seed: number;
  /** Where the names of the network's own random streams begin. */
  readonly streamName: string;
  readonly files: ScenarioFiles;
  /** What the truth carries. */
  readonly buoys: Pick<Buoys, 'positions'>;
}

/** All that a kind of network says of itself; what is omitted has nothing to say. Paths of problems begin inside its settings. */
export interface NetworkParts<Settings> {
  /** Places in one analysis at most; undefined where a file says. */
  capacity(settings: Settings, grid: BasinSettings['grid']): number | undefined;
  /** What settings that are right by themselves have against each other and against the basin. */
  problems?(settings: Settings, basin: BasinSettings): readonly Problem[];
  /** Whether it needs a basin, for its two dimensions or the currents that carry it. */
  readonly world?: 'basin';
  /** Whether two networks of the same settings observe different places, since each draws its own. */
  readonly drawsItsOwn?: boolean;
  /** Whether its places keep their distances from one analysis to the next. */
  keepsDistances?(settings: Settings): boolean;
  /** What it observes of the buoys that the truth carries. */
  drifting?(settings: Settings): Drifting;
  /** The file that it is read from. */
  readonly reads?: NamedFile<Settings>;
  /** What is taken as settings to begin with, beside the defaults, where those alone do not do. */
  proposal?(basin: BasinSettings): Readonly<Record<string, unknown>>;
  create(settings: Settings, context: NetworkContext): Sampler;
}

/** @returns the definition of a network whose settings are `schema`'s */
export function defineNetwork<Schema extends z.ZodObject>(schema: Schema, parts: NetworkParts<z.output<Schema>>) {
  return describedKind(schema, parts);
}

/** Places that stay the same. */
export function fixed(positions: Positions): Sampler {
  return { capacity: positions.x.length, positions: () => positions, standing: positions };
}
