/** The cross-section as a chart: where it runs, the field of truth and methods along it, and the bed where it is in sight. */
import { line, scaleLinear } from 'd3';
import { formatNumber } from '../../format/numbers.ts';
import { placeLabels } from '../../plot/labels.ts';
import { useSize } from '../../plot/use-size.ts';
import { useRun, useAnswer } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import { fieldIn, withUnit, type ViewFieldId } from '../../fields/fields.ts';
import { isTruth, TRUTH } from '../../document/views/method-style.ts';
import { fieldOfShown, wordsOfField, type ShownPlanes } from '../../document/views/shown-planes.ts';
import { hasField, SINGLE, type SubjectKind } from '../view-grid.ts';
import { distanceText, type CrossSection, type Phase } from '../../document/views/view-state.ts';
import type { ShownSnapshot } from '../../document/lines/shown.ts';
import type { BasinInfo } from '../../../engine/index.ts';
import { requestsFor, type Answer, type Numbers, type PlaneRequest } from '../../document/values/plane-reader.ts';
import { cellsOfField, dryDepth, fieldValues, isWet, planesOfField } from '../../document/views/field-values.ts';
import type { FieldPlanes } from '../../document/views/field-values.ts';
import { isComplete, numbersOf, phaseOfField, subjectPlanes, type SubjectPlanes } from '../snapshot-numbers.ts';

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

interface CutCurves {
  readonly path: CutPath;
  readonly curves: readonly { readonly subject: string; readonly values: Float64Array }[];
}

function planesAt({ snapshot, field, phase, instead }: CutPlace, subject: string): SubjectPlanes | undefined {
  return subjectPlanes(snapshot, subject, phaseOfField(field, phase), field, instead);
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

interface StripLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** @param em size of the labels' type, pixels: room for words follows it */
function layoutStrip(width: number, em: number): StripLayout {
  const height = Math.round(6.5 * em + 76);
  return { width, height, left: 4.8 * em, right: width - 8.6 * em, top: 1.2 * em, bottom: height - 2.3 * em };
}

function kindOf(run: RunView, label: string): SubjectKind {
  return run.branches.subjects.value.find((subject) => subject.label === label) ?? SINGLE;
}

function placeNow(run: RunView): CutPlace | undefined {
  const {
    view: { crossSection, field, phase },
    course: { info },
    branches: { shownLabels, snapshot: shownSnapshot },
    shown,
  } = run;
  const cut = crossSection.value;
  const basin = info.value?.basin;
  const snapshot = shownSnapshot.value;
  if (!cut || !basin || !snapshot) return undefined;
  const instead = shown.value;
  const drawn = instead ? fieldOfShown(instead) : field.value;
  const subjects = [TRUTH, ...shownLabels.value].filter(
    (label) => instead?.planes.has(label) ?? hasField(field.value, label, kindOf(run, label)),
  );
  return { basin, snapshot, subjects, field: drawn, phase: phase.value, cut, instead };
}

interface CutChartProperties {
  readonly width: number;
  /** Size of the labels' type, pixels. */
  readonly em: number;
  readonly answer: Answer<CutPlace>;
  /** The answer to what is asked now is on its way. */
  readonly busy: boolean;
}

/** All that the chart says is of the cut that was answered. */
function CutChart({ width, em, answer, busy }: CutChartProperties) {
  const { styleOf } = useRun().branches;
  const { basin, snapshot, field: id, instead } = answer.subject;
  const { path, curves } = cutCurves(answer.subject, answer.numbers);
  const { symbol, unit, scale, title } = wordsOfField(id, instead, basin);
  const time = snapshot.cycle < 0 ? 'start' : `cycle ${String(snapshot.cycle)}`;
  const all = curves.flatMap(({ values }) => [...values].filter(Number.isFinite));
  if (all.length === 0) return <p class="label">There is no water along the cut.</p>;
  let [low, high] = [Math.min(...all), Math.max(...all)];
  if (scale === 'diverging') [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const { height, left, right, top, bottom } = layoutStrip(width, em);
  const length = path.distance.at(-1) ?? 1;
  const levels = Math.max(2, Math.round((bottom - top) / (2.4 * em)));
  const x = scaleLinear([0, length], [left, right]);
  const y = scaleLinear([low, high], [bottom, top]).nice(levels);
  const levelText = y.tickFormat(levels);
  const curve = (values: ArrayLike<number>): string =>
    line<number>()
      .defined((k) => Number.isFinite(values[k] ?? Number.NaN))
      .x((k) => x(path.distance[k] ?? 0))
      .y((k) => y(values[k] ?? 0))(Array.from({ length: values.length }, (_, k) => k)) ?? '';
  const ground = valuesAlong(path, (i, j) => basin.bed[j * basin.nx + i], basin.nx, basin.ny);
  // The bed is drawn where it shares the field's scale and reaches into the chart.
  const bed =
    fieldIn(basin, id).isElevation && Math.max(...ground) > y.domain()[0]
      ? `${curve(ground)}L${x(length)} ${height}L${x(0)} ${height}Z`
      : undefined;
  const ends = curves.map(({ subject, values }) => ({
    key: subject,
    wanted: y(values.findLast(Number.isFinite) ?? 0),
  }));
  const labels = placeLabels(ends, 1.2 * em, top, bottom);
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-busy={busy}
      aria-label={`${title} along the cut from A to B, ${time}`}
    >
      {y.ticks(levels).map((value) => (
        <g key={value}>
          <line class="chart-grid" x1={left} x2={right} y1={y(value)} y2={y(value)} />
          <text class="chart-tick" x={left - 6} y={y(value)} dy="0.33em" text-anchor="end">
            {levelText(value)}
          </text>
        </g>
      ))}
      {x.ticks(Math.max(2, Math.floor((right - left) / (6 * em)))).map((value) => (
        <text key={value} class="chart-tick" x={x(value)} y={bottom + 1.6 * em} text-anchor="middle">
          {basin.isRing ? formatNumber(value) : distanceText(value)}
        </text>
      ))}
      <text
        class="chart-axis-title"
        transform={`translate(${1.1 * em},${(top + bottom) / 2}) rotate(-90)`}
        text-anchor="middle"
      >
        {withUnit(symbol, unit)}
      </text>
      {busy && (
        <text class="chart-tick" x={left + 6} y={top} dy="0.33em">
          {time}
        </text>
      )}
      {bed !== undefined && (
        <>
          <clipPath id="cut-plot">
            <rect x={left} y={top} width={Math.max(0, right - left)} height={bottom - top} />
          </clipPath>
          <path class="cut-bed" clip-path="url(#cut-plot)" d={bed} />
        </>
      )}
      {curves.map(({ subject, values }) => {
        const style = styleOf(subject);
        return (
          <path
            key={subject}
            d={curve(values)}
            fill="none"
            stroke-width={isTruth(subject) ? 2 : 1.5}
            stroke-dasharray={style?.dash}
            style={{ stroke: style?.colour ?? 'currentColor' }}
          />
        );
      })}
      {[...(labels ?? [])].map(([subject, at]) => {
        const style = styleOf(subject);
        return (
          <text
            key={subject}
            class="cut-label"
            x={right + 6}
            y={at}
            dy="0.33em"
            style={{ fill: style?.colour ?? 'currentColor' }}
          >
            {style?.title ?? subject}
          </text>
        );
      })}
    </svg>
  );
}

export function CutStrip() {
  const { crossSection } = useRun().view;
  const [area, { width, em }] = useSize();
  return (
    <div class="cut-strip-place" ref={area}>
      {crossSection.value && width > 0 && <Strip width={width} em={em} />}
    </div>
  );
}

function Strip({ width, em }: { readonly width: number; readonly em: number }) {
  const run = useRun();
  const { crossSection } = run.view;
  const place = placeNow(run);
  const answer = useAnswer(place, place && cutRequests(place));
  if (!place) return null;
  const answered = answer?.subject?.basin === place.basin ? answer.subject : undefined;
  return (
    <section class="cut-strip" aria-label="Cross-section">
      {answer && answered ? (
        <CutChart
          width={width}
          em={em}
          answer={{ subject: answered, numbers: answer.numbers }}
          busy={answered !== place}
        />
      ) : (
        <p class="label">The numbers along the cut are on their way.</p>
      )}
      <button
        type="button"
        class="icon-button cut-close"
        aria-label="Remove the cross-section"
        title="Remove the cross-section (Esc)"
        onClick={() => {
          crossSection.value = undefined;
        }}
      >
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d="m4 4 8 8M12 4l-8 8" />
        </svg>
      </button>
    </section>
  );
}
