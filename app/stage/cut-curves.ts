/** A straight cut through planes of numbers: where it runs, and the fields of truth and methods along it. */
import type { ShownSnapshot } from '../document/lines/shown.ts';
import type { BasinInfo } from '../../engine/index.ts';
import type { ViewFieldId } from '../fields/fields.ts';
import type { CrossSection, Phase } from '../document/views/view-state.ts';
import { requestsFor } from '../document/values/plane-reader.ts';
import type { Numbers, PlaneRequest } from '../document/values/plane-reader.ts';
import { cellsOfField, dryDepth, fieldValues, isWet, planesOfField } from '../document/views/field-values.ts';
import type { FieldPlanes } from '../document/views/field-values.ts';
import type { ShownPlanes } from '../document/views/shown-planes.ts';
import { isComplete, numbersOf, phaseOfField, subjectPlanes } from './snapshot-numbers.ts';
import type { SubjectPlanes } from './snapshot-numbers.ts';

/** Points along a cut. */
interface CutPath {
  /** Metres from the beginning. */
  readonly distance: Float64Array;
  /** Grid units; the middle of cell i is i. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** @returns points along the cut, two for each cell that it crosses, at least 2 and at most 600 */
export function cutPath({ from, to }: CrossSection, { dx, dy }: Pick<BasinInfo, 'dx' | 'dy'>): CutPath {
  const [acrossX, acrossY] = [to.x - from.x, to.y - from.y];
  const count = Math.min(600, Math.max(2, Math.ceil(2 * Math.hypot(acrossX, acrossY)) + 1));
  const path = { distance: new Float64Array(count), x: new Float64Array(count), y: new Float64Array(count) };
  const length = Math.hypot(acrossX * dx, acrossY * dy);
  for (let k = 0; k < count; k++) {
    const share = k / (count - 1);
    path.distance[k] = share * length;
    path.x[k] = from.x + share * acrossX;
    path.y[k] = from.y + share * acrossY;
  }
  return path;
}

/**
 * @param value of cell (i, j)
 * @returns the values along the path, bilinear between the cells' middles; beyond the outermost middles theirs
 */
export function valuesAlong(
  path: CutPath,
  value: (i: number, j: number) => number,
  nx: number,
  ny: number,
): Float64Array {
  const out = new Float64Array(path.x.length);
  for (let k = 0; k < out.length; k++) {
    const x = Math.min(nx - 1, Math.max(0, path.x[k] ?? 0));
    const y = Math.min(ny - 1, Math.max(0, path.y[k] ?? 0));
    const [i, j] = [Math.min(Math.floor(x), Math.max(0, nx - 2)), Math.min(Math.floor(y), Math.max(0, ny - 2))];
    const [east, north] = [Math.min(i + 1, nx - 1), Math.min(j + 1, ny - 1)];
    const [s, t] = [x - i, y - j];
    out[k] =
      (1 - t) * ((1 - s) * value(i, j) + s * value(east, j)) + t * ((1 - s) * value(i, north) + s * value(east, north));
  }
  return out;
}

/** A cut through a stored cycle. */
export interface CutPlace {
  readonly basin: BasinInfo;
  readonly snapshot: ShownSnapshot;
  /** Those that have the field. */
  readonly subjects: readonly string[];
  readonly field: ViewFieldId;
  /** What methods show in place of a field. */
  readonly instead?: ShownPlanes | undefined;
  readonly phase: Phase;
  readonly cut: CrossSection;
}

export interface CutCurves {
  readonly path: CutPath;
  readonly curves: readonly { readonly subject: string; readonly values: Float64Array }[];
}

function planesAt({ snapshot, field, phase, instead }: CutPlace, subject: string): SubjectPlanes | undefined {
  return subjectPlanes(snapshot, subject, phaseOfField(field, phase), instead);
}

/** @returns the numbers that the curves are made of: those of the cells beside the cut, in no more than the field's planes */
export function cutRequests(place: CutPlace): readonly PlaneRequest[] {
  const { basin, field, cut, subjects } = place;
  const cells = new Set<number>();
  const note = (i: number, j: number): number => {
    for (const cell of cellsOfField(field, basin, i, j)) cells.add(cell);
    return 0;
  };
  valuesAlong(cutPath(cut, basin), note, basin.nx, basin.ny);
  const planes = subjects.flatMap((subject) => {
    const found = planesAt(place, subject);
    return planesOfField(field).map((name) => found?.[name]);
  });
  return requestsFor(planes, [...cells]);
}

/** @param numbers what was asked for by `cutRequests` @returns the curves; on land they have gaps */
export function cutCurves(place: CutPlace, numbers: Numbers): CutCurves {
  const { basin, field, cut, subjects } = place;
  const { nx, ny, bed } = basin;
  const path = cutPath(cut, basin);
  const dry = dryDepth(bed);
  const along = (found: FieldPlanes): Float64Array => {
    const valueAt = fieldValues(field, found, basin, dry);
    return valuesAlong(
      path,
      (i, j) => {
        const cell = j * nx + i;
        return isWet(basin, cell, found.eta?.[cell] ?? 0, dry) ? valueAt(i, j) : Number.NaN;
      },
      nx,
      ny,
    );
  };
  const curves = subjects.flatMap((subject) => {
    const found = numbersOf(numbers, planesAt(place, subject), field);
    return isComplete(found, field) ? [{ subject, values: along(found) }] : [];
  });
  return { path, curves };
}
