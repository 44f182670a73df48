/**
 * What the shaders of a view can show without being compiled again. On a GPU one program serves everything, so that another field
 * is on screen at once. A processor goes through all that a program could do for every vertex and pixel of it, and through every
 * line when it is compiled: there a program does what is on screen and nothing else.
 */
import { VIEW_FIELDS, fieldOf } from '../fields/fields.ts';
import type { Field, ViewFieldId } from '../fields/fields.ts';
import type { StageLook } from '../document/views/view-state.ts';

export interface ViewProgram {
  readonly name: string;
  readonly fields: readonly Field<ViewFieldId>[];
  readonly looks: readonly StageLook[];
}

const WHOLE_PROGRAM: ViewProgram = { name: '', fields: VIEW_FIELDS, looks: ['colour-mapped', 'photoreal'] };

/** @returns the program in which a field is drawn */
export function programOf(id: ViewFieldId, look: StageLook, inSoftware: boolean): ViewProgram {
  if (!inSoftware) return WHOLE_PROGRAM;
  const field = fieldOf(id);
  const shown = field.isWater ? look : 'colour-mapped';
  return { name: `${id}/${shown}`, fields: [field], looks: [shown] };
}
