/**
 * What a kind of method is to all that is not its analysis: one object, from which the schema, the form, the checks, the warnings,
 * the estimates of memory and time and the looks of its curves derive. Each kind has a folder with one of them, listed in
 * `registry.ts`.
 */
import { z } from 'zod';
import {
  describedKind,
  kindSchema,
  oneLine,
  listWords,
  type KindDefinition,
  type KindHelp,
  type Problem,
  type Situation,
} from '../settings/index.ts';
import type { Method, MethodContext } from './method.ts';

/** The most entries of an observation in a tangent linear: four corners of three components. */
export const TANGENT_ENTRIES = 12;
/** Bytes of a number on the host. */
export const HOST_BYTES = 8;

/** A method's schema: an object with `kind`, `label` and the method's own settings. */
type MethodSchema = z.ZodObject<{
  readonly kind: z.ZodLiteral<string>;
  readonly label: typeof label;
}>;

/** The settings of a method with every default filled in. */
export type SettingsOf<Schema extends z.ZodType> = z.output<Schema> & { readonly label: string };

/** What the fields of a method need from the scenario. */
export interface Sizes {
  readonly cells: number;
  /** Elements of one state. */
  readonly state: number;
  readonly members: number;
  /** Observations in one analysis at most, one or more. */
  readonly observations: number;
  /** Bytes of a real on the backend. */
  readonly elementBytes: number;
}

/** What an analysis holds beside the state, its departures and its scores. */
interface MethodMemory {
  /** Reals on the backend. */
  readonly elements: number;
  readonly hostBytes?: number;
}

/** Multiplications and additions of one analysis, and of what is built once for it. */
interface MethodEffort {
  readonly each: number;
  readonly once: number;
}

export type Marker =
  | 'circle'
  | 'square'
  | 'triangle'
  | 'diamond'
  | 'cross'
  | 'star'
  | 'plus'
  | 'asterisk'
  | 'hexagon'
  | 'pentagon'
  | 'times'
  | 'heptagon'
  | 'octagon'
  | 'nonagon'
  | 'wye';

/** What distinguishes a method wherever it is drawn: never colour alone. */
export interface Appearance {
  /** For the first of its kind, the second, …, then round again: on dark ground, and on light with 4.5:1 to white. */
  readonly shades: readonly (readonly [dark: string, light: string])[];
  /** SVG stroke-dasharray; empty for a solid line. */
  readonly dash: string;
  readonly marker: Marker;
}

/** Analyses of places, one by one. */
interface LocalAnalyses {
  /** Half-width of the localisation around each, m. */
  readonly halfWidth: number;
  /** Cells from one place to the next along each axis. */
  readonly every: number;
  /** Whether each place finds an inflation of its own. */
  readonly findsInflation: boolean;
}

/** What makes a method's ensemble spread out, in words, and what to do about it. */
export interface SpreadSource {
  readonly what: string;
  readonly remedy: string;
}

/** A method of the scenario as its kind's definition alone knows it. */
export interface OtherMethod {
  readonly kind: string;
}

/** All that a kind of method says of itself; what is omitted has nothing to say. Paths of problems begin inside the method. */
export interface MethodParts<Settings> {
  /** As curves and tables name it; its title if omitted. */
  readonly shortTitle?: string;
  readonly appearance: Appearance;
  /** One state, or as many as the background has members. */
  readonly carries: 'state' | 'ensemble';
  /** Whether observations change its state. */
  readonly assimilates: boolean;
  /**
   * Whether it takes the background's errors from the spread of its members: it needs two of them, and one whose spread
   * collapses ignores the observations.
   */
  readonly trustsSpread: boolean;
  /** Whether it needs the linearised model. */
  readonly linearises?: boolean;
  /** Whether its analyses improve states of earlier cycles too. */
  readonly smooths?: boolean;
  /** How it analyses places one by one, each with the observations around it; a method that does not has nothing to say. */
  localAnalyses?(settings: Settings): LocalAnalyses | undefined;
  /** What it takes correlated observation errors for; a method that makes nothing of errors does not say. */
  takesErrors?(settings: Settings): 'independent' | 'whole';
  /** Observations in one analysis that it can take, where that is limited. */
  readonly mostObservations?: number;
  /** What settings that are right by themselves have against each other and against the scenario. */
  problems?(settings: Settings, situation: Situation): readonly Problem[];
  /** Settings that are allowed and yet without effect, or outside what the method assumes. */
  warnings?(settings: Settings, situation: Situation): readonly Problem[];
  /** What an analysis holds beside the state. */
  memory?(settings: Settings, sizes: Sizes, situation: Situation): MethodMemory;
  /** What its longest answer holds beside another method of these settings: reals on the backend. */
  asking?(settings: Settings, sizes: Sizes, situation: Situation): number;
  /** Arithmetic of an analysis. */
  effort?(settings: Settings, situation: Situation): MethodEffort;
  /** What lets its ensemble spread out, where something does. */
  spreadSource?(settings: Settings): SpreadSource | undefined;
  /** Settings that suit the scenario, as a start for tuning. @param others the scenario's methods */
  proposal?(situation: Situation, others: readonly OtherMethod[]): Readonly<Record<string, unknown>>;
  /** Its settings that are worth tuning, where it has some. */
  tuning?(settings: Settings, situation: Situation): MethodTuning;
  /** @throws LimitError when a field does not fit the backend */
  create(settings: Settings, context: MethodContext): Promise<Method>;
}

/** A kind of method, whole. */
export interface MethodDefinition<Settings = OtherMethod, Schema extends z.core.$ZodTypeDiscriminable = MethodSchema>
  extends MethodParts<Settings>, KindDefinition {
  readonly schema: Schema;
  /** One line. */
  readonly description: string;
}

const label = oneLine()
  .optional()
  .meta({
    title: 'Label',
    description: 'What figures and tables call the method; its kind if omitted. No two may be the same.',
    examples: ['letkf, half-width 8'],
  });

/** A run continues with other settings of the same method: each field says so, unless it says something else itself. */
function fromNextCycle<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape): Shape {
  const stated = Object.entries(shape).map(([key, field]) => [
    key,
    field.meta({ takesEffect: 'next-cycle', ...field.meta() }),
  ]);
  return Object.fromEntries(stated) as Shape;
}

/**
 * Makes the schema of a kind of method.
 *
 * @param name as the file writes the kind
 * @param help title and description of the method, and what the field `kind` says
 * @param shape its own settings, by name; those of `kind` and `label` come before them
 */
export function methodSchema<const Kind extends string, Shape extends Readonly<Record<string, z.ZodType>>>(
  name: Kind,
  help: KindHelp,
  shape: Shape,
) {
  return kindSchema(name, help, { label, ...fromNextCycle(shape) });
}

/** @returns the definition of a method whose settings are `schema`'s */
export function defineMethod<Schema extends z.ZodObject>(schema: Schema, parts: MethodParts<SettingsOf<Schema>>) {
  return describedKind(schema, parts);
}

/**
 * The scale on which steps of a setting count alike: that of the value itself, or that of the logarithm of its distance from an
 * origin, as inflation is counted from 1.
 */
export type TuningScale = { readonly kind: 'linear' } | { readonly kind: 'log'; readonly origin: number };

export interface TunableSetting {
  /** Inside the method, `localisation.halfWidth`. */
  readonly path: string;
  readonly scale: TuningScale;
  /** The ends of what is tried first, evenly spread on the scale. */
  readonly from: number;
  readonly to: number;
  /** Values tried first, from both ends inclusive; two or more. */
  readonly count: number;
  /** Beyond these, which are themselves allowed, a value means nothing in this scenario, though the schema may take it. */
  readonly least: number;
  readonly most: number;
}

/**
 * What a kind of method says of its settings that are worth tuning: which they are, on what scale their values are evenly spread,
 * and where to look first.
 *
 * All that is worth tuning in a method.
 */
export interface MethodTuning {
  /** The most sensitive first: by default the first two are tuned. */
  readonly settings: readonly TunableSetting[];
  /** What makes the background's stated error larger, `more inflation`, and smaller; omitted of a method that states none. */
  readonly larger?: string;
  readonly smaller?: string;
}

const LOG: TuningScale = { kind: 'log', origin: 0 };

/** Values of a first look: steps of √2 over a factor of two to both sides for a length, of 2 over four for an amplitude. */
const COUNT = 5;

interface Around {
  readonly path: string;
  /** What the method has now. */
  readonly present: number;
  /** Factor of the distance from the origin, to both sides. */
  readonly factor: number;
  readonly origin?: number;
  readonly least?: number;
  readonly most?: number;
}

/** The sum of two short decimals is one again. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}

/** Digits of the ends of what is allowed, where these follow from the basin. */
const DIGITS = 3;

/** @returns what the last digit that is kept of a value counts */
function lastDigitOf(value: number): number {
  return 10 ** (Math.floor(Math.log10(value)) + 1 - DIGITS);
}

/** @returns both ends with readable digits, moved inwards; above 0 */
export function legibleEnds(least: number, most: number): { readonly least: number; readonly most: number } {
  const [below, above] = [lastDigitOf(least), lastDigitOf(most)];
  return {
    least: withoutNoise(Math.ceil(least / below) * below),
    most: withoutNoise(Math.floor(most / above) * above),
  };
}

/** @returns a setting on a logarithmic scale, first tried around its present value, or around the nearest that means something */
export function around({ path, present, factor, origin = 0, least = origin, most = Infinity }: Around): TunableSetting {
  const middle = Math.min(most, Math.max(least, present)) - origin;
  return {
    path,
    scale: origin === 0 ? LOG : { kind: 'log', origin },
    from: Math.max(least, withoutNoise(origin + middle / factor)),
    to: Math.min(most, withoutNoise(origin + middle * factor)),
    count: COUNT,
    least,
    most,
  };
}

/** A share, tried over all of it that does something. @param most inclusive */
export function shareTuning(path: string, most = 1): TunableSetting {
  const step = most / COUNT;
  return { path, scale: { kind: 'linear' }, from: step, to: most, count: COUNT, least: 0, most };
}

/** @returns settings of a section as those of what holds it */
export function inside(section: string, settings: readonly TunableSetting[]): TunableSetting[] {
  return settings.map((each) => ({ ...each, path: `${section}.${each.path}` }));
}

/** @returns `more inflation or relaxation` */
export function wordsOf(comparative: string, sources: readonly string[]): string {
  return `${comparative} ${listWords(sources)}`;
}
