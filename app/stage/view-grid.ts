/** Places of the views on the canvas: rows are fields, columns are the truth and the methods. */
import { fieldOf, type FieldId, type ViewFieldId } from '../fields/fields.ts';
import { isTruth, TRUTH } from '../document/views/method-style.ts';
import { fieldOfShown, type ShownPlanes } from '../document/views/shown-planes.ts';

/** CSS pixels from the canvas's upper left. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ViewPlace {
  /** `field/subject` with the field of its row, unique in the grid. */
  readonly key: string;
  /** The field that is drawn. */
  readonly field: ViewFieldId;
  /** A method's label, or TRUTH. */
  readonly subject: string;
  readonly row: number;
  readonly column: number;
  readonly rect: Rect;
}

/** Pixels between views: one line of the panel's colour. */
export const GAP = 1;

/** What decides which fields a subject has. */
export interface SubjectKind {
  /** Members of its ensemble; 1 if it has none. */
  readonly members: number;
  /** Whether it assimilates nothing. */
  readonly isFreeRun: boolean;
  /** Whether it analyses places one by one, and whether it inflates its members' covariance. */
  readonly isLocal?: boolean;
  readonly isInflated?: boolean;
}

/** A subject of which nothing is known. */
export const SINGLE: SubjectKind = { members: 1, isFreeRun: false };

/** @returns whether this subject has this field: the truth has no error, a single state no spread, a free run no increment */
export function hasField(field: ViewFieldId, subject: string, kind: SubjectKind): boolean {
  const { ofTruth, ofEnsemble, ofAnalyses, of } = fieldOf(field);
  if (isTruth(subject)) return ofTruth;
  if (ofAnalyses) return (ofAnalyses === 'local' ? kind.isLocal : kind.isInflated) === true;
  return (!ofEnsemble || kind.members > 1) && (of !== 'analysis-step' || !kind.isFreeRun);
}

/** A basin seen at an angle is about this many times as wide as high. */
const BASIN_ASPECT = 1.25;
/** A truth that is drawn large leaves each method at least this share of what an even grid would give it, */
const LEAST_SHARE = 0.55;
/** and no less than this, pixels. */
const LEAST_WIDTH = 280;
const LEAST_HEIGHT = 190;

/** @returns how large a basin is in a view of that size: its height in pixels */
function drawnSize({ width, height }: Pick<Rect, 'width' | 'height'>): number {
  return Math.min(width / BASIN_ASPECT, height);
}

function smallest(rects: readonly Rect[]): number {
  return Math.min(...rects.map(drawnSize));
}

/** @returns where the k-th of n parts of a side begins, with a gap between parts */
function cut(k: number, n: number, size: number): number {
  return Math.round((k * (size + GAP)) / n);
}

/**
 * Rows that all fill the width: where n does not divide, those with fewer views come first and are higher, so that every view
 * has the same proportions and no place stays empty.
 */
function inRows(n: number, rows: number, { x, y, width, height }: Rect): Rect[] {
  const fewer = Math.floor(n / rows);
  const counts = Array.from({ length: rows }, (_, row) => (row < rows - (n % rows) ? fewer : fewer + 1));
  const total = counts.reduce((sum, count) => sum + 1 / count, 0);
  let top = 0;
  return counts.flatMap((count) => {
    const from = Math.round(top * (height + GAP));
    top += 1 / count / total;
    const to = Math.round(top * (height + GAP)) - GAP;
    return Array.from({ length: count }, (_, k) => {
      const [left, right] = [cut(k, count, width), cut(k + 1, count, width) - GAP];
      return { x: x + left, y: y + from, width: right - left, height: to - from };
    });
  });
}

/** @returns n views of one size, or of as few sizes as can be, as large as they can be; left to right and top to bottom */
function evenly(n: number, area: Rect): Rect[] {
  let best = inRows(n, 1, area);
  for (let rows = 2; rows <= n; rows++) {
    const found = inRows(n, rows, area);
    if (smallest(found) > 1.02 * smallest(best)) best = found;
  }
  return best;
}

/** @returns n views of one size, as large as they can be: what is compared is not seen larger in one than in another */
function equally(n: number, area: Rect): Rect[] {
  let best = inRows(n, 1, area);
  for (let rows = 2; rows <= n; rows++) {
    const found = inRows(n, rows, area);
    if (n % rows === 0 && smallest(found) > 1.02 * smallest(best)) best = found;
  }
  return best;
}

/** @returns two parts of an area: that share of it at the left, in a high area at the top, and the rest */
function parted(share: number, { x, y, width, height }: Rect): readonly [Rect, Rect] {
  const [across, down] = [Math.round(share * width), Math.round(share * height)];
  return width >= height
    ? [
        { x, y, width: across, height },
        { x: x + across + GAP, y, width: width - across - GAP, height },
      ]
    : [
        { x, y, width, height: down },
        { x, y: y + down + GAP, width, height: height - down - GAP },
      ];
}

/** What is seen of a large view counts less than what is seen of the small ones. */
function worthOf(large: number, small: number): number {
  return small ** 0.7 * large ** 0.3;
}

/** The first view large at the left, in a high area at the top, the others beside it or under it, all of one size: as large as they can be. */
function withLeader(n: number, area: Rect): Rect[] | undefined {
  const even = smallest(evenly(n, area));
  let best: { readonly rects: Rect[]; readonly worth: number } | undefined;
  for (let share = 0.4; share < 0.76; share += 0.02) {
    const [leader, rest] = parted(share, area);
    const others = equally(n - 1, rest);
    const [large, small] = [drawnSize(leader), smallest(others)];
    const isFair =
      small >= LEAST_SHARE * even &&
      large >= 1.2 * small &&
      others.every((rect) => rect.width >= LEAST_WIDTH && rect.height >= LEAST_HEIGHT);
    const worth = worthOf(large, small);
    if (isFair && worth > 1.001 * (best?.worth ?? 0)) best = { rects: [leader, ...others], worth };
  }
  return best?.rects;
}

/** @returns n stacks of so many rows, in bands one under the other: columns are aligned in all of them. [stack][row] */
function stacked(n: number, rows: number, bands: number, { x, y, width, height }: Rect): Rect[][] {
  const columns = Math.ceil(n / bands);
  return Array.from({ length: n }, (_, k) => {
    const [column, band] = [k % columns, Math.floor(k / columns)];
    const [left, right] = [cut(column, columns, width), cut(column + 1, columns, width) - GAP];
    return Array.from({ length: rows }, (_row, row) => {
      const [top, foot] = [band * rows + row, band * rows + row + 1].map((at) => cut(at, bands * rows, height));
      return { x: x + left, y: y + top, width: right - left, height: foot - GAP - top };
    });
  });
}

/** A layout with an empty place, or with a truth that is no larger than the rest, is worth so much of another. */
const FAULTY = 0.8;
const LEADER_SHARES = Array.from({ length: 22 }, (_, k) => 0.24 + 0.02 * k);

/**
 * @param leads whether the first subject has nothing in the lower rows: it is large beside the others
 * @returns the places of n subjects in their rows, as large as they can be. [subject][row]
 */
function inStacks(n: number, rows: number, leads: boolean, area: Rect): Rect[][] {
  let best: { readonly stacks: Rect[][]; readonly worth: number } | undefined;
  for (let bands = 1; bands <= n; bands++) {
    for (const share of leads ? LEADER_SHARES : [0]) {
      const [leader, rest] = leads ? parted(share, area) : [undefined, area];
      const others = stacked(leader ? n - 1 : n, rows, bands, rest);
      const small = smallest(others.flat());
      const large = leader ? drawnSize(leader) : small;
      const faults = Number(others.length % bands !== 0) + Number(leader !== undefined && large < 1.2 * small);
      const worth = worthOf(large, small) * FAULTY ** faults;
      if (worth > 1.02 * (best?.worth ?? 0)) best = { stacks: leader ? [[leader], ...others] : others, worth };
    }
  }
  return best?.stacks ?? [];
}

/**
 * @param fields one row each, with a column for each subject; the views of a single field fill the canvas, with a large truth if
 * there is room. What is shown in place of a field changes no place.
 * @param subjects columns, in order
 * @param kindOf what decides which fields a subject has
 * @param instead what methods show in the first row in place of its field
 * @param top where they begin, CSS pixels
 * @returns the views, field by field. In several rows a subject has the same column in each; a place is empty if it has no such
 * field, but a truth that has nothing in the lower rows is large beside the methods
 */
export function layViews(
  fields: readonly FieldId[],
  subjects: readonly string[],
  kindOf: (subject: string) => SubjectKind,
  width: number,
  height: number,
  instead?: ShownPlanes,
  top = 0,
): ViewPlace[] {
  const isTurned = (row: number, subject: string): boolean => row === 0 && instead?.planes.has(subject) === true;
  const drawn = (row: number, subject: string): ViewFieldId =>
    instead && isTurned(row, subject) ? fieldOfShown(instead) : fields[row];
  const wanted = fields.map((field, row) =>
    subjects.filter((subject) => isTurned(row, subject) || hasField(field, subject, kindOf(subject))),
  );
  const [field, ...more] = fields;
  if (field === undefined || subjects.length === 0) return [];
  const area = { x: 0, y: top, width, height };
  if (more.length === 0) {
    const shown = wanted[0];
    if (shown.length === 0) return [];
    const leads = shown.length > 2 && shown[0] === TRUTH ? withLeader(shown.length, area) : undefined;
    const rects = leads ?? evenly(shown.length, area);
    return shown.map((subject, column) => ({
      key: `${field}/${subject}`,
      field: drawn(0, subject),
      subject,
      row: 0,
      column,
      rect: rects[column],
    }));
  }
  const rows = fields.flatMap((id, row) => (wanted[row].length > 0 ? [{ id, of: row, shown: wanted[row] }] : []));
  const columns = subjects.filter((subject) => rows.some(({ shown }) => shown.includes(subject)));
  const [first] = columns;
  const leads = isTruth(first) && columns.length > 1 && rows.slice(1).every(({ shown }) => !shown.includes(first));
  const stacks = inStacks(columns.length, rows.length, leads, area);
  return rows.flatMap(({ id, of, shown }, row) =>
    shown.map((subject) => {
      const column = columns.indexOf(subject);
      return { key: `${id}/${subject}`, field: drawn(of, subject), subject, row, column, rect: stacks[column][row] };
    }),
  );
}

/** @returns the view under a point of the canvas */
export function viewAt(views: readonly ViewPlace[], x: number, y: number): ViewPlace | undefined {
  return views.find(({ rect }) => x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height);
}

/** @returns a name of the scene of a place, by row and subject: a change of field keeps the scene */
export function sceneId({ row, subject }: ViewPlace): string {
  return `${String(row)}/${subject}`;
}
