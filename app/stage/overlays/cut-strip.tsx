/** The cross-section as a chart: the field of truth and methods along the cut, and the bed where it is in sight. */
import { line, scaleLinear } from 'd3';
import { formatNumber } from '../../format/numbers.ts';
import { useSize } from '../../plot/use-size.ts';
import { useRun } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import { fieldIn, withUnit } from '../../fields/fields.ts';
import { isTruth, TRUTH } from '../../document/views/method-style.ts';
import type { Answer } from '../../document/values/plane-reader.ts';
import { useAnswer } from '../../document/values/use-answer.ts';
import { valuesAlong, cutCurves, cutRequests } from '../cut-curves.ts';
import type { CutPlace } from '../cut-curves.ts';
import { fieldOfShown, wordsOfField } from '../../document/views/shown-planes.ts';
import { hasField, SINGLE } from '../view-grid.ts';
import type { SubjectKind } from '../view-grid.ts';
import { distanceText } from '../../document/views/place-text.ts';

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
  // Labels at the lines' ends, pushed apart where they would overlap.
  const ends = curves
    .map(({ subject, values }) => ({ subject, at: y(values.findLast(Number.isFinite) ?? 0) }))
    .sort((a, b) => a.at - b.at);
  let lowest = Number.NEGATIVE_INFINITY;
  const labels = ends.map(({ subject, at }) => {
    lowest = Math.max(at, lowest + 1.2 * em);
    return { subject, at: lowest };
  });
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
      {labels.map(({ subject, at }) => {
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
