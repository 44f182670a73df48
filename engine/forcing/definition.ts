/**
 * What a kind of forcing is: what happens to the water during the run, at the start of some cycles. Each kind is one definition,
 * listed in `index.ts`, from which the schema, the form, the checks, the estimates and the run derive.
 */
import type { z } from 'zod';
import type { Grid } from '../models/index.ts';
import type { RandomStream } from '../random/stream.ts';
import { describedKind } from '../settings/index.ts';
import type { BasinSettings, KindDefinition, Problem } from '../settings/index.ts';

/** The truth alone, truth and members alike, or each on its own. */
export type SeenBy = 'truth' | 'all' | 'each';

/** What happens, and when. */
interface ForcingEvents<Settings> {
  /** Cycles from one event to the next; the first is at the start of the first cycle. */
  every(settings: Settings): number;
  seenBy(settings: Settings): SeenBy;
  /** Whether an event changes the volume of the water. */
  addsVolume(settings: Settings): boolean;
  /** How far one feature raises the surface at most, m; 0 where it only lowers it. */
  highest(settings: Settings): number;
  /** How many features one event has, each of them an exponential a cell. */
  features(settings: Settings): number;
  /** Whether one event takes water away from some cells, which could fall dry. */
  lowers(settings: Settings): boolean;
  /**
   * What one event adds to the surface, metres, [ny][nx]; every random draw comes from the stream.
   *
   * @param bed elevation of the bed above the water at rest, metres, [ny][nx]
   */
  elevation(settings: Settings, grid: Grid, bed: Readonly<Float64Array>, stream: RandomStream): Float64Array;
}

/** Paths of problems begin inside the settings. */
export interface ForcingParts<Settings> {
  /** The world that it happens in, where it is one alone. */
  readonly world?: 'basin';
  /** What settings that are right by themselves have against the basin. */
  problems?(settings: Settings, basin: BasinSettings): readonly Problem[];
  /** Undefined if nothing happens. */
  readonly events?: ForcingEvents<Settings>;
}

export interface ForcingDefinition<
  Settings = unknown,
  Schema extends z.core.$ZodTypeDiscriminable = z.core.$ZodTypeDiscriminable,
>
  extends ForcingParts<Settings>, KindDefinition {
  readonly schema: Schema;
  /** One line. */
  readonly description: string;
}

/** @returns the definition of a forcing whose settings are `schema`'s */
export function defineForcing<Schema extends z.ZodObject>(schema: Schema, parts: ForcingParts<z.output<Schema>>) {
  return describedKind(schema, parts);
}
