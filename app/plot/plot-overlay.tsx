/**
 * What a hand and the keyboard do with a chart. Pointer: move to read, click to select, drag to zoom in, drag with Shift to move along
 * the axis, click with Shift to pin the cursor, double click to zoom out; the wheel zooms where the chart fills the window, elsewhere
 * with Control. Keyboard: arrows, Home and End to read, Enter to select, P to pin, + and − to zoom, Shift and arrows to move along
 * the axis, 0 or Escape for everything.
 */
import { useRef, useState } from 'preact/hooks';
import { withUnit } from '../fields/fields.ts';
import { formatColumn } from '../format/numbers.ts';
import { takeKey } from './keys.ts';
import { nearestPoint, panDomain, wholeDomain, zoomDomain, type PlotLayout, type PlotSeries } from './layout.ts';
import { dataDomain, type AxisSpec } from './scales.ts';

/** A shorter drag is a click. Pixels. */
const CLICK = 5;
/** Reach for whole numbers, as cycles and iterations are. */
export const REACH = 0.5;
/** Zoom factor of a key or a turn of the wheel. */
const ZOOM = 0.7;
/** Share of what is shown that a key moves along the axis. */
const PAN = 0.25;

export interface PlotMark {
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
  /** Where the cursor is pinned: it is read there while nothing is pointed at. */
  readonly pinned?: number;
  readonly pin?: (x: number | undefined) => void;
  /** Where something happened that the lines show: a short line, and its words. */
  readonly marks?: readonly PlotMark[];
  /** What is shown of the axis; undefined for all. */
  readonly domain?: readonly [number, number];
  readonly zoom?: (domain: readonly [number, number] | undefined) => void;
}

/** A chart as it is read. */
export interface ReadPlot {
  /** What the chart says, in a sentence: its name for those who do not see it. */
  readonly summary: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly series: readonly PlotSeries[];
  readonly pointing: Pointing;
  /** `cycle 12` */
  readonly nameOf: (x: number) => string;
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

/** What a drag does: it marks the part to zoom in on, or moves what is shown of the axis. */
interface Drag {
  readonly kind: 'brush' | 'pan';
  /** Where it began, pixels of the window, and what was shown then. */
  readonly from: number;
  readonly domain: readonly [number, number];
}

export function PlotOverlay(props: ReadPlot & { readonly layout: PlotLayout }) {
  const { layout, series, pointing, nameOf, summary, x: axis, y } = props;
  const { left, right, top, bottom, x } = layout;
  const { hover, select, zoom, pinned, pin } = pointing;
  const hovered = pointing.hovered ?? pinned;
  const drag = useRef<Drag | undefined>(undefined);
  /** Ends of what is marked, pixels of the plot. */
  const [brush, setBrush] = useState<readonly [number, number]>();
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
  const show = (domain: readonly [number, number] | undefined): void =>
    zoom?.(axis.whole && domain ? wholeDomain(domain) : domain);
  // Along the axis as it is drawn, decades where it is logarithmic.
  const [along, back] = axis.scale === 'log' ? [Math.log10, (place: number) => 10 ** place] : [Number, Number];
  const onAxis = ([from, to]: readonly [number, number]): readonly [number, number] => [along(from), along(to)];
  const zoomBy = (factor: number, about: number): void => {
    const all = onAxis(whole());
    const least = axis.whole ? 4 : (all[1] - all[0]) / 1000;
    const next = zoomDomain(onAxis(x.domain), all, along(about), factor, least);
    show(next && [back(next[0]), back(next[1])]);
  };
  /** @param share of what is shown, to the right */
  const panBy = (share: number, of: readonly [number, number] = x.domain): void => {
    if (pointing.domain === undefined) return;
    const [from, to] = panDomain(onAxis(of), onAxis(whole()), share);
    const next = [back(from), back(to)] as const;
    zoom?.(axis.whole ? [Math.round(next[0]), Math.round(next[1])] : next);
  };
  const togglePin = (place: number | undefined): void => pin?.(place === pinned ? undefined : place);

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = places();
    if (all.length === 0) return;
    const current = hovered ?? pointing.selected ?? all[all.length - 1];
    const index = all.indexOf(snap(current) ?? all[all.length - 1]);
    // If the chart has nothing to give up, Escape is for what is around it.
    const isOver = pointing.domain === undefined && pointing.hovered === undefined;
    takeKey<() => void>(event, {
      ...(pin && { p: () => togglePin(all[index]) }),
      ArrowLeft: () => hover(all[Math.max(0, index - 1)]),
      ArrowDown: () => hover(all[Math.max(0, index - 1)]),
      ArrowRight: () => hover(all[Math.min(all.length - 1, index + 1)]),
      ArrowUp: () => hover(all[Math.min(all.length - 1, index + 1)]),
      Home: () => hover(all[0]),
      End: () => hover(all[all.length - 1]),
      Enter: () => select?.(all[index]),
      '+': () => zoomBy(ZOOM, current),
      '=': () => zoomBy(ZOOM, current),
      '-': () => zoomBy(1 / ZOOM, current),
      '0': () => zoom?.(undefined),
      ...(!isOver && { Escape: () => (pointing.domain === undefined ? hover(undefined) : zoom?.(undefined)) }),
      ...(event.shiftKey && { ArrowLeft: () => panBy(-PAN), ArrowRight: () => panBy(PAN) }),
    })?.();
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
          const kind = event.shiftKey ? 'pan' : 'brush';
          drag.current = { kind, from: event.clientX, domain: x.domain };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const target = event.currentTarget;
          hover(snap(placeAt(event, target)));
          const begun = drag.current;
          if (begun === undefined || zoom === undefined) return;
          const moved = event.clientX - begun.from;
          if (begun.kind === 'pan') panBy(-moved / (right - left), begun.domain);
          else if (brush !== undefined || Math.abs(moved) >= CLICK) {
            const offset = target.getBoundingClientRect().left;
            setBrush([begun.from - offset, Math.min(right - left, Math.max(0, event.clientX - offset))]);
          }
        }}
        onPointerUp={(event) => {
          const begun = drag.current;
          if (begun === undefined) return;
          drag.current = undefined;
          setBrush(undefined);
          if (brush === undefined) {
            if (Math.abs(event.clientX - begun.from) >= CLICK) return;
            const place = snap(placeAt(event, event.currentTarget));
            if (begun.kind === 'pan') togglePin(place);
            else if (place !== undefined) select?.(place);
            return;
          }
          const ends = brush.map((pixel) => x.invert(left + pixel)).sort((a, b) => a - b);
          if (ends[1] > ends[0]) show([ends[0], ends[1]]);
        }}
        onPointerCancel={() => {
          drag.current = undefined;
          setBrush(undefined);
        }}
        onDblClick={() => zoom?.(undefined)}
        onWheel={(event) => {
          // In its place a chart lets the panel scroll; one that fills the window has the wheel to itself.
          const isItsOwn = event.ctrlKey || event.metaKey || event.currentTarget.closest('[popover]') !== null;
          if (zoom === undefined || !isItsOwn) return;
          event.preventDefault();
          if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) panBy(event.deltaX / (right - left));
          else if (event.deltaY !== 0) zoomBy(event.deltaY < 0 ? ZOOM : 1 / ZOOM, placeAt(event, event.currentTarget));
        }}
      >
        {brush !== undefined && (
          <div
            class="chart-brush"
            style={{ left: `${Math.min(...brush)}px`, width: `${Math.abs(brush[1] - brush[0])}px` }}
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
