/** What the colours and marks of a heat map mean: a bar with its unit and ticks, and the marks beside it or under it. */
import type { SweepMeasure } from '../../../../engine/index.ts';
import { createScale } from '../../../plot/scales.ts';
import { measureTitle } from '../words.ts';
import { bestWords, colourNumber, colourOf, type Shading } from '../worth.ts';
import { diamond, type LegendRoom } from './cell-grid.tsx';

/** Sizes in sizes of the type. */
const BAR = 15;
const ENTRY_GAP = 1.6;
const SWATCH = 1.5;
const LETTER = 0.54;
const ROWS_OF_BAR = 4.5;
/** Before the bar, and beside it, where the words of its outer ticks reach over its ends. */
const BAR_INSET = 1.3;
const BESIDE = 4;
const STOPS = 24;

/** A mark and its words. */
export interface LegendMark {
  readonly kind: 'best' | 'alike' | 'hatched' | 'taken' | 'untried' | 'colour' | 'empty';
  readonly words: string;
  readonly colour?: string;
}

function widthOf({ words }: LegendMark): number {
  return SWATCH + 0.5 + LETTER * words.length + ENTRY_GAP;
}

/** Marks in rows, each with its place, in sizes of the type. */
interface PlacedMark extends LegendMark {
  readonly x: number;
  readonly y: number;
}

/** @returns marks in rows of a width, and the height that they take, in sizes of the type */
export function placeMarks(
  marks: readonly LegendMark[],
  widthEm: number,
): { readonly marks: readonly PlacedMark[]; readonly height: number } {
  let [x, y] = [0, 0];
  const placed = marks.map((mark) => {
    const wide = widthOf(mark);
    if (x > 0 && x + wide - ENTRY_GAP > widthEm) [x, y] = [0, y + 1.6];
    const found = { ...mark, x, y };
    x += wide;
    return found;
  });
  return { marks: placed, height: y + 1.6 };
}

function barWidth(widthEm: number): number {
  return Math.min(BAR, widthEm - 2 * BAR_INSET);
}

/** Whether the marks have room beside the bar. */
function standsBeside(marks: readonly LegendMark[], widthEm: number): boolean {
  return placeMarks(marks, widthEm - BAR - BESIDE).height <= 2 * 1.6 && widthEm > BAR + BESIDE + 14;
}

/** @returns the height of the legend, in sizes of the type */
export function heatLegendEm(marks: readonly LegendMark[], widthEm: number): number {
  return standsBeside(marks, widthEm) ? ROWS_OF_BAR : ROWS_OF_BAR + 0.3 + placeMarks(marks, widthEm).height;
}

/** Room between two ticks, in sizes of the type. */
const TICK_GAP = 0.8;

interface LegendTick {
  readonly x: number;
  readonly text: string;
}

/**
 * @param range pixels of the bar's two ends
 * @param em size of the type, pixels
 * @returns ticks that keep clear of each other
 */
export function legendTicks(shading: Shading, range: readonly [number, number], em: number): readonly LegendTick[] {
  const { domain, scale, marks, at } = shading;
  if (scale !== 'distance') {
    const axis = createScale({ label: '', unit: '', scale, domain }, [], range, false, em);
    return axis.ticks.map(({ value, text }) => ({ x: axis.at(value), text }));
  }
  const [first, last] = domain.map(at);
  const xOf = (value: number): number => range[0] + ((at(value) - first) / (last - first)) * (range[1] - range[0]);
  const ticks: LegendTick[] = [];
  for (const { value, text } of marks ?? []) {
    const x = xOf(value);
    const halves = (tick: LegendTick): number => (LETTER * (tick.text.length + text.length)) / 2;
    if (ticks.every((tick) => Math.abs(tick.x - x) >= (halves(tick) + TICK_GAP) * em)) ticks.push({ x, text });
  }
  return ticks;
}

interface HeatLegendProps extends LegendRoom {
  readonly shading: Shading;
  readonly measure: SweepMeasure;
  readonly marks: readonly LegendMark[];
}

export function HeatLegend({ shading, measure, marks, width, em, hatch }: HeatLegendProps) {
  const widthEm = width / em;
  const wide = barWidth(widthEm) * em;
  const ticks = legendTicks(shading, [BAR_INSET * em, BAR_INSET * em + wide], em);
  const beside = standsBeside(marks, widthEm);
  const origin = beside ? { x: (BAR + BESIDE) * em, y: 1.55 * em } : { x: 0, y: (ROWS_OF_BAR + 0.3) * em };
  return (
    <g aria-hidden="true">
      <linearGradient id={`${hatch}-bar`}>
        {Array.from({ length: STOPS + 1 }, (_, n) => (
          <stop
            key={n}
            offset={n / STOPS}
            stop-color={colourOf(shading, colourNumber(shading, shading.valueAt(n / STOPS)))}
          />
        ))}
      </linearGradient>
      <text class="sweep-legend-title" x={0} y={0.95 * em}>
        {measureTitle(measure)}
        {bestWords(measure.best)}
        {shading.scale === 'distance' && '; colours by distance from it'}
      </text>
      <rect x={BAR_INSET * em} y={1.5 * em} width={wide} height={0.8 * em} fill={`url(#${hatch}-bar)`} />
      {ticks.map(({ x, text }) => (
        <g key={text}>
          <line class="chart-axis" x1={x} x2={x} y1={2.3 * em} y2={2.3 * em + 3} />
          <text class="chart-tick" x={x} y={3.5 * em} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
      <LegendMarks
        marks={placeMarks(marks, beside ? widthEm - BAR - BESIDE : widthEm).marks}
        origin={origin}
        em={em}
        hatch={hatch}
      />
    </g>
  );
}

interface MarksProps {
  readonly marks: readonly PlacedMark[];
  readonly origin: { readonly x: number; readonly y: number };
  readonly em: number;
  readonly hatch: string;
}

export function LegendMarks({ marks, origin, em, hatch }: MarksProps) {
  return marks.map(({ kind, words, colour, x, y }) => {
    const box = { x: origin.x + x * em + 1, y: origin.y + y * em, width: SWATCH * em - 2, height: 0.95 * em };
    return (
      <g key={words}>
        {kind === 'best' && <rect class="sweep-ring" {...box} />}
        {kind === 'alike' && <rect class="sweep-alike" {...box} />}
        {kind === 'untried' && <rect class="sweep-untried" {...box} />}
        {kind === 'empty' && <rect class="sweep-empty" {...box} />}
        {kind === 'colour' && <rect {...box} fill={colour} />}
        {kind === 'hatched' && (
          <>
            <rect class="sweep-empty" {...box} />
            <rect {...box} fill={`url(#${hatch}-whole)`} />
          </>
        )}
        {kind === 'taken' && <path class="sweep-taken" d={diamond(box.x + box.width / 2, box.y + box.height / 2, 4)} />}
        <text x={box.x + (SWATCH + 0.4) * em} y={box.y + 0.8 * em}>
          {words}
        </text>
      </g>
    );
  });
}
