/** The error of each method so far, as small as a corner of the stage allows: lines from 0, and the names at their ends. */
import { line, max, scaleLinear } from 'd3';
import type { MethodDiagnostics } from '../../document/views/series.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { rmseSeries, unitOf } from '../../document/views/series.ts';
import { formatNumber } from '../../format/numbers.ts';

/** The picture’s own units; the style sheet says how large it is. */
const WIDTH = 230;
const HEIGHT = 60;
/** Room for the names at the right. */
const NAMES = 62;
const LETTER = 10.5;
const FOOT = 12;

interface LiveCurveProps {
  readonly styles: readonly MethodStyle[];
  readonly diagnostics: ReadonlyMap<string, MethodDiagnostics>;
  readonly variable: string;
  /** The cycle on screen: lines end there. */
  readonly cycle: number;
  readonly cycles: number;
}

/** @returns heights of the names, none nearer to the next than a line of type */
function spaced(heights: readonly number[]): number[] {
  const order = heights.map((_, n) => n).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  let free = LETTER / 2;
  for (const n of order) {
    placed[n] = Math.max(heights[n], free);
    free = placed[n] + LETTER;
  }
  return placed;
}

export function LiveCurve({ styles, diagnostics, variable, cycle, cycles }: LiveCurveProps) {
  const lines = styles
    .map((style) => ({
      style,
      points: rmseSeries(diagnostics.get(style.label) ?? [], variable, 'analysis').filter(
        ({ x, y }) => x <= cycle && Number.isFinite(y),
      ),
    }))
    .filter(({ points }) => points.length > 0);
  const most = max(lines.flatMap(({ points }) => points.map(({ y }) => y))) ?? 0;
  if (lines.length === 0 || most <= 0) return null;
  const x = scaleLinear([0, Math.max(1, cycles - 1)], [0, WIDTH - NAMES]);
  const y = scaleLinear([0, most], [HEIGHT - FOOT, 6]);
  const path = line<{ readonly x: number; readonly y: number }>(
    (point) => x(point.x),
    (point) => y(point.y),
  );
  const ends = lines.map(({ points }) => points[points.length - 1]);
  const names = spaced(ends.map((end) => y(end.y)));
  return (
    <svg
      class="stage-curve"
      role="img"
      aria-label={`RMSE of ${variable} of the analysis up to cycle ${cycle}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <line class="stage-curve-zero" x1={0} x2={WIDTH - NAMES} y1={y(0)} y2={y(0)} />
      <text class="stage-curve-words" x={0} y={HEIGHT - 2}>
        {`RMSE of ${variable}, 0 to ${formatNumber(most)} ${unitOf(variable)}`}
      </text>
      {lines.map(({ style, points }, n) => (
        <g key={style.label} style={{ color: style.colour }}>
          <path d={path(points) ?? ''} stroke-dasharray={style.dash} />
          <circle cx={x(ends[n].x)} cy={y(ends[n].y)} r={2.4} />
          <text x={x(ends[n].x) + 7} y={names[n]} dy="0.34em">
            {style.title}
          </text>
        </g>
      ))}
    </svg>
  );
}
