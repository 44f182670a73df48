/** Where the views stand on the canvas: rows are fields, columns are the truth and the methods. */
import type { FieldId } from '../state/fields.ts';
import { fieldOf } from '../state/fields.ts';
import { TRUTH } from '../state/method-style.ts';

/** CSS pixels from the canvas's upper left. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ViewPlace {
  /** `field/subject`, unique in the grid. */
  readonly key: string;
  readonly field: FieldId;
  /** A method's label, or TRUTH. */
  readonly subject: string;
  readonly row: number;
  readonly column: number;
  readonly rect: Rect;
}

/** Pixels between views: one line of the panel's colour. */
export const GAP = 1;

/** @returns whether this subject has this field: the truth has no error, a single state no spread */
export function hasField(field: FieldId, subject: string, members: number): boolean {
  const { ofTruth, ofEnsemble } = fieldOf(field);
  if (subject === TRUTH) return ofTruth;
  return !ofEnsemble || members > 1;
}

/**
 * How many columns n views of one field take, so that a view is as near to 4:3 as can be. Several fields keep one row each.
 */
function columnsFor(count: number, width: number, height: number): number {
  let best = 1;
  let bestScale = 0;
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const scale = Math.min(width / columns / 4, height / rows / 3);
    if (scale > bestScale * 1.02) {
      bestScale = scale;
      best = columns;
    }
  }
  return best;
}

/** @returns where the k-th of n parts of a side begins, with a gap between parts */
function cut(k: number, n: number, size: number): number {
  return Math.round((k * (size + GAP)) / n);
}

/**
 * @param fields one row each; with a single field its views wrap into as many rows as suit the canvas
 * @param subjects columns, in order
 * @param members of a subject's ensemble: 1 where it has none
 * @returns the views, left to right and top to bottom; a subject without a field leaves no hole in a wrapped grid, and an
 * empty place in one of several rows
 */
export function layViews(
  fields: readonly FieldId[],
  subjects: readonly string[],
  members: (subject: string) => number,
  width: number,
  height: number,
): ViewPlace[] {
  const wanted = fields.map((field) => subjects.filter((subject) => hasField(field, subject, members(subject))));
  const single = fields.length === 1;
  const count = wanted[0]?.length ?? 0;
  const columns = single ? columnsFor(count, width, height) : subjects.length;
  const rows = single ? Math.ceil(count / Math.max(1, columns)) : fields.length;
  if (columns === 0 || rows === 0) return [];
  const place = (field: FieldId, subject: string, row: number, column: number): ViewPlace => {
    const [x, y] = [cut(column, columns, width), cut(row, rows, height)];
    return {
      key: `${field}/${subject}`,
      field,
      subject,
      row,
      column,
      rect: { x, y, width: cut(column + 1, columns, width) - GAP - x, height: cut(row + 1, rows, height) - GAP - y },
    };
  };
  return fields.flatMap((field, row) =>
    (wanted[row] ?? []).map((subject, n) =>
      single
        ? place(field, subject, Math.floor(n / columns), n % columns)
        : place(field, subject, row, subjects.indexOf(subject)),
    ),
  );
}

/** @returns the view under a point of the canvas */
export function viewAt(views: readonly ViewPlace[], x: number, y: number): ViewPlace | undefined {
  return views.find(({ rect }) => x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height);
}
