/** The roofline as a picture: roofs of each backend, a mark a kernel, and from it to its roof a bar of the remaining speed. */
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye } from 'd3';
import type { Suite } from '../../../../engine/index.ts';
import { layoutRoofline, rooflinePoints, SUITE_STYLES, X_AXIS, Y_AXIS, type RooflineLayout } from '../roofline.ts';
import type { BenchmarkResults } from '../benchmarks-state.ts';
import { formatNumber } from '../../../format/numbers.ts';
import { Axes } from '../../../plot/line-plot.tsx';
import { useSize } from '../../../plot/use-size.ts';

const SYMBOLS = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolWye, symbolStar];
/** Area of a mark, square pixels, and of the one that is chosen. */
const MARK = 62;
const CHOSEN_MARK = 130;
/** Dashes of the roofs, from the first on. */
const ROOF_DASHES = ['', '7 4', '2 3'];

function markOf(suite: Suite, area: number): string {
  return symbol(SYMBOLS[SUITE_STYLES[suite].symbol], area)() ?? '';
}

/** @returns the suites that have a mark, in the order of the results */
function suitesOf({ points }: RooflineLayout): Suite[] {
  return [...new Set(points.map(({ row }) => row.suite))];
}

function summaryOf(results: BenchmarkResults): string {
  const points = rooflinePoints(results);
  const roofs = results.backends
    .map(
      ({ name, ceilings }) =>
        `${name}: ${formatNumber(ceilings.copyGBs)} GB/s copied, ${formatNumber(ceilings.fmaGFLOPs)} GFLOP/s multiplied and added`,
    )
    .join('; ');
  const best = [...points].sort((a, b) => b.rate / b.roof - a.rate / a.roof)[0];
  const nearest = best
    ? ` Nearest to its roof is ${best.row.name} with ${formatNumber((100 * best.rate) / best.roof)} % of it.`
    : '';
  return `Roofline of ${points.length} kernels. Roofs: ${roofs}.${nearest} The table has all of them.`;
}

interface RooflineChartProps {
  readonly results: BenchmarkResults;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string | undefined) => void;
}

/** As large as its place: the style sheet says how high that is. */
export function RooflineChart({ results, chosen, onChoose }: RooflineChartProps) {
  const [area, { width, height, em }] = useSize();
  const layout = width > 0 ? layoutRoofline(results, { width, height, em }) : undefined;
  return (
    <div class="chart-area" ref={area}>
      {layout && (
        <svg
          class="chart roofline"
          role="img"
          aria-label={summaryOf(results)}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          onPointerLeave={() => onChoose(undefined)}
        >
          <Axes layout={layout} x={X_AXIS} y={Y_AXIS} em={em} />
          <Roofs layout={layout} em={em} />
          <Points layout={layout} chosen={chosen} onChoose={onChoose} />
          <Legend layout={layout} em={em} />
          <ChosenLabel layout={layout} chosen={chosen} em={em} />
        </svg>
      )}
    </div>
  );
}

function Roofs({
  layout: { roofs, left, right, bottom, top },
  em,
}: {
  readonly layout: RooflineLayout;
  readonly em: number;
}) {
  return (
    <g>
      <clipPath id="roofline-frame">
        <rect x={left} y={top - em} width={right - left} height={bottom - top + em} />
      </clipPath>
      {roofs.map(({ backend, path, bandwidth, arithmetic, isHighest }, n) => {
        const { copyGBs, fmaGFLOPs } = backend.ceilings;
        const of = roofs.length > 1 ? `${backend.name}: ` : '';
        return (
          <g key={`${backend.name} ${backend.threads ?? ''}`}>
            <path
              class="roof"
              d={path}
              stroke-dasharray={ROOF_DASHES[n % ROOF_DASHES.length]}
              clip-path="url(#roofline-frame)"
            />
            <text class="roof-label" x={arithmetic.x} y={arithmetic.y - 0.5 * em} text-anchor="end">
              {of}
              {formatNumber(fmaGFLOPs)} GFLOP/s
            </text>
            <text
              class="roof-label"
              x={bandwidth.x + (isHighest ? -0.6 : 0.8) * em}
              y={bandwidth.y + (isHighest ? -0.6 : 1) * em}
              text-anchor={isHighest ? 'end' : 'start'}
            >
              {of}
              {formatNumber(copyGBs)} GB/s
            </text>
          </g>
        );
      })}
    </g>
  );
}

interface PointsProps {
  readonly layout: RooflineLayout;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string | undefined) => void;
}

/** Dashes distinguish roofs; marks of the second backend and those after it are open. */
function Points({ layout: { points, roofs }, chosen, onChoose }: PointsProps) {
  const [first] = roofs;
  // What is chosen is drawn last, over the others.
  const sorted = [...points].sort((a, b) => Number(a.key === chosen) - Number(b.key === chosen));
  return (
    <g>
      {sorted.map(({ key, row, at, roofY }) => {
        const isChosen = key === chosen;
        const { colour } = SUITE_STYLES[row.suite];
        const isFilled = row.backend === first.backend.name;
        const style = isFilled ? { fill: colour } : { fill: 'var(--raised)', stroke: colour };
        return (
          <g key={key} opacity={chosen === undefined || isChosen ? 1 : 0.35} onPointerEnter={() => onChoose(key)}>
            <line class="roofline-gap" x1={at.x} x2={at.x} y1={at.y} y2={roofY} style={{ stroke: colour }} />
            <line
              class="roofline-gap-end"
              x1={at.x - 3}
              x2={at.x + 3}
              y1={roofY}
              y2={roofY}
              style={{ stroke: colour }}
            />
            <path
              class={isFilled ? 'roofline-mark' : 'roofline-mark open'}
              d={markOf(row.suite, isChosen ? CHOSEN_MARK : MARK)}
              transform={`translate(${at.x},${at.y})`}
              style={style}
            />
            <circle cx={at.x} cy={at.y} r={12} fill="transparent" class="chart-transient" />
          </g>
        );
      })}
    </g>
  );
}

/** Lower right, where no mark can be: there a kernel would be far below both roofs. */
function Legend({ layout, em }: { readonly layout: RooflineLayout; readonly em: number }) {
  const suites = suitesOf(layout);
  const line = 1.45 * em;
  const x = layout.right - 11 * em;
  const y = layout.bottom - line * suites.length - 0.2 * em;
  return (
    <g aria-hidden="true">
      {suites.map((suite, n) => (
        <g key={suite} transform={`translate(${x},${y + line * n})`}>
          <path
            d={markOf(suite, MARK * 0.8)}
            transform={`translate(0,${0.15 * em})`}
            style={{ fill: SUITE_STYLES[suite].colour }}
          />
          <text x={0.9 * em} y={0.5 * em}>
            {SUITE_STYLES[suite].title}
          </text>
        </g>
      ))}
    </g>
  );
}

function ChosenLabel({ layout, chosen, em }: Pick<PointsProps, 'layout' | 'chosen'> & { readonly em: number }) {
  const point = layout.points.find(({ key }) => key === chosen);
  if (!point) return null;
  const { row, at, rate, roof } = point;
  const isRight = at.x > (layout.left + layout.right) / 2;
  const x = at.x + (isRight ? -1 : 1) * em;
  const anchor = isRight ? 'end' : 'start';
  return (
    <g class="chart-transient" pointer-events="none">
      <text class="roofline-chosen" x={x} y={at.y - 0.35 * em} text-anchor={anchor}>
        {row.name}
      </text>
      <text class="roofline-chosen" x={x} y={at.y + 0.95 * em} text-anchor={anchor}>
        {formatNumber(rate)} GFLOP/s, {formatNumber((100 * rate) / roof)} % of the roof
      </text>
    </g>
  );
}
