/**
 * Forcing: what happens to the water during the run, at the start of some cycles. Each kind is one definition, from which the schema,
 * the form, the checks, the estimates and the run derive.
 */
import type { z } from 'zod';
import type { DescribedKind, BasinSettings, Problem } from '../settings/index.ts';
import { definitionsByKind, kindUnion, kindSchema, choice, count, describedKind } from '../settings/index.ts';
import {
  amplitudeField,
  drawDrops,
  DROP_WIDTH,
  dropProblems,
  type Drop,
  volumeField,
  widthField,
} from '../initial-states/index.ts';
import type { Grid } from '../models/index.ts';
import type { RandomStream } from '../random/stream.ts';

/** The truth alone, truth and members alike, or each on its own. */
export type SeenBy = 'truth' | 'all' | 'each';

/** What happens, and when. */
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

/** Paths of problems begin inside the settings. */
interface ForcingParts<Settings> {
  /** The world that it happens in, where it is one alone. */
  readonly world?: 'basin';
  /** What settings that are right by themselves have against the basin. */
  problems?(settings: Settings, basin: BasinSettings): readonly Problem[];
  /** Undefined if nothing happens. */
  readonly events?: ForcingEvents<Settings>;
}

/** @returns the definition of a forcing whose settings are `schema`'s */
function defineForcing<Schema extends z.ZodObject>(schema: Schema, parts: ForcingParts<z.output<Schema>>) {
  return describedKind(schema, parts);
}

const drops = defineForcing(
  kindSchema(
    'drops',
    {
      title: 'Falling drops',
      description: 'Drops that fall at random places during the run.',
      gist: 'Drops that fall at random places during the run.',
    },
    {
      every: count({
        title: 'Every',
        description: 'Cycles between two falls; the first is at the start of the first cycle.',
        unit: 'cycles',
        minimum: 1,
        maximum: 1e6,
        default: 5,
      }),
      count: count({
        title: 'Drops',
        description: 'Number of drops at each fall.',
        minimum: 1,
        maximum: 10_000,
        default: 1,
      }),
      amplitude: amplitudeField('Height of each drop, drawn from this range.', [0.1, 0.3]),
      width: widthField(DROP_WIDTH),
      volume: volumeField(),
      seenBy: choice({
        title: 'Seen by',
        description:
          'truth: the truth alone, a model error. all: truth and members alike. each: the truth and every member have drops of their own.',
        words: ['truth', 'all', 'each'],
        default: 'truth',
      }),
    },
  ),
  {
    world: 'basin',
    problems: dropProblems,
    events: {
      every: (settings) => settings.every,
      seenBy: (settings) => settings.seenBy,
      addsVolume: ({ volume }) => volume === 'added',
      highest: (settings) => Math.max(0, ...settings.amplitude),
      lowers: (settings) => settings.volume === 'displaced' || settings.amplitude[0] < 0,
      features: (settings) => settings.count,
      draw: drawDrops,
    },
  },
);

const none = defineForcing(
  kindSchema(
    'none',
    { title: 'No forcing', description: 'Nothing falls during the run.', gist: 'Nothing falls during the run.' },
    {},
  ),
  {},
);

/** In the order in which a form offers them. */
export const FORCINGS = [none, drops] as const;

export const forcingField = kindUnion(FORCINGS)
  .prefault({ kind: 'none' })
  .meta({ title: 'Forcing', description: 'What happens to the water during the run.' });

/** A forcing of the scenario, with every default filled in. */
type Forcing = z.output<typeof forcingField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const forcingDefinition = definitionsByKind<ForcingParts<Forcing> & DescribedKind>(FORCINGS);
