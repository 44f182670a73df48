/** Initial states of the truth and the members: what each kind is, and how it is drawn. */
import type { RandomStream } from '../random/stream.ts';
import type { Given, Reach, InitialStateParts, Basin } from './definition.ts';
import type { z } from 'zod';
import { definitionsByKind, kindUnion, type DescribedKind } from '../settings/index.ts';
import { climatology, rest, ofTruth, file, netcdf } from './given.ts';
import { damBreak, drops, standingWave } from './surfaces.ts';
import { jet, vortex } from './currents.ts';

export { addDrop, displace, drawDrops, DROP_WIDTH, dropElevation, dropLines, dropProblems } from './surfaces.ts';
export type { Drop } from './surfaces.ts';
export { amplitudeField, volumeField, widthField, variableCount, type Basin } from './definition.ts';

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
export const initialStateDefinition = definitionsByKind<InitialStateParts<Initial> & DescribedKind>(INITIAL_STATES);

const NOTHING: Reach = { lowest: 0, highest: 0, speed: 0 };

/** @returns lowest and highest elevation (m) of one feature of an initial state, and its greatest speed (m/s) */
export function reachOf(initial: Initial): Reach {
  return initialStateDefinition(initial.kind).reach?.(initial) ?? NOTHING;
}

/** @returns h (m), hu and hv (m²/s), or the variables of a model without water, [variable][ny][nx] */
export function drawInitialState(initial: Initial, basin: Basin, stream: RandomStream, given: Given): Float64Array {
  return initialStateDefinition(initial.kind).draw(initial, basin, stream, given);
}
