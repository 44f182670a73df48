/** The numbers of all subjects at the crosshair. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatColumn, formatNumber } from '../../format/numbers.ts';
import { useRun } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import { fieldIn, withUnit } from '../../fields/fields.ts';
import { isTruth, TRUTH } from '../../document/views/method-style.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import type { Numbers } from '../../document/values/plane-reader.ts';
import { useAnswer } from '../../document/values/use-answer.ts';
import { placeText } from '../../document/views/place-text.ts';
import { readingRequests, readingsAt } from '../readings.ts';
import type { Reading, ReadingPlace } from '../readings.ts';
import type { ScreenPoint } from '../stage-model.ts';
import { bestSpot } from './readout-spot.ts';
import type { ReadoutSpot } from './readout-spot.ts';
import { Swatch } from '../../controls/line-name.tsx';
import { stageOf } from '../stage-state.ts';

const NO_NUMBERS: Numbers = () => undefined;

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
