/**
 * Heat maps and their legends: of a measure, with the best cell and those not significantly different from it; and of which method is
 * best where.
 */
import { useMemo } from 'preact/hooks';
import { useLaboratory } from '../../../page/laboratory.ts';
import { type Cell, sweepStyles, type Arrangement } from '../arrangement.ts';
import { cellText, divergedShare, type Paint } from '../heat-layout.ts';
import type { SweepTable } from '../../reading/sweep-table.ts';
import { cellWords, counted, findingWords, combinationWords, measureTitle } from '../words.ts';
import {
  colourNumber,
  colourOf,
  needsDarkInkOn,
  shadingOf,
  needsDarkInk,
  bestWords,
  contestLines,
  contestWord,
} from '../contest.ts';
import type { Shading, Contest } from '../contest.ts';
import { CellGrid, type LegendRoom, diamond } from './cell-grid.tsx';
import { sweepsOf } from '../sweeps-state.ts';
import type { MethodStyle } from '../../../document/views/method-style.ts';
import type { SweepMeasure } from '../../../../engine/index.ts';
import { createScale } from '../../../plot/scales.ts';

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
interface LegendMark {
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
function placeMarks(
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
function heatLegendEm(marks: readonly LegendMark[], widthEm: number): number {
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

function HeatLegend({ shading, measure, marks, width, em, hatch }: HeatLegendProps) {
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

function LegendMarks({ marks, origin, em, hatch }: MarksProps) {
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

interface HeatMapProps {
  readonly table: SweepTable;
  readonly arrangement: Arrangement;
  readonly onOpen: (combination: number) => void;
}

/** What is drawn of each cell. */
function paintsOf(cells: readonly Cell[], shading: Shading): Paint[] {
  return cells.map((cell) => {
    const colour = cell.median === null ? undefined : colourNumber(shading, cell.median);
    return {
      ink:
        colour === undefined ? undefined : { colour: colourOf(shading, colour), dark: needsDarkInkOn(shading, colour) },
      text: cellText(cell),
      hatched: divergedShare(cell),
    };
  });
}

/** The marks that this map has, with their words. */
function marksOf(cells: readonly Cell[], arrangement: Arrangement, hasAlike: boolean, hasTaken: boolean): LegendMark[] {
  const isUntried = arrangement.facets.some(({ rows }) => rows.some((row) => row.includes(undefined)));
  return [
    { kind: 'best', words: 'best' },
    ...(hasAlike ? [{ kind: 'alike', words: 'not significantly different from the best' } as const] : []),
    ...(hasTaken ? [{ kind: 'taken', words: 'taken for the scenario' } as const] : []),
    ...(cells.some(({ diverged }) => diverged > 0)
      ? [{ kind: 'hatched', words: 'diverged, by share of the seeds' } as const]
      : []),
    ...(isUntried ? [{ kind: 'untried', words: 'not tried' } as const] : []),
  ];
}

/** @returns the combination that a row is of */
function combinationOfRow(combinations: readonly { readonly rows: readonly number[] }[], row: number | undefined) {
  const found = combinations.findIndex(({ rows }) => row !== undefined && rows.includes(row));
  return found < 0 ? undefined : found;
}

export function HeatMap({ table, arrangement, onOpen }: HeatMapProps) {
  const { cells, combinations, subject, findings } = sweepsOf(useLaboratory());
  const measure = table.measures[subject.value.measure];
  const shading = useMemo(() => {
    const values = cells.value.flatMap(({ median }) => median ?? []);
    return shadingOf(measure.best, values);
  }, [measure, cells.value]);
  const paints = useMemo(() => paintsOf(cells.value, shading), [cells.value, shading]);
  const { best, alike = new Set<number>() } = findings.value ?? {};
  const found = combinationOfRow(combinations.value, table.taken);
  const taken = found === best ? undefined : found;
  const marks = marksOf(cells.value, arrangement, alike.size > 0, taken !== undefined);
  const told = {
    table,
    combinations: combinations.value,
    cells: cells.value,
    unit: measure.unit,
  };
  const axes = [arrangement.x, arrangement.y].flatMap((axis) => axis?.title ?? []).join(' and ');
  const grids = arrangement.facets.length;
  return (
    <CellGrid
      summary={`Heat map of ${measure.title}, ${table.methods[subject.value.method]}, by ${axes || 'nothing'}${grids > 1 ? `, ${counted(grids, 'grid')}` : ''}. ${findings.value ? findingWords(told, findings.value) : ''}`}
      arrangement={arrangement}
      paints={paints}
      legend={(room) => <HeatLegend {...room} shading={shading} measure={measure} marks={marks} />}
      legendEm={(widthEm) => heatLegendEm(marks, widthEm)}
      wordsOf={(combination) => cellWords(told, combination)}
      best={best}
      alike={alike}
      taken={taken}
      onOpen={onOpen}
    />
  );
}

interface MethodMapProps {
  readonly table: SweepTable;
  readonly arrangement: Arrangement;
  readonly contests: readonly Contest[];
  readonly onOpen: (combination: number) => void;
}

function isDarkInkOn(hex: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return needsDarkInk(red, green, blue);
}

function methodPaintsOf(
  contests: readonly Contest[],
  styles: readonly MethodStyle[],
  theme: 'dark' | 'light',
): Paint[] {
  return contests.map((contest) => {
    const { leader, verdict } = contest;
    const isNamed = verdict === 'won' || verdict === 'alone';
    const colour = isNamed && leader !== undefined ? styles[leader][theme] : undefined;
    return {
      ink: colour === undefined ? undefined : { colour, dark: isDarkInkOn(colour) },
      text: contestWord(contest, styles),
      hatched: 0,
    };
  });
}

/**
 * Which method is best where: a cell has the hue of the one that is better than each of the others, and none if no difference is
 * significant.
 */
export function MethodMap({ table, arrangement, contests, onOpen }: MethodMapProps) {
  const {
    preferences: { resolvedTheme },
  } = useLaboratory();
  const { combinations } = sweepsOf(useLaboratory());
  const styles = useMemo(() => sweepStyles(table), [table]);
  const theme = resolvedTheme.value;
  const paints = useMemo(() => methodPaintsOf(contests, styles, theme), [contests, styles, theme]);
  const named = new Set(
    contests.flatMap(({ leader, verdict }) => (verdict === 'won' || verdict === 'alone' ? [leader] : [])),
  );
  const marks: LegendMark[] = [
    ...styles.flatMap(({ title, ...style }, method) =>
      named.has(method) ? [{ kind: 'colour', words: `${title} is best`, colour: style[theme] } as const] : [],
    ),
    ...(contests.some(({ verdict }) => verdict === 'undecided')
      ? [{ kind: 'empty', words: 'undecided: not better than each of the others' } as const]
      : []),
    ...(contests.some(({ verdict }) => verdict === 'too-few')
      ? [{ kind: 'empty', words: 'too few seeds to say' } as const]
      : []),
  ];
  const axes = [arrangement.x, arrangement.y].flatMap((axis) => axis?.title ?? []).join(' and ');
  return (
    <CellGrid
      summary={`Which method is best by ${axes || 'nothing'}: ${[...named].map((method) => (method === undefined ? '' : `${styles[method].title} in ${contests.filter(({ leader, verdict }) => leader === method && verdict === 'won').length}`)).join(', ') || 'none is named in any'} of ${contests.length} cells.`}
      arrangement={arrangement}
      paints={paints}
      legend={(room) => <MethodLegend {...room} marks={marks} />}
      legendEm={(widthEm) => placeMarks(marks, widthEm).height + 0.2}
      wordsOf={(combination) =>
        [
          combinationWords(table, combinations.value[combination]),
          contestWord(contests[combination], styles),
          ...contestLines(contests[combination], styles, ''),
        ].join('; ')
      }
      onOpen={onOpen}
    />
  );
}

function MethodLegend({ marks, width, em, hatch }: LegendRoom & { readonly marks: readonly LegendMark[] }) {
  return (
    <g aria-hidden="true">
      <LegendMarks marks={placeMarks(marks, width / em).marks} origin={{ x: 0, y: 0.2 * em }} em={em} hatch={hatch} />
    </g>
  );
}
