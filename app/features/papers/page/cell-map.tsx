/** A surface over two parameters as a map: cells with their numbers and colours, the best in a ring. Arrows move from cell to cell. */
import { useState } from 'preact/hooks';
import { cssColour } from '../../../fields/colours.ts';
import { formatNumber } from '../../../format/numbers.ts';
import { GridCursor, placed, type GridBox } from '../../../plot/grid-cursor.tsx';
import { useSize } from '../../../plot/use-size.ts';

export interface MapCell {
  /** Values of the parameters, one downwards and one to the right. */
  readonly row: number;
  readonly column: number;
  /** What the cell shows, in the unit of the map; null if it is not known. */
  readonly value: number | null;
  /** Why it is not known. */
  readonly problem?: string | undefined;
}

/** A cell that is pointed at. */
export type MapPlace = Pick<MapCell, 'row' | 'column'>;

interface MapAxis {
  readonly title: string;
  /** Downwards or to the right. */
  readonly values: readonly number[];
}

export interface CellMapProps {
  /** What the map says, in a sentence: its name for those who do not see it. */
  readonly summary: string;
  /** What the numbers are: `time`. */
  readonly quantity: string;
  readonly unit: string;
  /** The scale of axes and colours. Cells on a logarithmic axis are as wide as their share of it. */
  readonly scale: 'linear' | 'log';
  readonly rows: MapAxis;
  readonly columns: MapAxis;
  readonly cells: readonly MapCell[];
  readonly nameOf: (place: MapPlace) => string;
  readonly best?: MapCell | undefined;
  /** A cell that is being measured. */
  readonly current?: MapPlace | undefined;
  readonly pointed?: MapPlace | undefined;
  readonly onPoint?: (place: MapPlace | undefined) => void;
  /** Height of all rows, in sizes of the type; 2.6 a row if omitted. */
  readonly heightEm?: number;
}

/** In sizes of the type: the widest cell, the height of a row, and the bar of colours. */
const WIDEST = 8;
const ROW = 2.6;
const BAR = { width: 5, height: 0.7, steps: 20 };

/** @returns where each value begins and the last one ends, as shares of the axis: halfway between neighbours on its scale */
export function edgesOf(values: readonly number[], scale: 'linear' | 'log'): readonly number[] {
  if (scale === 'linear' || values.length < 2) return [...values, 0].map((_, n) => n / values.length);
  const places = values.map(Math.log);
  const between = places.slice(1).map((place, n) => (place + places[n]) / 2);
  const [first, last] = [places[0], places[places.length - 1]];
  const edges = [2 * first - between[0], ...between, 2 * last - between[between.length - 1]];
  return edges.map((edge) => (edge - edges[0]) / (edges[edges.length - 1] - edges[0]));
}

/** @returns 0 for the least and 1 for the most; undefined for what is not known */
function shareOf(value: number | null, [least, most]: readonly [number, number], scale: 'linear' | 'log') {
  if (value === null) return undefined;
  if (most <= least) return 1;
  return scale === 'log' ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
}

function isSame(a: MapPlace | undefined, b: MapPlace | undefined): boolean {
  return a !== undefined && a.row === b?.row && a.column === b.column;
}

function rectOf({ left, top, width, height }: GridBox) {
  return { x: left, y: top, width, height };
}

export function CellMap(props: CellMapProps) {
  const { summary, quantity, unit, scale, rows, columns, cells, nameOf, best, current, pointed, onPoint } = props;
  const [area, { width: available, em, stretch }] = useSize();
  const known = cells.flatMap(({ value }) => (value === null ? [] : [value]));
  const range = [Math.min(...known), Math.max(...known)] as const;
  const [left, top] = [4 * em, 2 * em];
  const wide = Math.min(WIDEST * em * columns.values.length, available - left - 1);
  const high = (props.heightEm ?? ROW * rows.values.length) * em * stretch;
  const [right, bottom] = [left + wide, top + high];
  const height = bottom + 2.6 * em;
  const along = edgesOf(columns.values, scale).map((share) => left + share * wide);
  const down = edgesOf(rows.values, scale).map((share) => top + share * high);
  const boxOf = ({ row, column }: MapPlace): GridBox => {
    const [i, j] = [columns.values.indexOf(column), rows.values.indexOf(row)];
    return { left: along[i], top: down[j], width: along[i + 1] - along[i], height: down[j + 1] - down[j] };
  };
  const wordsOf = ({ value, problem }: MapCell): string =>
    value === null ? (problem ?? 'not measured') : `${formatNumber(value)} ${unit}`;
  return (
    <div class="cell-map" ref={area}>
      {available > 0 && (
        <>
          <svg
            class="chart"
            role="img"
            aria-label={summary}
            width={right + 1}
            height={height}
            viewBox={`0 0 ${right + 1} ${height}`}
          >
            <text class="chart-axis-title" x={0} y={0.95 * em}>
              {rows.title}
            </text>
            {known.length > 0 && <ColourBar {...{ right, em, range }} words={`${quantity} (${unit})`} />}
            {cells.map((cell) => (
              <Cell
                key={nameOf(cell)}
                box={boxOf(cell)}
                share={shareOf(cell.value, range, scale)}
                text={cell.value === null ? '' : formatNumber(cell.value)}
                words={`${nameOf(cell)}: ${wordsOf(cell)}`}
                onEnter={() => onPoint?.(cell)}
                onLeave={() => onPoint?.(undefined)}
              />
            ))}
            {best && <rect class="papers-cell best" {...rectOf(boxOf(best))} />}
            {current && <rect class="papers-cell current chart-transient" {...rectOf(boxOf(current))} />}
            {rows.values.map((value, j) => (
              <text
                key={value}
                class="chart-tick"
                x={left - 6}
                y={(down[j] + down[j + 1]) / 2}
                dy="0.35em"
                text-anchor="end"
              >
                {value}
              </text>
            ))}
            {columns.values.map((value, i) => (
              <text
                key={value}
                class="chart-tick"
                x={(along[i] + along[i + 1]) / 2}
                y={bottom + 1.1 * em}
                text-anchor="middle"
              >
                {value}
              </text>
            ))}
            <text class="chart-axis-title" x={(left + right) / 2} y={height - 0.3 * em} text-anchor="middle">
              {columns.title}
            </text>
          </svg>
          {pointed && <div class="cell-map-pointed" style={placed(boxOf(pointed))} />}
          <Cursor {...props} boxOf={boxOf} wordsOf={wordsOf} />
        </>
      )}
    </div>
  );
}

interface ColourBarProps {
  readonly right: number;
  readonly em: number;
  readonly range: readonly [number, number];
  readonly words: string;
}

/** What the colours mean: a bar between the least and the most. */
function ColourBar({ right, em, range: [least, most], words }: ColourBarProps) {
  const step = (BAR.width * em) / BAR.steps;
  const end = right - 0.6 * em * formatNumber(most).length - 0.5 * em;
  const start = end - BAR.width * em;
  return (
    <g aria-hidden="true">
      {Array.from({ length: BAR.steps }, (_, n) => (
        <rect
          key={n}
          x={start + n * step}
          y={0.3 * em}
          width={step + 0.4}
          height={BAR.height * em}
          fill={cssColour('cividis', n / (BAR.steps - 1))}
        />
      ))}
      <text class="chart-tick" x={right} y={0.95 * em} text-anchor="end">
        {formatNumber(most)}
      </text>
      <text x={start - 0.5 * em} y={0.95 * em} text-anchor="end">
        {words} <tspan class="chart-tick">{formatNumber(least)}</tspan>
      </text>
    </g>
  );
}

interface CellProps {
  readonly box: GridBox;
  readonly share: number | undefined;
  readonly text: string;
  readonly words: string;
  readonly onEnter: () => void;
  readonly onLeave: () => void;
}

function Cell({ box, share, text, words, onEnter, onLeave }: CellProps) {
  return (
    <g onPointerEnter={onEnter} onPointerLeave={onLeave}>
      <title>{words}</title>
      <rect
        class={share === undefined ? 'papers-cell unknown' : 'papers-cell'}
        {...rectOf(box)}
        {...(share !== undefined && { fill: cssColour('cividis', share) })}
      />
      <text
        x={box.left + box.width / 2}
        y={box.top + box.height / 2}
        dy="0.35em"
        text-anchor="middle"
        style={{ fill: (share ?? 0) > 0.5 ? '#000' : '#fff' }}
      >
        {text}
      </text>
    </g>
  );
}

/** Cells that a key moves by, and whether to the last one. */
interface Step {
  readonly down: number;
  readonly along: number;
  readonly whole?: boolean;
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: { down: -1, along: 0 },
  ArrowDown: { down: 1, along: 0 },
  ArrowLeft: { down: 0, along: -1 },
  ArrowRight: { down: 0, along: 1 },
  Home: { down: 0, along: -1, whole: true },
  End: { down: 0, along: 1, whole: true },
};

/** @returns the next cell of a map in a direction, or the last one; the same one at the edge */
export function cellFrom(
  { cells, rows, columns }: Pick<CellMapProps, 'cells' | 'rows' | 'columns'>,
  from: MapCell,
  { down, along, whole = false }: Step,
): MapCell {
  let found = from;
  let [j, i] = [rows.values.indexOf(from.row) + down, columns.values.indexOf(from.column) + along];
  for (; j >= 0 && j < rows.values.length && i >= 0 && i < columns.values.length; j += down, i += along) {
    const place = { row: rows.values[j], column: columns.values[i] };
    const cell = cells.find((each) => isSame(each, place));
    found = cell ?? found;
    if (cell && !whole) break;
  }
  return found;
}

interface CursorProps extends CellMapProps {
  readonly boxOf: (place: MapPlace) => GridBox;
  readonly wordsOf: (cell: MapCell) => string;
}

/** The cell that keys have reached. */
function Cursor({ summary, rows, columns, cells, nameOf, best, onPoint, boxOf, wordsOf }: CursorProps) {
  const [reached, reach] = useState<MapPlace | undefined>(undefined);
  const at = cells.find((each) => isSame(each, reached)) ?? best ?? cells[0];
  const key = nameOf(at);
  return (
    <GridCursor
      label={summary}
      rows={rows.values.length}
      columns={columns.values.length}
      row={rows.values.indexOf(at.row)}
      column={columns.values.indexOf(at.column)}
      cell={key}
      words={`${key}: ${wordsOf(at)}`}
      box={boxOf(at)}
      class="cell-map-cursor"
      steps={STEPS}
      onStep={(step) => {
        const next = cellFrom({ cells, rows, columns }, at, step);
        reach(next);
        return !isSame(next, at);
      }}
      onFocus={() => onPoint?.(at)}
      onBlur={() => onPoint?.(undefined)}
    />
  );
}
