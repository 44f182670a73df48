/** Forcing: what happens to the water during the run, of each kind. */
import type { z } from 'zod';
import { definitionsByKind, kindUnion, kindSchema, choice, count } from '../settings/index.ts';
import type { ForcingDefinition } from './definition.ts';
import { defineForcing } from './definition.ts';
import {
  amplitudeField,
  DROP_WIDTH,
  dropElevation,
  dropProblems,
  volumeField,
  widthField,
} from '../initial-states/index.ts';

export type { SeenBy } from './definition.ts';

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
      elevation: dropElevation,
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
export const forcingDefinition: (kind: string) => ForcingDefinition<Forcing> =
  definitionsByKind<ForcingDefinition<Forcing>>(FORCINGS);
