/** The kinds of initial states, each listed here once. */
import type { z } from 'zod';
import { definitionsByKind, kindUnion } from '../settings/index.ts';
import { climatology } from './climatology.ts';
import { damBreak } from './dam-break.ts';
import type { InitialStateDefinition } from './definition.ts';
import { drops } from './drops.ts';
import { file } from './file.ts';
import { jet } from './jet.ts';
import { netcdf } from './netcdf.ts';
import { rest } from './rest.ts';
import { standingWave } from './standing-wave.ts';
import { ofTruth } from './truth.ts';
import { vortex } from './vortex.ts';

/** What a truth may begin with, in the order in which a form offers them. */
const OF_ITSELF = [drops, damBreak, jet, vortex, standingWave, rest, climatology, file, netcdf] as const;
/** The background may begin with the truth's, too. */
export const INITIAL_STATES = [...OF_ITSELF, ofTruth] as const;

export const truthInitialField = kindUnion(OF_ITSELF)
  .prefault({ kind: 'drops' })
  .meta({ title: 'Initial state', description: 'The state from which the truth starts.' });

export const backgroundInitialField = kindUnion(INITIAL_STATES).prefault({ kind: 'drops' }).meta({
  title: 'Initial state',
  description: 'The state from which each member starts, with its own random draws.',
});

/** Initial state of the truth or of the background, with every default filled in; only the background's may be of kind `truth`. */
export type Initial = z.output<typeof backgroundInitialField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const initialStateDefinition: (kind: string) => InitialStateDefinition<Initial> =
  definitionsByKind<InitialStateDefinition<Initial>>(INITIAL_STATES);
