/**
 * The picture with its axes, its colour bar, the crosshair that every view of the stage shares, and what it reads. Pointer: move to
 * read, click to show that cycle. Keyboard: left and right go round the ring, up and down through the cycles, Enter shows the cycle.
 */
import { ticks } from 'd3';
import { useMemo } from 'preact/hooks';
import { barTexts, barTitle } from '../../document/views/shown-planes.ts';
import { cssColour } from '../../fields/colours.ts';
import type { Range } from '../../fields/ranges.ts';
import { useRun } from '../../document/context.ts';
import type { Field } from '../../fields/fields.ts';
import { pictureAddress } from '../export.ts';
import { cycleName, selectCycle } from '../chart-state.ts';
import { formatMeasured } from '../../format/numbers.ts';
import { takeKey } from '../../plot/keys.ts';
import { useSize } from '../../plot/use-size.ts';
import { rowAt, type paintRows, type ShownRow } from './picture.ts';

/** Sizes in sizes of the type. */
const LEFT = 3.6;
const TOP = 1.8;
/** Beneath the picture: places, and the colour bar. */
const PLACES_FOOT = 3;
const FOOT = 6.4;
const BAR_HEIGHT = 0.9;
const STOPS = 24;

interface PlotProps {
  readonly picture: ReturnType<typeof paintRows>;
  readonly rows: readonly ShownRow[];
  readonly cycles: { readonly first: number; readonly last: number };
  readonly range: Range;
  readonly field: Pick<Field, 'symbol' | 'unit' | 'colourMap'>;
  /** Height of the picture, without its axes, in sizes of the type. */
  readonly heightEm: number;
  /** Whether it is the last of several beneath each other: it has the colour bar of all. */
  readonly isLast: boolean;
  readonly name: string;
  readonly summary: string;
}

function wholeTicks(from: number, to: number, count: number): readonly number[] {
  return ticks(from, to, count).filter(Number.isInteger);
}

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly em: number;
}

export function HovmollerPlot(props: PlotProps) {
  const { picture, rows, cycles, range, field, heightEm, isLast, name, summary } = props;
  const run = useRun();
  const { hoveredCell, hoveredCycle } = run.view;
  const [area, { width, em }] = useSize();
  const foot = isLast ? FOOT : PLACES_FOOT;
  const height = Math.round((TOP + heightEm + foot) * em);
  const address = useMemo(() => pictureAddress(picture), [picture]);
  const places = picture.width;
  const frame: Frame = {
    left: LEFT * em,
    right: width - 0.6 * em,
    top: TOP * em,
    bottom: height - (isLast ? FOOT : PLACES_FOOT) * em,
    em,
  };
  const { left, right, top, bottom } = frame;
  const count = cycles.last - cycles.first + 1;
  const xOf = (place: number): number => left + ((place + 0.5) / places) * (right - left);
  const yOf = (cycle: number): number => top + ((cycle - cycles.first + 0.5) / count) * (bottom - top);
  const place = hoveredCell.value?.x;
  const cycle = hoveredCycle.value;
  const isShown = cycle !== undefined && cycle >= cycles.first && cycle <= cycles.last;
  return (
    <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
      {width > 0 && (
        <>
          <svg
            class="chart"
            role="img"
            aria-label={summary}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <image
              href={address}
              x={left}
              y={top}
              width={right - left}
              height={bottom - top}
              preserveAspectRatio="none"
              style={{ imageRendering: 'pixelated' }}
            />
            <AxesOf frame={frame} places={places} cycles={cycles} xOf={xOf} yOf={yOf} />
            {isLast && <ColourBar frame={frame} range={range} field={field} />}
            <g class="chart-transient" aria-hidden="true">
              {place !== undefined && (
                <line class="chart-crosshair" x1={xOf(place)} x2={xOf(place)} y1={top} y2={bottom} />
              )}
              {isShown && <line class="chart-crosshair" x1={left} x2={right} y1={yOf(cycle)} y2={yOf(cycle)} />}
            </g>
          </svg>
          <Reader
            frame={frame}
            places={places}
            cycles={cycles}
            rows={rows}
            symbol={field.symbol}
            name={name}
            yOf={yOf}
          />
        </>
      )}
    </div>
  );
}

interface AxesProps {
  readonly frame: Frame;
  readonly places: number;
  readonly cycles: PlotProps['cycles'];
  readonly xOf: (place: number) => number;
  readonly yOf: (cycle: number) => number;
}

function AxesOf({ frame: { left, right, bottom, em }, places, cycles, xOf, yOf }: AxesProps) {
  const { course } = useRun();
  const now = course.cycle.value;
  return (
    <g class="chart-axes" aria-hidden="true">
      {now >= cycles.first && now <= cycles.last && (
        <path
          class="chart-transient chart-now"
          d={`M${left - 0.6 * em},${yOf(now) - 0.4 * em}v${0.8 * em}l${0.6 * em},${-0.4 * em}Z`}
        />
      )}
      {wholeTicks(0, places - 1, 6).map((value) => (
        <g key={value}>
          <line class="chart-axis" x1={xOf(value)} x2={xOf(value)} y1={bottom} y2={bottom + 4} />
          <text class="chart-tick" x={xOf(value)} y={bottom + 4 + 0.95 * em} text-anchor="middle">
            {value}
          </text>
        </g>
      ))}
      {wholeTicks(cycles.first, cycles.last, 7).map((value) => (
        <text key={value} class="chart-tick" x={left - 0.8 * em} y={yOf(value)} dy="0.32em" text-anchor="end">
          {value}
        </text>
      ))}
      <text class="chart-axis-title" x={(left + right) / 2} y={bottom + 4 + 2.15 * em} text-anchor="middle">
        Place
      </text>
      <text class="chart-axis-title" x={0} y={0.95 * em}>
        Cycle
      </text>
    </g>
  );
}

function ColourBar({
  frame: { left, right, bottom, em },
  range,
  field,
}: Pick<PlotProps, 'range' | 'field'> & { readonly frame: Frame }) {
  const [low, middle, high] = barTexts(range, true);
  const y = bottom + 4 + 3.4 * em;
  const start = left + 4 * em;
  const step = (right - start) / STOPS;
  return (
    <g aria-hidden="true">
      <text class="chart-axis-title" x={left} y={y + BAR_HEIGHT * em}>
        {barTitle(field, range)}
      </text>
      {Array.from({ length: STOPS }, (_, n) => (
        <rect
          key={n}
          x={start + n * step}
          y={y}
          width={step + 0.5}
          height={BAR_HEIGHT * em}
          style={{ fill: cssColour(field.colourMap, n / (STOPS - 1)) }}
        />
      ))}
      {[
        [low, start, 'start'],
        [middle, (start + right) / 2, 'middle'],
        [high, right, 'end'],
      ].map(([text, x, anchor]) => (
        <text
          key={anchor}
          class="chart-tick"
          x={x}
          y={y + (BAR_HEIGHT + 1.1) * em}
          text-anchor={String(anchor) as 'end'}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** Which of so many equal parts contains a share of the whole. */
function partOf(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)));
}

type ReaderProps = Pick<PlotProps, 'rows' | 'cycles' | 'name'> & { readonly symbol: string } & Pick<
    AxesProps,
    'frame' | 'places' | 'yOf'
  >;

function Reader({ frame: { left, right, top, bottom }, places, cycles, rows, symbol, name, yOf }: ReaderProps) {
  const run = useRun();
  const { hoveredCell, hoveredCycle } = run.view;
  const { first, last } = cycles;
  const place = hoveredCell.value?.x ?? 0;
  const cycle = Math.min(last, Math.max(first, hoveredCycle.value ?? run.course.cycle.value));
  const value = rowAt(rows, cycle)?.values[place];
  const words = `${cycleName(cycle)}, place ${place}: ${symbol} ${formatMeasured(value)}`;
  const point = (x: number, at: number): void => {
    hoveredCell.value = { x: ((x % places) + places) % places, y: 0 };
    hoveredCycle.value = Math.min(last, Math.max(first, at));
  };
  const leave = (): void => {
    hoveredCell.value = undefined;
    hoveredCycle.value = undefined;
  };
  const spotOf = (event: PointerEvent, target: HTMLElement): readonly [number, number] => {
    const box = target.getBoundingClientRect();
    const across = (event.clientX - box.left) / box.width;
    const down = (event.clientY - box.top) / box.height;
    return [partOf(across, places), first + partOf(down, last - first + 1)];
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    takeKey<() => void>(event, {
      ArrowLeft: () => point(place - 1, cycle),
      ArrowRight: () => point(place + 1, cycle),
      ArrowUp: () => point(place, cycle - 1),
      ArrowDown: () => point(place, cycle + 1),
      Home: () => point(place, first),
      End: () => point(place, last),
      Enter: () => selectCycle(run, cycle),
      Escape: leave,
    })?.();
  };
  const isPointed = hoveredCycle.value !== undefined && hoveredCell.value !== undefined;
  return (
    <>
      <div
        class="chart-overlay"
        role="slider"
        tabIndex={0}
        aria-label={`${name}: read values`}
        aria-orientation="vertical"
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={cycle}
        aria-valuetext={words}
        style={{ left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` }}
        onKeyDown={onKeyDown}
        onBlur={leave}
        onPointerLeave={leave}
        onPointerMove={(event) => point(...spotOf(event, event.currentTarget))}
        onClick={(event) => selectCycle(run, spotOf(event as unknown as PointerEvent, event.currentTarget)[1])}
      />
      {isPointed && (
        <div
          class={place > places / 2 ? 'chart-reading left' : 'chart-reading'}
          aria-hidden="true"
          style={{
            insetInlineStart: `${left + ((place + 0.5) / places) * (right - left)}px`,
            top: `${Math.min(yOf(cycle), bottom - 60)}px`,
          }}
        >
          <strong>{cycleName(cycle)}</strong>
          <span>
            place {place} <b>{`${symbol} ${formatMeasured(value)}`}</b>
          </span>
        </div>
      )}
    </>
  );
}
