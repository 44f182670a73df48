/**
 * The cell of a grid that keys have reached. Of all cells only this one is an element: it has the one stop of the Tab key, and moves
 * with the keys, so that ten thousand cells cost no more than one.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { takeKey } from './keys.ts';

/** Pixels from the corner of what the grid is drawn in. */
export interface GridBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface GridCursorProps<Step> {
  /** What the grid shows. */
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  /** Where the cell is, from 0. */
  readonly row: number;
  readonly column: number;
  /** Distinguishes the cell from all others. */
  readonly cell: string | number;
  /** What the cell says. */
  readonly words: string;
  readonly box: GridBox;
  readonly class: string;
  readonly steps: Readonly<Record<string, Step>>;
  /** @returns whether another cell is reached */
  readonly onStep: (step: Step) => boolean;
  readonly onFocus: () => void;
  readonly onBlur?: () => void;
}

export function GridCursor<Step>(props: GridCursorProps<Step>) {
  const { label, rows, columns, row, column, cell, words, box, steps, onStep, onFocus, onBlur } = props;
  const element = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  useLayoutEffect(() => {
    // Another cell is another element, so that it is said aloud; the focus goes with it.
    if (moved.current) element.current?.focus();
    moved.current = false;
  }, [cell]);
  return (
    <div role="grid" aria-label={label} aria-rowcount={rows} aria-colcount={columns}>
      <div role="row" aria-rowindex={row + 1}>
        <div
          key={cell}
          ref={element}
          role="gridcell"
          class={props.class}
          tabIndex={0}
          aria-colindex={column + 1}
          aria-label={words}
          style={placed(box)}
          onFocus={onFocus}
          onBlur={onBlur}
          onKeyDown={(event) => {
            const step = takeKey(event, steps);
            if (step !== undefined) moved.current = onStep(step);
          }}
        />
      </div>
    </div>
  );
}

/** @returns the style of what covers a cell */
export function placed({ left, top, width, height }: GridBox): Readonly<Record<string, string>> {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}
