/** Lines, bands, dots and error bars over two axes with few ticks and a light grid, with a crosshair that reads all of them. */
import { formatQuantity, splitPower } from '../format/numbers.ts';
import { layoutPlot, nearestPoint, type PlotLayout, type PlotSeries, type ReferenceLine } from './layout.ts';
import { PlotOverlay, REACH, type PlotMark, type ReadPlot } from './plot-overlay.tsx';
import type { AxisSpec } from './scales.ts';
import { useSize } from './use-size.ts';
import { withUnit } from '../fields/fields.ts';

interface AxesProps {
  readonly layout: Pick<PlotLayout, 'left' | 'right' | 'bottom' | 'x' | 'y'>;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly em: number;
}

/** The text of a tick; a power of ten has its exponent raised by markup, for which no font needs a glyph. */
function TickText({ text }: { readonly text: string }) {
  const power = splitPower(text);
  if (!power) return text;
  return (
    <>
      {power.base}
      <tspan dy="-0.45em" font-size="0.75em">
        {power.exponent}
      </tspan>
    </>
  );
}

export function Axes({ layout, x, y, em }: AxesProps) {
  const { left, right, bottom } = layout;
  return (
    <g class="chart-axes" aria-hidden="true">
      {layout.y.ticks.map(({ value, text }) => {
        const at = layout.y.at(value);
        return (
          <g key={value}>
            <line class="chart-grid" x1={left} x2={right} y1={at} y2={at} />
            <text class="chart-tick" x={left - 5} y={at} dy="0.32em" text-anchor="end">
              <TickText text={text} />
            </text>
          </g>
        );
      })}
      <line class="chart-axis" x1={left} x2={right} y1={bottom} y2={bottom} />
      {layout.x.ticks.map(({ value, text }) => {
        const at = layout.x.at(value);
        return (
          <g key={value}>
            <line class="chart-axis" x1={at} x2={at} y1={bottom} y2={bottom + 4} />
            <text class="chart-tick" x={at} y={bottom + 4 + 0.95 * em} text-anchor="middle">
              <TickText text={text} />
            </text>
          </g>
        );
      })}
      <text class="chart-axis-title" x={(left + right) / 2} y={bottom + 4 + 2.15 * em} text-anchor="middle">
        {withUnit(x.label, x.unit)}
      </text>
      <text class="chart-axis-title" x={0} y={0.95 * em}>
        {withUnit(y.label, y.unit)}
      </text>
    </g>
  );
}

interface LinePlotProps extends ReadPlot {
  readonly references?: readonly ReferenceLine[];
  /** In type sizes of the labels. */
  readonly heightEm?: number;
  /** Letters of the longest label in charts below each other. */
  readonly labelLetters?: number;
}

export function LinePlot(props: LinePlotProps) {
  const { summary, y, series, references, pointing, heightEm = 14, labelLetters = 0 } = props;
  const [area, { width, em, stretch }] = useSize();
  const x: AxisSpec = pointing.domain === undefined ? props.x : { ...props.x, domain: pointing.domain };
  const height = Math.round(heightEm * em * stretch);
  const layout = width > 0 ? layoutPlot({ width, height, em, x, y, series, references, labelLetters }) : undefined;
  const beyond = layout?.beyond ?? [];
  const read = series.filter(({ guide }) => guide !== true);
  return (
    <>
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {layout !== undefined && (
          <>
            <svg
              class="chart"
              role="img"
              aria-label={summary}
              data-legend={layout.needsLegend}
              width={width}
              height={height}
              viewBox={`0 0 ${width} ${height}`}
            >
              <Axes layout={layout} x={x} y={y} em={em} />
              <Events layout={layout} em={em} marks={pointing.marks ?? []} />
              <Marks layout={layout} em={em} selected={pointing.selected} />
              <Pin layout={layout} em={em} pinned={pointing.pinned} />
              <Crosshair
                layout={layout}
                series={read}
                hovered={pointing.hovered ?? pointing.pinned}
                reach={pointing.reach}
              />
            </svg>
            <PlotOverlay {...props} series={read} layout={layout} />
          </>
        )}
      </div>
      {beyond.length > 0 && (
        <p class="figure-note">
          Beyond the axis: {beyond.map(({ label, value }) => `${label} ${formatQuantity(value, y.unit)}`).join(', ')}.
        </p>
      )}
    </>
  );
}

function Marks({ layout, em, selected }: { layout: PlotLayout; em: number; selected: number | undefined }) {
  const { left, right, top, bottom, x } = layout;
  const shown = selected !== undefined && selected >= x.domain[0] && selected <= x.domain[1];
  // A nested viewport clips what a zoomed axis leaves outside, without an identifier of its own; a dot at an edge is whole.
  return (
    <>
      {layout.references.map(({ y, label }) => (
        <g key={label} class="chart-reference">
          <line x1={left} x2={right} y1={y} y2={y} />
          <text x={right - 3} y={y - 4} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      {shown && (
        <line class="chart-selected chart-transient" x1={x.at(selected)} x2={x.at(selected)} y1={top} y2={bottom} />
      )}
      <svg
        x={left - 3}
        y={top - 3}
        width={right - left + 6}
        height={bottom - top + 6}
        viewBox={`${left - 3} ${top - 3} ${right - left + 6} ${bottom - top + 6}`}
      >
        {layout.series.map(({ series, band, bundle }) => (
          <g key={series.key} class={series.faded ? 'chart-faded' : undefined}>
            {band !== '' && <path class="chart-band" d={band} fill={series.color} stroke={series.color} />}
            {bundle !== '' && <path class="chart-bundle" d={bundle} stroke={series.color} />}
          </g>
        ))}
        {layout.series.map(({ series, line, dots, errorBars }) => (
          <g
            key={series.key}
            class={series.faded ? 'chart-faded' : undefined}
            stroke={series.color}
            fill={series.color}
          >
            {line !== '' && (
              <path class={series.thin ? 'chart-line thin' : 'chart-line'} d={line} stroke-dasharray={series.dash} />
            )}
            {errorBars.map((bar) => (
              <line key={bar.x} class="chart-error-bar" x1={bar.x} x2={bar.x} y1={bar.from} y2={bar.to} />
            ))}
            {dots.map((dot) => (
              <circle key={dot.x} class="chart-dot" cx={dot.x} cy={dot.y} r={0.22 * em} />
            ))}
          </g>
        ))}
      </svg>
      {layout.series.map(
        ({ series, end }) =>
          end && (
            <path key={series.key} class="chart-end" d={crossAt(end, 0.36 * em)} stroke={series.color}>
              <title>{`${series.label} ends here`}</title>
            </path>
          ),
      )}
      {layout.labels.map(({ key, lines, color, x: at, y }) => (
        <text key={key} class="chart-label" x={at} y={y} dy="0.32em" fill={color}>
          {lines.map((text, n) => (
            <tspan key={text} x={at} y={y + n * layout.lineHeight} dy="0.32em">
              {text}
            </tspan>
          ))}
        </text>
      ))}
    </>
  );
}

/** Flags over the chart, each with a line through it, where something happened. */
function Events({ layout, em, marks }: { layout: PlotLayout; em: number; marks: readonly PlotMark[] }) {
  const { top, bottom, x } = layout;
  const half = 0.36 * em;
  return marks
    .filter((mark) => mark.x >= x.domain[0] && mark.x <= x.domain[1])
    .map((mark) => {
      const at = x.at(mark.x);
      return (
        <g key={`${mark.x} ${mark.text}`} class="chart-event">
          <title>{mark.text}</title>
          <line x1={at} x2={at} y1={top} y2={bottom} />
          <path d={`M${at - half},${top - 1.6 * half}H${at + half}L${at},${top}Z`} />
        </g>
      );
    });
}

/** Two strokes across a point. */
function crossAt({ x, y }: { readonly x: number; readonly y: number }, size: number): string {
  return `M${x - size},${y - size}L${x + size},${y + size}M${x - size},${y + size}L${x + size},${y - size}`;
}

/** A flag at the top and a line where the cursor is pinned. */
function Pin({ layout, em, pinned }: { layout: PlotLayout; em: number; pinned: number | undefined }) {
  const { top, bottom, x } = layout;
  if (pinned === undefined || pinned < x.domain[0] || pinned > x.domain[1]) return null;
  const [at, size] = [x.at(pinned), 0.5 * em];
  return (
    <g class="chart-pin chart-transient" aria-hidden="true">
      <line x1={at} x2={at} y1={top} y2={bottom} />
      <path
        d={`M${at},${top}h${1.4 * size}l${-0.5 * size},${0.5 * size}l${0.5 * size},${0.5 * size}h${-1.4 * size}z`}
      />
    </g>
  );
}

interface CrosshairProps {
  readonly layout: PlotLayout;
  readonly series: readonly PlotSeries[];
  readonly hovered: number | undefined;
  readonly reach: number | undefined;
}

function Crosshair({ layout, series, hovered, reach = REACH }: CrosshairProps) {
  const { x, y, top, bottom } = layout;
  if (hovered === undefined || hovered < x.domain[0] || hovered > x.domain[1]) return null;
  return (
    <g class="chart-transient" aria-hidden="true">
      <line class="chart-crosshair" x1={x.at(hovered)} x2={x.at(hovered)} y1={top} y2={bottom} />
      {series.map(({ key, points, color }) => {
        const point = nearestPoint(points, hovered);
        if (point === undefined || Math.abs(point.x - hovered) > reach) return null;
        const at = y.at(point.y);
        if (!(at >= top - 1 && at <= bottom + 1)) return null;
        return <circle key={key} class="chart-crosshair-dot" cx={x.at(point.x)} cy={at} r={3.5} fill={color} />;
      })}
    </g>
  );
}
