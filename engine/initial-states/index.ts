/** Initial states of the truth and the members: what each kind is, and how it is drawn. */
import type { RandomStream } from '../random/stream.ts';
import type { Given, Reach } from './definition.ts';
import type { Basin } from './flow.ts';
import { initialStateDefinition } from './registry.ts';
import type { Initial } from './registry.ts';

export type { Given, Reach } from './definition.ts';
export { addDrop, displace, DROP_WIDTH, dropElevation, dropProblems } from './drop-elevation.ts';
export { amplitudeField, volumeField, widthField } from './fields.ts';
export { variableCount } from './flow.ts';
export type { Basin } from './flow.ts';
export { backgroundInitialField, INITIAL_STATES, initialStateDefinition, truthInitialField } from './registry.ts';
export type { Initial } from './registry.ts';

const NOTHING: Reach = { lowest: 0, highest: 0, speed: 0 };

/** @returns lowest and highest elevation (m) of one feature of an initial state, and its greatest speed (m/s) */
export function reachOf(initial: Initial): Reach {
  return initialStateDefinition(initial.kind).reach?.(initial) ?? NOTHING;
}

/** @returns h (m), hu and hv (m²/s), or the variables of a model without water, [variable][ny][nx] */
export function drawInitialState(initial: Initial, basin: Basin, stream: RandomStream, given: Given): Float64Array {
  return initialStateDefinition(initial.kind).draw(initial, basin, stream, given);
}
