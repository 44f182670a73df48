/** The cross-section as a chart: the field of truth and methods along the cut, and the bed where it is in sight. */
import { line, scaleLinear } from 'd3';
import { formatNumber } from '../../charts/numbers.ts';
import { fieldOf } from '../../state/fields.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import { currentSnapshot, info, styleOf } from '../../state/session-state.ts';
import { crossSection, field, phase, selectedMethods } from '../../state/view-state.ts';
import type { Answer } from '../../values/plane-reader.ts';
import { useAnswer } from '../../values/use-answer.ts';
import { valuesAlong } from '../cross-section.ts';
import { cutCurves, cutRequests } from '../cut-curves.ts';
import type { CutPlace } from '../cut-curves.ts';
import { hasField } from '../view-grid.ts';
import { distanceText } from './measures.tsx';

const HEIGHT = 148;
const MARGIN = { left: 52, right: 96, top: 12, bottom: 26 };

function membersOf(label: string): number {
  return info.value?.methods.find((method) => method.label === label)?.members ?? 1;
}

function placeNow(): CutPlace | undefined {
  const cut = crossSection.value;
  const basin = info.value?.basin;
  const snapshot = currentSnapshot.value;
  if (!cut || !basin || !snapshot) return undefined;
  const subjects = [TRUTH, ...selectedMethods.value].filter((label) => hasField(field.value, label, membersOf(label)));
  return { basin, snapshot, subjects, field: field.value, phase: phase.value, cut };
}

interface CutChartProperties {
  readonly width: number;
  readonly answer: Answer<CutPlace>;
  /** Another cut, field or cycle is on its way. */
  readonly busy: boolean;
}

/** All that the chart says is of the cut that was answered. */
function CutChart({ width, answer, busy }: CutChartProperties) {
  const { basin, snapshot, field: id } = answer.subject;
  const { path, curves } = cutCurves(answer.subject, answer.numbers);
  const { symbol, unit, scale, title } = fieldOf(id);
  const time = snapshot.cycle < 0 ? 'start' : `cycle ${String(snapshot.cycle)}`;
  const all = curves.flatMap(({ values }) => [...values].filter(Number.isFinite));
  if (all.length === 0) return <p class="label">There is no water along the cut.</p>;
  let [low, high] = [Math.min(...all), Math.max(...all)];
  if (scale === 'diverging') [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const length = path.distance.at(-1) ?? 1;
  const x = scaleLinear([0, length], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear([low, high], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const curve = (values: ArrayLike<number>): string =>
    line<number>()
      .defined((k) => Number.isFinite(values[k] ?? Number.NaN))
      .x((k) => x(path.distance[k] ?? 0))
      .y((k) => y(values[k] ?? 0))(Array.from({ length: values.length }, (_, k) => k)) ?? '';
  const ground = valuesAlong(path, (i, j) => basin.bed[j * basin.nx + i], basin.nx, basin.ny);
  // The bed shares the scale of the surface only, and is drawn where it reaches into the chart.
  const bed =
    id === 'surface' && Math.max(...ground) > y.domain()[0]
      ? `${curve(ground)}L${x(length)} ${HEIGHT}L${x(0)} ${HEIGHT}Z`
      : undefined;
  // Labels at the lines' ends, pushed apart where they would overlap.
  const ends = curves
    .map(({ subject, values }) => ({ subject, at: y(values.findLast(Number.isFinite) ?? 0) }))
    .sort((a, b) => a.at - b.at);
  let lowest = Number.NEGATIVE_INFINITY;
  const labels = ends.map(({ subject, at }) => {
    lowest = Math.max(at, lowest + 13);
    return { subject, at: lowest };
  });
  return (
    <svg
      width={width}
      height={HEIGHT}
      role="img"
      aria-busy={busy}
      aria-label={`${title} along the cut from A to B, ${time}`}
    >
      {y.ticks(4).map((value) => (
        <g key={value}>
          <line class="chart-grid" x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
          <text class="chart-tick" x={MARGIN.left - 6} y={y(value)} dy="0.33em" text-anchor="end">
            {formatNumber(value)}
          </text>
        </g>
      ))}
      {x.ticks(6).map((value) => (
        <text key={value} class="chart-tick" x={x(value)} y={HEIGHT - 8} text-anchor="middle">
          {distanceText(value)}
        </text>
      ))}
      <text class="chart-axis-title" transform={`translate(12,${HEIGHT / 2}) rotate(-90)`} text-anchor="middle">
        {`${symbol} (${unit})`}
      </text>
      {busy && (
        <text class="chart-tick" x={MARGIN.left + 6} y={MARGIN.top} dy="0.33em">
          {time}
        </text>
      )}
      {bed !== undefined && (
        <>
          <clipPath id="cut-plot">
            <rect
              x={MARGIN.left}
              y={MARGIN.top}
              width={Math.max(0, width - MARGIN.left - MARGIN.right)}
              height={HEIGHT - MARGIN.top - MARGIN.bottom}
            />
          </clipPath>
          <path class="cut-bed" clip-path="url(#cut-plot)" d={bed} />
        </>
      )}
      {curves.map(({ subject, values }) => {
        const style = subject === TRUTH ? TRUTH_STYLE : styleOf(subject);
        return (
          <path
            key={subject}
            d={curve(values)}
            fill="none"
            stroke-width={subject === TRUTH ? 2 : 1.5}
            stroke-dasharray={style?.dash}
            style={{ stroke: style?.colour ?? 'currentColor' }}
          />
        );
      })}
      {labels.map(({ subject, at }) => {
        const style = subject === TRUTH ? TRUTH_STYLE : styleOf(subject);
        return (
          <text
            key={subject}
            class="cut-label"
            x={width - MARGIN.right + 6}
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

export function CutStrip({ width }: { readonly width: number }) {
  const place = placeNow();
  const answer = useAnswer(place, place && cutRequests(place));
  if (!place) return null;
  const answered = answer?.subject?.basin === place.basin ? answer.subject : undefined;
  return (
    <section class="cut-strip" aria-label="Cross-section">
      {answer && answered ? (
        <CutChart
          width={width}
          answer={{ subject: answered, numbers: answer.numbers }}
          busy={answered.snapshot !== place.snapshot || answered.cut !== place.cut || answered.field !== place.field}
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
