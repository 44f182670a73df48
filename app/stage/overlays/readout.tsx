/** The numbers of all subjects at the crosshair, in the place of the stage where they hide least of their subject. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatColumn, formatNumber } from '../../format/numbers.ts';
import { useRun, useAnswer } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import { fieldIn, withUnit, type FieldId } from '../../fields/fields.ts';
import { isTruth, TRUTH } from '../../document/views/method-style.ts';
import { type GridPoint, type Phase, placeText } from '../../document/views/view-state.ts';
import type { ScreenPoint } from '../stage-model.ts';
import { Swatch } from '../../controls/line-name.tsx';
import { stageOf } from '../stage-state.ts';
import type { Rect } from '../view-grid.ts';
import type { ShownSnapshot } from '../../document/lines/shown.ts';
import type { BasinInfo } from '../../../engine/index.ts';
import { NO_NUMBERS, requestsFor, type Numbers, type PlaneRequest } from '../../document/values/plane-reader.ts';
import { cellsOfField, dryDepth, fieldValue, planesOfField } from '../../document/views/field-values.ts';
import type { ShownPlanes } from '../../document/views/shown-planes.ts';
import { numbersOf, subjectPlanes } from '../snapshot-numbers.ts';

/** A field of one subject at a point, in the field's unit; NaN where the subject does not have it. */
interface Reading {
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
      const found = subjectPlanes(snapshot, subject, phase, field);
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
    const found = numbersOf(numbers, subjectPlanes(snapshot, subject, phase, field), field);
    return fieldValue(field, found, basin, x, y, dry);
  };
  return subjects.map((subject) => ({
    subject,
    analysis: at(subject, 'analysis'),
    forecast: isTruth(subject) ? Number.NaN : at(subject, 'forecast'),
    spread: numbers(subjectPlanes(snapshot, subject, 'analysis', field)?.spread)?.[y * basin.nx + x] ?? Number.NaN,
    shown: instead?.planes.get(subject)?.[y * basin.nx + x] ?? Number.NaN,
  }));
}

/** A place of the numbers, pixels from the upper left of the stage. */
interface ReadoutSpot {
  readonly left: number;
  readonly top: number;
}

/** From the foot of a row of views, pixels. */
const ROW_GAP = 2;
/** What the title of a view takes of its upper left corner, pixels. */
const TITLE = { width: 128, height: 52 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A view, and where the crosshair is in it; undefined where it has none. */
interface CrossedView {
  readonly rect: Rect;
  readonly crosshair: ScreenPoint | undefined;
}

interface ReadoutPlace {
  readonly stage: Size;
  readonly readout: Size;
  /** From the edges of the stage, pixels; at the top beneath the titles of the views. */
  readonly margins: { readonly side: number; readonly top: number; readonly bottom: number };
  readonly views: readonly CrossedView[];
  /** Undefined while the crosshair is moved by keys. */
  readonly pointer: ScreenPoint | undefined;
}

/** What is hidden by covering a crosshair, in views that are covered whole; the pointer has to stay free. */
const CROSSHAIR_WORTH = 0.5;
const POINTER_WORTH = 100;
const TITLE_WORTH = 0.4;
/** The numbers are away from the corners only if that hides clearly less. */
const BETWEEN_WORTH = 0.04;
/** Room about a crosshair, pixels. */
const AROUND = 9;
/** Another corner has to hide less than this of what the present one does: the numbers do not jump for little. */
const CLEARLY = 0.7;

/** In the corners first, then between them: in the middle, and at the foot of a row of views, above the titles of the next. */
function spotsIn({ stage, readout, margins: { side, top, bottom }, views }: ReadoutPlace): readonly ReadoutSpot[] {
  const lefts = [stage.width - side - readout.width, side, (stage.width - readout.width) / 2];
  const feet = new Set(views.map(({ rect }) => rect.y + rect.height));
  const last = Math.max(...feet);
  const rows = [...feet].filter((foot) => foot < last).map((foot) => foot - ROW_GAP - readout.height);
  const tops = [top, stage.height - bottom - readout.height, ...rows.filter((each) => each >= top)];
  return tops.flatMap((each) => lefts.map((left) => ({ left: Math.round(left), top: Math.round(each) })));
}

function contains({ x, y, width, height }: Rect, at: ScreenPoint | undefined): boolean {
  if (!at) return false;
  return at.x > x - AROUND && at.x < x + width + AROUND && at.y > y - AROUND && at.y < y + height + AROUND;
}

/** @returns the length that two stretches have in common */
function along(a: number, b: number, lengthA: number, lengthB: number): number {
  return Math.max(0, Math.min(a + lengthA, b + lengthB) - Math.max(a, b));
}

/** @returns the share of one rectangle that is under the other */
function shareUnder(view: Rect, over: Rect): number {
  const covered = along(view.x, over.x, view.width, over.width) * along(view.y, over.y, view.height, over.height);
  return covered / Math.max(1, view.width * view.height);
}

/** How much is hidden: a small view under the numbers counts for more than the corner of a large one. */
function hidden({ left, top }: ReadoutSpot, { stage, readout, margins, views, pointer }: ReadoutPlace): number {
  const over = { ...readout, x: left, y: top };
  const covered = views.reduce(
    (sum, { rect, crosshair }) =>
      sum +
      shareUnder(rect, over) ** 2 +
      (contains(over, crosshair) ? CROSSHAIR_WORTH : 0) +
      (shareUnder({ ...rect, ...TITLE }, over) > 0 ? TITLE_WORTH : 0),
    0,
  );
  const isInCorner =
    (left <= margins.side || left >= stage.width - margins.side - readout.width) &&
    (top <= margins.top || top >= stage.height - margins.bottom - readout.height);
  return covered + (isInCorner ? 0 : BETWEEN_WORTH) + (contains(over, pointer) ? POINTER_WORTH : 0);
}

/** @param present where they are now: they stay there as long as no other spot is clearly better; undefined to begin with */
export function bestSpot(place: ReadoutPlace, present?: ReadoutSpot): ReadoutSpot {
  const spots = spotsIn(place);
  const worths = spots.map((spot) => hidden(spot, place));
  const best = spots[worths.indexOf(Math.min(...worths))];
  const stays = present && spots.find(({ left, top }) => left === present.left && top === present.top);
  return stays && Math.min(...worths) >= CLEARLY * hidden(stays, place) ? stays : best;
}

function placeNow(run: RunView): ReadingPlace | undefined {
  const {
    view: { hoveredCell, field },
    course: { info },
    branches: { shownLabels, snapshot: shownSnapshot },
    shown,
  } = run;
  const cell = hoveredCell.value;
  const basin = info.value?.basin;
  const snapshot = shownSnapshot.value;
  if (!cell || !basin || !snapshot) return undefined;
  const subjects = [TRUTH, ...shownLabels.value];
  return { basin, snapshot, subjects, field: field.value, cell, instead: shown.value };
}

/** The last column: what is shown in place of the field, or the spread. */
interface LastColumn {
  readonly title: string;
  readonly help: string;
  readonly of: (reading: Reading) => number;
}

function lastColumn({ instead, basin }: ReadingPlace): LastColumn {
  if (!instead) {
    const spread = fieldIn(basin, 'spread');
    return { title: withUnit(spread.symbol, spread.unit), help: spread.description, of: (at) => at.spread };
  }
  const { symbol, unit, title, description } = instead;
  return { title: withUnit(symbol, unit), help: description ?? title, of: (at) => at.shown };
}

/** Whether numbers of one are those of the other, but for their cycle. */
function sameButCycle(a: ReadingPlace, b: ReadingPlace): boolean {
  return a.basin === b.basin && a.field === b.field && a.cell.x === b.cell.x && a.cell.y === b.cell.y;
}

interface ReadoutProps {
  /** Size of the views' container, pixels. */
  readonly stage: { readonly width: number; readonly height: number };
  /** Undefined while the crosshair is moved by keys. */
  readonly pointer: ScreenPoint | undefined;
}

/** From the edges of the stage, pixels; at the top beneath the titles of the views. */
const MARGINS = { side: 8, top: 52, bottom: 8 };

/** @returns a reference for the numbers, and their place */
function useSpot({ stage, pointer }: ReadoutProps, cell: GridPoint | undefined) {
  const { drawnFrame } = stageOf(useRun());
  const reference = useRef<HTMLDivElement>(null);
  const [spot, setSpot] = useState<ReadoutSpot>({ left: MARGINS.side, top: MARGINS.top });
  const views = drawnFrame.value?.views;
  useLayoutEffect(() => {
    const element = reference.current;
    if (!element || !cell || !views) return;
    const readout = { width: element.offsetWidth, height: element.offsetHeight };
    const crossed = views.map(({ rect, project }) => ({ rect, crosshair: project(cell) }));
    const best = bestSpot({ stage, readout, margins: MARGINS, views: crossed, pointer }, spot);
    setSpot((before) => (before.left === best.left && before.top === best.top ? before : best));
  });
  return { reference, style: { left: `${spot.left}px`, top: `${spot.top}px` } };
}

export function Readout(props: ReadoutProps) {
  const run = useRun();
  const { styleOf } = run.branches;
  const place = placeNow(run);
  const answer = useAnswer(place, place && readingRequests(place));
  const { reference, style: spot } = useSpot(props, place?.cell);
  if (!place) return null;
  const answered = answer?.subject && sameButCycle(answer.subject, place) ? answer.subject : undefined;
  const { basin, cell, snapshot, field: id } = answered ?? place;
  const { symbol, unit, title } = fieldIn(basin, id);
  const last = lastColumn(answered ?? place);
  const readings = readingsAt(answered ?? place, answered && answer ? answer.numbers : NO_NUMBERS);
  const columns = [
    formatColumn(readings.map(({ subject, forecast }) => (isTruth(subject) ? undefined : forecast))),
    formatColumn(readings.map(({ analysis }) => analysis)),
    formatColumn(readings.map(last.of)),
  ];
  const bed = basin.bed[cell.y * basin.nx + cell.x] ?? 0;
  // While the run continues, numbers from the GPU are of a cycle ago: then they say so.
  const late = snapshot === place.snapshot ? '' : `, cycle ${String(snapshot.cycle)}`;
  return (
    <div
      class="readout"
      ref={reference}
      style={spot}
      role="group"
      aria-label="Values at the crosshair"
      aria-busy={answered === undefined}
    >
      <header>
        <span class="number">{placeText(basin, cell)}</span>
        <span class="number readout-cell">{`${basin.isRing ? '' : `[${String(cell.x)}, ${String(cell.y)}] bed ${formatNumber(bed)} m`}${late}`}</span>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{withUnit(`${title} ${symbol}`, unit)}</th>
            <th scope="col">forecast</th>
            <th scope="col">analysis</th>
            <th scope="col" title={last.help}>
              {last.title}
            </th>
          </tr>
        </thead>
        <tbody>
          {readings.map((reading, row) => {
            const { subject } = reading;
            const style = styleOf(subject);
            return (
              <tr key={subject}>
                <th scope="row">
                  {style && <Swatch style={style} />} {style?.title ?? subject}
                </th>
                <td class="number">{isTruth(subject) ? '' : columns[0][row]}</td>
                <td class="number">{columns[1][row]}</td>
                <td class="number">{Number.isFinite(last.of(reading)) ? columns[2][row] : ''}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
