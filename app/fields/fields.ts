/** The fields that a view can show, in the order of menus and of their keys. Everything that names a field asks here. */
import { depth } from './depth.ts';
import { error } from './error.ts';
import type { Field } from './field.ts';
import { froudeNumber } from './froude-number.ts';
import { increment } from './increment.ts';
import { speed } from './speed.ts';
import { shown, shownLifted } from './shown.ts';
import { spread } from './spread.ts';
import { surface } from './surface.ts';
import { vorticity } from './vorticity.ts';

import type { BasinInfo } from '../../engine/index.ts';

export type { Field, FieldScale } from './field.ts';

const REGISTRY = [surface, depth, speed, vorticity, error, spread, increment, froudeNumber] as const;

export type FieldId = (typeof REGISTRY)[number]['id'];

/** Fields that the user chooses from. */
export const FIELDS: readonly Field<FieldId>[] = REGISTRY;

/** Fields that represent planes which are shown in place of a field. */
const STAND_INS = [shown, shownLifted] as const;

/** What a view can draw. */
export type ViewFieldId = FieldId | (typeof STAND_INS)[number]['id'];

export const VIEW_FIELDS: readonly Field<ViewFieldId>[] = [...FIELDS, ...STAND_INS];

const byId: ReadonlyMap<string, Field<ViewFieldId>> = new Map(VIEW_FIELDS.map((field) => [field.id, field]));

/** @returns the field of that id */
export function fieldOf(id: ViewFieldId): Field<ViewFieldId> {
  const found = byId.get(id);
  if (!found) throw new RangeError(`there is no field ${id}`);
  return found;
}

/** @returns whether it is the id of a field that the user can choose */
export function isFieldId(text: string): text is FieldId {
  return FIELDS.some(({ id }) => id === text);
}

/** What distinguishes a ring from a basin; undefined before there is either. */
export type World = Pick<BasinInfo, 'isRing'> | undefined;

/** @returns the field with the words and the unit that it has in a basin, or on a ring */
export function fieldIn<Id extends ViewFieldId>(world: World, id: Id): Field<Id> {
  const field = fieldOf(id) as Field<Id>;
  return world?.isRing ? { ...field, ...field.onRing, unit: '', isElevation: false } : field;
}

/** @returns whether there is such a field in a basin, or on a ring */
export function hasField(world: World, id: FieldId): boolean {
  return !world?.isRing || fieldOf(id).onRing !== undefined;
}

/** @returns the fields that there are in a basin, or on a ring, with their words */
export function fieldsIn(world: World): readonly Field<FieldId>[] {
  return FIELDS.filter(({ id }) => hasField(world, id)).map(({ id }) => fieldIn(world, id));
}

/** @returns a title as it is written inside a sentence: `surface height`, but `Froude number` */
export function inSentence(title: string): string {
  return title.startsWith('Froude') ? title : title.toLowerCase();
}

/** @returns `Surface height (m)`, or the text alone if there is no unit */
export function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} (${unit})`;
}
