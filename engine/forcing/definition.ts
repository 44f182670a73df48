/**
 * What a kind of forcing is: events at the start of some cycles, or a source that acts at every step. Each kind is one definition,
 * listed in `index.ts`, from which the schema, the form, the checks, the estimates and the run derive.
 */
import type { z } from 'zod';
import type { Drop } from '../initial-states/index.ts';
import type { Grid } from '../models/index.ts';
import type { RandomStream } from '../random/stream.ts';
import { choice, describedKind, type BasinSettings, type Problem } from '../settings/index.ts';

/** The truth alone, truth and members alike, or each on its own. */
export type SeenBy = 'truth' | 'all' | 'each';

/** What happens at the start of some cycles, and when. */
interface ForcingEvents<Settings> {
  /** Cycles from one event to the next; the first is at the start of the first cycle. */
  every(settings: Settings): number;
  seenBy(settings: Settings): SeenBy;
  /** Whether an event changes the volume of the water; otherwise what falls is taken from the water at rest everywhere. */
  addsVolume(settings: Settings): boolean;
  /** How far one feature raises the surface at most, m; 0 where it only lowers it. */
  highest(settings: Settings): number;
  /** How many drops fall in one event. */
  features(settings: Settings): number;
  /** Whether one event takes water away from some cells, which could fall dry. */
  lowers(settings: Settings): boolean;
  /** What falls in one event; every random draw comes from the stream. */
  draw(settings: Settings, grid: Grid, stream: RandomStream): readonly Drop[];
}

/** The water that a source acts on. */
export interface DrivenWater {
  readonly grid: Grid;
  /** Elevation above the water at rest, m, [ny][nx]: where it is not below 0, nothing acts. */
  readonly bed: Float64Array;
  /** m/s² */
  readonly gravity: number;
  /** Length of a cycle, s. */
  readonly window: number;
}

/** A cycle, or a part of the spin-up that is as long: 0 is the first cycle, −1 ends with the spin-up. */
export interface Interval {
  readonly number: number;
  /** Seconds from the beginning of the first cycle. */
  readonly from: number;
  readonly seconds: number;
}

/** A stream for each interval. */
export type IntervalStreams = (interval: number) => RandomStream;

/** What one state is driven by. */
export interface Source {
  /**
   * The means over an interval of ∂h/∂t (m/s), ∂(hu)/∂t and ∂(hv)/∂t (m²/s²), [3][ny][nx]. They depend on no state, so that a
   * linearised model has none of them. To be used before the next call.
   */
  rates(interval: Interval): Float64Array;
}

/** What acts at every step of every cycle, and during the spin-up. */
interface ForcingSource<Settings> {
  seenBy(settings: Settings): SeenBy;
  /** Whether the volume of the water changes. */
  addsVolume: boolean;
  /** Operations that the rates of one interval take, in each cell. */
  effort(settings: Settings, basin: BasinSettings): number;
  /**
   * @param first number of the first interval of the run
   * @param streamOf every random number is drawn from the stream of an interval
   */
  create(settings: Settings, water: DrivenWater, first: number, streamOf: IntervalStreams): Source;
}

/** Paths of problems begin inside the settings. */
export interface ForcingParts<Settings> {
  /** The world that it happens in, where it is one alone. */
  readonly world?: 'basin';
  /** What settings that are right by themselves have against the basin. */
  problems?(settings: Settings, basin: BasinSettings): readonly Problem[];
  /** Undefined if nothing happens at the start of cycles. */
  readonly events?: ForcingEvents<Settings>;
  /** Undefined if nothing acts at every step. */
  readonly source?: ForcingSource<Settings>;
}

/** @returns the definition of a forcing whose settings are `schema`'s */
export function defineForcing<Schema extends z.ZodObject>(schema: Schema, parts: ForcingParts<z.output<Schema>>) {
  return describedKind(schema, parts);
}

/** Who is driven by what is the same for all who are. @param what names it */
export function knownField(what: string) {
  return choice({
    title: 'Seen by',
    description: `truth: the truth alone, a model error. all: truth and members alike, ${what} that forecasts know.`,
    words: ['truth', 'all'],
    default: 'all',
  });
}

/** @returns 1 in cells with water at rest and 0 in others, [ny][nx] */
export function waterMask(bed: Float64Array): Float64Array {
  return bed.map((elevation) => Number(elevation < 0));
}
