/** A matrix as a picture: its rows downwards and its columns to the right, with the chosen row and column between lines. */
import { useMemo } from 'preact/hooks';
import { colourMap, COLOUR_MAP_SIZE } from '../fields/colours.ts';
import { largestOf } from '../fields/ranges.ts';
import { pictureAddress } from './export.ts';
import { useSize } from '../plot/use-size.ts';
import { formatNumber } from '../format/numbers.ts';

export interface MatrixProps {
  /** `C ∘ e eᵀ` */
  readonly name: string;
  /** Row by row. */
  readonly values: Float64Array;
  readonly rows: number;
  readonly columns: number;
  readonly rowName: string;
  readonly columnName: string;
  /** Colours run from −largest to largest, or of what is never negative from 0. The largest size of the values if omitted. */
  readonly largest?: number | undefined;
  readonly signed?: boolean;
  /** Height of the picture over its width; 1 if omitted. */
  readonly aspect?: number;
  /** A row or column between lines; undefined for none. */
  readonly row?: number | undefined;
  readonly column?: number | undefined;
  /** Points marked in it, by column and row. */
  readonly points?: readonly { readonly x: number; readonly y: number; readonly chosen: boolean }[];
  readonly onPoint?: (row: number, column: number) => void;
  readonly onLeave?: () => void;
}

/** @returns the address of a picture with a pixel for each value */
function pictureOf({ values, rows, columns }: MatrixProps, largest: number, signed: boolean): string {
  const colours = colourMap(signed ? 'diverging' : 'cividis');
  const pixels = new Uint8ClampedArray(4 * values.length);
  for (const [at, value] of values.entries()) {
    const share = largest === 0 ? 0 : value / largest;
    const step = Math.round((signed ? (share + 1) / 2 : share) * (COLOUR_MAP_SIZE - 1));
    const colour = 4 * Math.min(COLOUR_MAP_SIZE - 1, Math.max(0, step));
    pixels.set(colours.subarray(colour, colour + 3), 4 * at);
    pixels[4 * at + 3] = 255;
  }
  return pictureAddress({ width: columns, height: rows, pixels });
}

/** @returns the row or column at a share of the way */
function indexAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)));
}

export function Matrix(props: MatrixProps) {
  const {
    name,
    values,
    rows,
    columns,
    rowName,
    columnName,
    signed = true,
    aspect = 1,
    row,
    column,
    points = [],
    onPoint,
    onLeave,
  } = props;
  const [area, { width, em }] = useSize();
  const largest = useMemo(() => props.largest ?? largestOf(values), [props.largest, values]);
  const address = useMemo(() => pictureOf(props, largest, signed), [values, rows, columns, largest, signed]);
  const left = 1.6 * em;
  const top = 1.7 * em;
  const side = Math.max(0, width - left);
  const tall = aspect * side;
  const height = top + tall + 1.6 * em;
  const cellWidth = side / columns;
  const cellHeight = tall / rows;
  const point = (event: PointerEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onPoint?.(
      indexAt((event.clientY - box.top) / box.height, rows),
      indexAt((event.clientX - box.left) / box.width, columns),
    );
  };
  const summary = `${name}: ${rows} × ${columns}, values from ${formatNumber(values.reduce((a, b) => Math.min(a, b)))} to ${formatNumber(values.reduce((a, b) => Math.max(a, b)))}`;
  return (
    <div class="matrix" ref={area}>
      {side > 0 && (
        <svg
          class="chart"
          role="img"
          aria-label={summary}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
        >
          <text class="matrix-name" x={left} y={1.1 * em}>
            {name}
          </text>
          <text x={width} y={1.1 * em} text-anchor="end">
            {signed ? '±' : '0 … '}
            {formatNumber(largest)}
          </text>
          <image
            href={address}
            x={left}
            y={top}
            width={side}
            height={tall}
            preserveAspectRatio="none"
            style={{ imageRendering: 'pixelated' }}
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={onLeave}
          />
          <g pointer-events="none">
            {row !== undefined && (
              <rect class="matrix-line" x={left} y={top + row * cellHeight} width={side} height={cellHeight} />
            )}
            {column !== undefined && (
              <rect class="matrix-line" x={left + column * cellWidth} y={top} width={cellWidth} height={tall} />
            )}
            {points.map(({ x, y, chosen }) => (
              <circle
                key={`${x} ${y}`}
                class={chosen ? 'matrix-point chosen' : 'matrix-point'}
                cx={left + (x + 0.5) * cellWidth}
                cy={top + (y + 0.5) * cellHeight}
                r={chosen ? 5 : 3}
              />
            ))}
          </g>
          <text x={left + side / 2} y={height - 0.4 * em} text-anchor="middle">
            {columnName} 0 … {columns - 1}
          </text>
          <text transform={`translate(${0.9 * em},${top + tall / 2}) rotate(-90)`} text-anchor="middle">
            {rowName} 0 … {rows - 1}
          </text>
        </svg>
      )}
    </div>
  );
}
