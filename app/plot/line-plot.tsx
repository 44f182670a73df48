/**
 * Lines, bands, dots and error bars over two axes, with a crosshair that reads all of them. Pointer: move to read, click to
 * select, drag to zoom in, double click to zoom out. Keyboard: arrows, Home and End to read, Enter to select, + and − to
 * zoom, 0 or Escape for everything.
 */
import { withUnit } from '../fields/fields.ts';
import { useRef, useState } from 'preact/hooks';
import { formatColumn, formatQuantity } from '../format/numbers.ts';
import { Axes } from './axes.tsx';
import { layoutPlot, nearestPoint, wholeDomain, zoomDomain } from './layout.ts';
import type { PlotLayout, PlotSeries, ReferenceLine } from './layout.ts';
import { dataDomain, type AxisSpec } from './scales.ts';
import { useSize } from './use-size.ts';

interface PlotMark {
  readonly x: number;
  readonly text: string;
}

/** What is pointed at, and what is shown of the axis; shared by charts over the same axis. */
export interface Pointing {
  readonly hovered: number | undefined;
  readonly hover: (x: number | undefined) => void;
  /** How far from the pointer a value may be to be read with it, in the unit of the axis. */
  readonly reach?: number;
  /** Marked with a line: the cycle that the stage shows. */
  readonly selected?: number;
  readonly select?: (x: number) => void;
  /** Where something happened that the lines show: a short line, and its words. */
  readonly marks?: readonly PlotMark[];
  /** What is shown of the axis; undefined for all. */
  readonly domain?: readonly [number, number];
  readonly zoom?: (domain: readonly [number, number] | undefined) => void;
}

export interface LinePlotProps {
  /** What the chart says, in a sentence: its name for those who do not see it. */
  readonly summary: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly series: readonly PlotSeries[];
  readonly references?: readonly ReferenceLine[];
  readonly pointing: Pointing;
  /** In type sizes of the labels. */
  readonly heightEm?: number;
  /** Letters of the longest label in charts below each other. */
  readonly labelLetters?: number;
  /** `cycle 12` */
  readonly nameOf: (x: number) => string;
}

/** A shorter drag is a click. Pixels. */
const CLICK = 5;
/** Reach for whole numbers, as cycles and iterations are. */
const REACH = 0.5;
/** Zoom factor of a key or a turn of the wheel. */
const ZOOM = 0.7;

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
              <Crosshair layout={layout} series={read} hovered={pointing.hovered} reach={pointing.reach} />
            </svg>
            <Overlay {...props} series={read} layout={layout} />
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
  // A nested viewport clips what a zoomed axis leaves outside, without an identifier of its own.
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
        x={left}
        y={top - 3}
        width={right - left}
        height={bottom - top + 6}
        viewBox={`${left} ${top - 3} ${right - left} ${bottom - top + 6}`}
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

interface Reading {
  readonly key: string;
  readonly label: string;
  /** What it is called beneath the line that it is beside; undefined if it is by itself. */
  readonly beneath: string | undefined;
  readonly color: string;
  readonly dash: string;
  readonly text: string;
}

/** Each line with those beside it beneath. */
function grouped(series: readonly PlotSeries[]): readonly PlotSeries[] {
  const keys = new Set(series.map(({ key }) => key));
  const isAlone = ({ beside }: PlotSeries): boolean => beside === undefined || !keys.has(beside);
  return series.filter(isAlone).flatMap((one) => [one, ...series.filter(({ beside }) => beside === one.key)]);
}

/** What each line has at the place that is nearest to the one pointed at. */
function readingsAt(series: readonly PlotSeries[], hovered: number, unit: string, reach = REACH): Reading[] {
  const keys = new Set(series.map(({ key }) => key));
  const found = grouped(series).flatMap(({ key, label, endLabel, beside, color, dash, points }) => {
    const point = nearestPoint(points, hovered);
    const beneath = beside !== undefined && keys.has(beside) ? endLabel : undefined;
    return point === undefined || Math.abs(point.x - hovered) > reach
      ? []
      : [{ key, label, beneath, color, dash, y: point.y }];
  });
  const texts = formatColumn(found.map(({ y }) => y));
  return found.map(({ y, ...line }, n) => ({
    ...line,
    text: unit === '' || !Number.isFinite(y) ? texts[n] : `${texts[n]}\u00a0${unit}`,
  }));
}

/** All places that have a value, ascending: where the crosshair may be. */
function placesOf(series: readonly PlotSeries[], [from, to]: readonly [number, number], whole: boolean): number[] {
  const places = new Set(series.flatMap(({ points }) => points.map((point) => point.x)));
  return [...places]
    .filter((place) => place >= from && place <= to && (!whole || Number.isInteger(place)))
    .sort((a, b) => a - b);
}

function Overlay(props: LinePlotProps & { readonly layout: PlotLayout }) {
  const { layout, series, pointing, nameOf, summary, x: axis, y } = props;
  const { left, right, top, bottom, x } = layout;
  const { hovered, hover, select, zoom } = pointing;
  const pressed = useRef<number | undefined>(undefined);
  const [drag, setDrag] = useState<readonly [number, number]>();
  const places = (): number[] => placesOf(series, x.domain, axis.whole === true);

  const placeAt = (event: PointerEvent | WheelEvent | MouseEvent, target: HTMLElement): number => {
    const pixel = left + event.clientX - target.getBoundingClientRect().left;
    return x.invert(Math.min(right, Math.max(left, pixel)));
  };
  const snap = (place: number): number | undefined =>
    nearestPoint(
      places().map((at) => ({ x: at, y: 0 })),
      place,
    )?.x;
  const whole = (): readonly [number, number] => {
    const all = series.flatMap(({ points }) => points.map((point) => point.x));
    return axis.domain ?? dataDomain(all, 'linear') ?? x.domain;
  };
  const zoomBy = (factor: number, about: number): void => {
    const next = zoomDomain(x.domain, whole(), about, factor, axis.whole ? 4 : (whole()[1] - whole()[0]) / 1000);
    zoom?.(axis.whole && next ? wholeDomain(next) : next);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = places();
    if (all.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const current = hovered ?? pointing.selected ?? all[all.length - 1];
    const index = all.indexOf(snap(current) ?? all[all.length - 1]);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => hover(all[Math.max(0, index - 1)]),
      ArrowDown: () => hover(all[Math.max(0, index - 1)]),
      ArrowRight: () => hover(all[Math.min(all.length - 1, index + 1)]),
      ArrowUp: () => hover(all[Math.min(all.length - 1, index + 1)]),
      Home: () => hover(all[0]),
      End: () => hover(all[all.length - 1]),
      Enter: () => select?.(all[index]),
      ' ': () => select?.(all[index]),
      '+': () => zoomBy(ZOOM, current),
      '=': () => zoomBy(ZOOM, current),
      '-': () => zoomBy(1 / ZOOM, current),
      '0': () => zoom?.(undefined),
      Escape: () => (pointing.domain === undefined ? hover(undefined) : zoom?.(undefined)),
    };
    if (!Object.hasOwn(moves, event.key)) return;
    moves[event.key]();
    event.preventDefault();
    event.stopPropagation();
  };

  const readings = hovered === undefined ? [] : readingsAt(series, hovered, y.unit, pointing.reach);
  const all = places();
  const now = hovered ?? pointing.selected ?? all[all.length - 1] ?? 0;
  const spoken = readingsAt(series, now, y.unit, pointing.reach).map(({ label, text }) => `${label} ${text}`);
  const valueText = [nameOf(now), ...spoken].join(', ');
  return (
    <>
      <div
        class="chart-overlay"
        role="slider"
        tabIndex={0}
        aria-label={`${withUnit(y.label, y.unit)} by ${axis.label}: read values`}
        aria-description={summary}
        aria-valuemin={x.domain[0]}
        aria-valuemax={x.domain[1]}
        aria-valuenow={now}
        aria-valuetext={valueText}
        style={{ left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` }}
        onKeyDown={onKeyDown}
        onBlur={() => hover(undefined)}
        onPointerLeave={() => hover(undefined)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          pressed.current = event.clientX;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const target = event.currentTarget;
          hover(snap(placeAt(event, target)));
          if (pressed.current === undefined || zoom === undefined) return;
          if (drag === undefined && Math.abs(event.clientX - pressed.current) < CLICK) return;
          const offset = target.getBoundingClientRect().left;
          setDrag([pressed.current - offset, Math.min(right - left, Math.max(0, event.clientX - offset))]);
        }}
        onPointerUp={(event) => {
          if (pressed.current === undefined) return;
          pressed.current = undefined;
          setDrag(undefined);
          if (drag === undefined) {
            const place = snap(placeAt(event, event.currentTarget));
            if (place !== undefined) select?.(place);
            return;
          }
          const ends = drag.map((pixel) => x.invert(left + pixel)).sort((a, b) => a - b);
          if (ends[1] > ends[0]) zoom?.(axis.whole ? wholeDomain([ends[0], ends[1]]) : [ends[0], ends[1]]);
        }}
        onPointerCancel={() => {
          pressed.current = undefined;
          setDrag(undefined);
        }}
        onDblClick={() => zoom?.(undefined)}
        onWheel={(event) => {
          if (zoom === undefined || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          zoomBy(event.deltaY < 0 ? ZOOM : 1 / ZOOM, placeAt(event, event.currentTarget));
        }}
      >
        {drag !== undefined && (
          <div
            class="chart-brush"
            style={{ left: `${Math.min(...drag)}px`, width: `${Math.abs(drag[1] - drag[0])}px` }}
          />
        )}
      </div>
      {hovered !== undefined && readings.length > 0 && (
        <div
          class={x.at(hovered) > (left + right) / 2 ? 'chart-reading left' : 'chart-reading'}
          aria-hidden="true"
          style={{ insetInlineStart: `${x.at(hovered)}px`, top: `${top}px` }}
        >
          <strong>{nameOf(hovered)}</strong>
          {readings.map(({ key, label, beneath, color, dash, text }) => (
            <span key={key} class={beneath === undefined ? undefined : 'beneath'}>
              <svg width="16" height="8" viewBox="0 0 16 8">
                <path d="M0 4H16" stroke={color} stroke-width="2" stroke-dasharray={dash} />
              </svg>
              {beneath ?? label} <b>{text}</b>
            </span>
          ))}
        </div>
      )}
    </>
  );
}
