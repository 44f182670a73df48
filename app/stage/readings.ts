/** What the fields are at a point: of the truth and of each method, forecast and analysis, with the spread. */
import type { ShownSnapshot } from '../document/lines/shown.ts';
import type { BasinInfo } from '../../engine/index.ts';
import type { FieldId } from '../fields/fields.ts';
import { isTruth } from '../document/views/method-style.ts';
import type { GridPoint, Phase } from '../document/views/view-state.ts';
import { requestsFor } from '../document/values/plane-reader.ts';
import type { Numbers, PlaneRequest } from '../document/values/plane-reader.ts';
import { cellsOfField, dryDepth, fieldValue, planesOfField } from '../document/views/field-values.ts';
import type { ShownPlanes } from '../document/views/shown-planes.ts';
import { numbersOf, subjectPlanes } from './snapshot-numbers.ts';

/** A field of one subject at a point, in the field's unit; NaN where the subject does not have it. */
export interface Reading {
  readonly subject: string;
  readonly analysis: number;
  readonly forecast: number;
  /** Spread of η, m. */
  readonly spread: number;
  /** What is shown in place of the field. */
  readonly shown: number;
}

/** A point of a stored cycle to be read. */
export interface ReadingPlace {
  readonly basin: BasinInfo;
  readonly snapshot: ShownSnapshot;
  readonly subjects: readonly string[];
  readonly field: FieldId;
  readonly cell: GridPoint;
  /** What methods show in place of the field. */
  readonly instead?: ShownPlanes | undefined;
}

const PHASES: readonly Phase[] = ['analysis', 'forecast'];

/** @returns the numbers that the readings are made of: a cell, or a few about it */
export function readingRequests({ basin, snapshot, subjects, field, cell }: ReadingPlace): readonly PlaneRequest[] {
  const planes = subjects.flatMap((subject) =>
    PHASES.flatMap((phase) => {
      const found = subjectPlanes(snapshot, subject, phase);
      return found ? [...planesOfField(field).map((name) => found[name]), found.spread] : [];
    }),
  );
  return requestsFor(planes, cellsOfField(field, basin, cell.x, cell.y));
}

/** @param numbers what was asked for by `readingRequests` */
export function readingsAt(
  { basin, snapshot, subjects, field, cell: { x, y }, instead }: ReadingPlace,
  numbers: Numbers,
): readonly Reading[] {
  const dry = dryDepth(basin.bed);
  const at = (subject: string, phase: Phase): number => {
    const found = numbersOf(numbers, subjectPlanes(snapshot, subject, phase), field);
    return fieldValue(field, found, basin, x, y, dry);
  };
  return subjects.map((subject) => ({
    subject,
    analysis: at(subject, 'analysis'),
    forecast: isTruth(subject) ? Number.NaN : at(subject, 'forecast'),
    spread: numbers(subjectPlanes(snapshot, subject, 'analysis')?.spread)?.[y * basin.nx + x] ?? Number.NaN,
    shown: instead?.planes.get(subject)?.[y * basin.nx + x] ?? Number.NaN,
  }));
}
