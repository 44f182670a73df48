/** The picture of a sweep: the pointer reads the combination under it, and a press opens its case. */
import type { ComponentChildren } from 'preact';
import { useLaboratory } from '../../../page/laboratory.ts';
import { sweepsOf } from '../sweeps-state.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { spotOf, stepFrom, type Arrangement, type Spot, type Step } from '../arrangement.ts';
import type { Box } from '../heat-layout.ts';

const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: { along: 'x', by: -1 },
  ArrowRight: { along: 'x', by: 1 },
  ArrowUp: { along: 'y', by: 1 },
  ArrowDown: { along: 'y', by: -1 },
  Home: { along: 'x', by: -1, whole: true },
  End: { along: 'x', by: 1, whole: true },
  PageUp: { along: 'facet', by: -1 },
  PageDown: { along: 'facet', by: 1 },
};

interface CursorProps {
  readonly arrangement: Arrangement;
  readonly boxOf: (spot: Spot) => Box | undefined;
  readonly wordsOf: (combination: number) => string;
  readonly label: string;
  readonly onOpen: (combination: number) => void;
}

/**
 * The cell that keys have reached. Of a grid only this one cell is an element: it has the one stop of the Tab key, and moves with the
 * arrows, so that ten thousand cells cost no more than one.
 */
export function CellCursor({ arrangement, boxOf, wordsOf, label, onOpen }: CursorProps) {
  const { reached, pointed, told, findings } = sweepsOf(useLaboratory());
  const cell = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const current = reached.value ?? findings.value?.best ?? 0;
  useLayoutEffect(() => {
    // Another cell is another element, so that it is said aloud; the focus goes with it.
    if (moved.current) cell.current?.focus();
    moved.current = false;
  }, [current]);
  const spot = spotOf(arrangement, current);
  const box = spot && boxOf(spot);
  const shown = spotOf(arrangement, told.value);
  const shownBox = shown && boxOf(shown);
  if (!spot || !box) return null;
  const { rows } = arrangement.facets[spot.facet];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      onOpen(current);
    } else if (Object.hasOwn(STEPS, event.key)) {
      const next = stepFrom(arrangement, current, STEPS[event.key]);
      moved.current = next !== current;
      pointed.value = undefined;
      reached.value = next;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {shownBox && pointed.value !== undefined && <div class="sweep-pointed" style={placed(shownBox)} />}
      <div role="grid" aria-label={label} aria-rowcount={rows.length} aria-colcount={rows[0].length}>
        <div role="row" aria-rowindex={rows.length - spot.row}>
          <div
            key={current}
            ref={cell}
            role="gridcell"
            class="sweep-cursor"
            tabIndex={0}
            aria-colindex={spot.column + 1}
            aria-label={wordsOf(current)}
            style={placed(box)}
            onFocus={() => {
              reached.value = current;
            }}
            onKeyDown={onKeyDown}
          />
        </div>
      </div>
    </>
  );
}

function placed({ left, top, width, height }: Box): Readonly<Record<string, string>> {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}

interface Properties {
  /** What the picture says, in sentences. */
  readonly summary: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** @returns the combination at a place of the picture, in pixels from its corner */
  readonly combinationAt: (x: number, y: number) => number | undefined;
  readonly onOpen: (combination: number) => void;
  readonly children: ComponentChildren;
}

export function PointedPicture({ summary, width, height, combinationAt, onOpen, children }: Properties) {
  const { pointed } = sweepsOf(useLaboratory());
  const combinationUnder = (event: MouseEvent & { readonly currentTarget: Element }): number | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return combinationAt(event.clientX - left, event.clientY - top);
  };
  return (
    <svg
      class="chart sweep-map"
      role="img"
      aria-label={summary}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      onPointerMove={(event) => {
        pointed.value = combinationUnder(event);
      }}
      onPointerLeave={() => {
        pointed.value = undefined;
      }}
      onClick={(event) => {
        const combination = combinationUnder(event);
        if (combination !== undefined) onOpen(combination);
      }}
    >
      {children}
    </svg>
  );
}
