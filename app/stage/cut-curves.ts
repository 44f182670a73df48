/** A field of truth and methods along a cut. */
import type { ShownSnapshot } from '../document/lines/shown.ts';
import type { BasinInfo } from '../../engine/index.ts';
import type { ViewFieldId } from '../fields/fields.ts';
import type { CrossSection, Phase } from '../document/views/view-state.ts';
import { requestsFor } from '../document/values/plane-reader.ts';
import type { Numbers, PlaneRequest } from '../document/values/plane-reader.ts';
import { cutPath, valuesAlong } from './cross-section.ts';
import type { CutPath } from './cross-section.ts';
import { cellsOfField, dryDepth, fieldValues, isWet, planesOfField } from '../document/views/field-values.ts';
import type { FieldPlanes } from '../document/views/field-values.ts';
import type { ShownPlanes } from '../document/views/shown-planes.ts';
import { isComplete, numbersOf, phaseOfField, subjectPlanes } from './snapshot-numbers.ts';
import type { SubjectPlanes } from './snapshot-numbers.ts';

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
