/** The cross-section as a chart: the field of truth and methods along the cut, and the bed where it is in sight. */
import { line, scaleLinear } from 'd3';
import { useSize } from '../../charts/plot/use-size.ts';
import { fieldOf } from '../../state/fields.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import { currentSnapshot, info, styleOf } from '../../state/session-state.ts';
import { crossSection, field, phase, selectedMethods } from '../../state/view-state.ts';
import type { BasinInfo } from '../../session/session.ts';
import { cutPath, valuesAlong } from '../cross-section.ts';
import { dryDepth, fieldValue } from '../field-values.ts';
import { isComplete, numbersOf, phaseOfField, subjectPlanes } from '../snapshot-numbers.ts';
import { currentStage, drawnFrame, numbersArrived } from '../stage-state.ts';
import { hasField } from '../view-grid.ts';
import { distanceText } from './measures.tsx';

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

interface Curve {
  readonly subject: string;
  readonly values: Float64Array;
}

/** @returns undefined while numbers that it needs are on their way from the GPU */
function curveOf(subject: string, basin: BasinInfo, path: ReturnType<typeof cutPath>): Curve | undefined {
  const stage = currentStage.value;
  const snapshot = currentSnapshot.value;
  if (!stage?.numbers || !snapshot) return undefined;
  const id = field.value;
  const found = numbersOf(stage.numbers, subjectPlanes(snapshot, subject, phaseOfField(id, phase.value)), id);
  if (!isComplete(found, id)) return undefined;
  const { nx, ny } = basin;
  const dry = dryDepth(basin.bed);
  const wetValue = (i: number, j: number): number => {
    const cell = j * nx + i;
    const isWet = (found.eta?.[cell] ?? 0) - basin.bed[cell] > dry;
    return isWet ? fieldValue(id, found, basin, i, j, dry) : Number.NaN;
  };
  return { subject, values: valuesAlong(path, wetValue, nx, ny) };
}

function membersOf(label: string): number {
  return info.value?.methods.find((method) => method.label === label)?.members ?? 1;
}

function CutChart({ width, em }: { readonly width: number; readonly em: number }) {
  const cut = crossSection.value;
  const basin = info.value?.basin;
  if (!cut || !basin) return null;
  const path = cutPath(cut, basin);
  const subjects = [TRUTH, ...selectedMethods.value].filter((label) => hasField(field.value, label, membersOf(label)));
  const curves = subjects.flatMap((label) => curveOf(label, basin, path) ?? []);
  const { symbol, unit, scale } = fieldOf(field.value);
  const all = curves.flatMap(({ values }) => [...values].filter(Number.isFinite));
  if (all.length === 0) return <p class="label">The numbers along the cut are on their way.</p>;
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
  // The bed shares the scale of the surface only, and is drawn where it reaches into the chart.
  const bed =
    field.value === 'surface' && Math.max(...ground) > y.domain()[0]
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
      aria-label={`${fieldOf(field.value).title} along the cut from A to B`}
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
          {distanceText(value)}
        </text>
      ))}
      <text
        class="chart-axis-title"
        transform={`translate(${1.1 * em},${(top + bottom) / 2}) rotate(-90)`}
        text-anchor="middle"
      >
        {`${symbol} (${unit})`}
      </text>
      {bed !== undefined && (
        <>
          <clipPath id="cut-plot">
            <rect x={left} y={top} width={Math.max(0, right - left)} height={bottom - top} />
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
  const [area, { width, em }] = useSize();
  void drawnFrame.value;
  void numbersArrived.value;
  return (
    <div class="cut-strip-place" ref={area}>
      {crossSection.value && width > 0 && <Strip width={width} em={em} />}
    </div>
  );
}

function Strip({ width, em }: { readonly width: number; readonly em: number }) {
  return (
    <section class="cut-strip" aria-label="Cross-section">
      <CutChart width={width} em={em} />
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
