/**
 * What a kind of initial state is: depth h (m) and momenta hu, hv (m²/s) at cell centres, [3][ny][nx], or the variables of a
 * model without water, and what is known of them before they are drawn. Each kind is one definition, listed in `index.ts`, from
 * which the schema, the form, the checks, the warnings, the estimates and the run derive. Every random draw comes from the stream
 * that is given.
 */
import type { z } from 'zod';
import type { RandomStream } from '../random/stream.ts';
import { describedKind } from '../settings/index.ts';
import type { BasinSettings, NamedFile, Problem, ScenarioFiles, Situation } from '../settings/index.ts';
import type { Basin } from './flow.ts';

/** How far one feature of an initial state reaches. */
export interface Reach {
  /** Elevation of the surface, m. */
  readonly lowest: number;
  readonly highest: number;
  /** The greatest, m/s. */
  readonly speed: number;
}

/** What an initial state may be made of beside its random draws. */
export interface Given {
  readonly files: ScenarioFiles;
  /** Which member it is drawn for; the truth is 0. */
  readonly member: number;
  /** The truth's initial state before its perturbation; undefined for the truth itself. */
  readonly truth: Float64Array | undefined;
}

/** All that a kind of initial state says of itself; what is omitted has nothing to say. Paths of problems begin inside its settings. */
export interface InitialStateParts<Settings> {
  /** Omitted by what is at rest under a flat surface, and if settings do not determine it. */
  reach?(settings: Settings): Reach;
  /** Whether two draws differ. */
  varies(settings: Settings): boolean;
  /** How many features are drawn one by one, each of them an exponential a cell; one if omitted. */
  features?(settings: Settings): number;
  /** What settings that are right by themselves have against the basin. */
  problems?(settings: Settings, basin: BasinSettings): readonly Problem[];
  /** Settings of the truth that are allowed and yet not what they seem. */
  warnings?(settings: Settings, situation: Situation): readonly Problem[];
  /** The world that it is of, where it is of one alone: a basin's have a surface with currents under it. */
  readonly world?: 'basin' | 'ring';
  /** Whether it is the truth's own, which the background alone can begin with. */
  readonly isOfTruth?: boolean;
  /** The file that it is read from. */
  readonly reads?: NamedFile<Settings>;
  /** @returns the model's variables, of water h, hu and hv, [variable][ny][nx] */
  draw(settings: Settings, basin: Basin, stream: RandomStream, given: Given): Float64Array;
}

/** @returns the definition of an initial state whose settings are `schema`'s */
export function defineInitialState<Schema extends z.ZodObject>(
  schema: Schema,
  parts: InitialStateParts<z.output<Schema>>,
) {
  return describedKind(schema, parts);
}

/** Whether two draws from a range differ. */
export function differs([low, high]: readonly [number, number]): boolean {
  return low !== high;
}
