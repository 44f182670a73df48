/**
 * Cells in grids, one grid for each combination of the values of the other axes, as one picture: what they show is handed in as
 * paints. The pointer reads a cell, a press opens its case; keys do so by the cursor.
 */
import { max } from 'd3';
import type { ComponentChildren } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { GridCursor, placed, type GridBox } from '../../../plot/grid-cursor.tsx';
import { useSize } from '../../../plot/use-size.ts';
import { combinationAt, spotOf, type Arrangement, stepFrom, type Spot, type Step } from '../arrangement.ts';
import { cellBox, layoutHeat, rightOf, spotAt, hasRoom, heatShapes, innerBox } from '../heat-layout.ts';
import type { HeatLayout, HeatShapes, Paint } from '../heat-layout.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { sweepsOf } from '../sweeps-state.ts';

const STEPS: Readonly<Record<string, Step | 'open'>> = {
  ArrowLeft: { along: 'x', by: -1 },
  ArrowRight: { along: 'x', by: 1 },
  ArrowUp: { along: 'y', by: 1 },
  ArrowDown: { along: 'y', by: -1 },
  Home: { along: 'x', by: -1, whole: true },
  End: { along: 'x', by: 1, whole: true },
  PageUp: { along: 'facet', by: -1 },
  PageDown: { along: 'facet', by: 1 },
  Enter: 'open',
};

interface CursorProps {
  readonly arrangement: Arrangement;
  readonly boxOf: (spot: Spot) => GridBox | undefined;
  readonly wordsOf: (combination: number) => string;
  readonly label: string;
  readonly onOpen: (combination: number) => void;
}

/** The cell that keys have reached, and the one that is pointed at. */
export function CellCursor({ arrangement, boxOf, wordsOf, label, onOpen }: CursorProps) {
  const { reached, pointed, told, findings } = sweepsOf(useLaboratory());
  const current = reached.value ?? findings.value?.best ?? 0;
  const spot = spotOf(arrangement, current);
  const box = spot && boxOf(spot);
  const shown = spotOf(arrangement, told.value);
  const shownBox = shown && boxOf(shown);
  if (!spot || !box) return null;
  const { rows } = arrangement.facets[spot.facet];
  const onStep = (step: Step | 'open'): boolean => {
    if (step === 'open') {
      onOpen(current);
      return false;
    }
    const next = stepFrom(arrangement, current, step);
    pointed.value = undefined;
    reached.value = next;
    return next !== current;
  };
  return (
    <>
      {shownBox && pointed.value !== undefined && <div class="sweep-pointed" style={placed(shownBox)} />}
      <GridCursor
        label={label}
        rows={rows.length}
        columns={rows[0].length}
        row={rows.length - 1 - spot.row}
        column={spot.column}
        cell={current}
        words={wordsOf(current)}
        box={box}
        class="sweep-cursor"
        steps={STEPS}
        onStep={onStep}
        onFocus={() => {
          reached.value = current;
        }}
      />
    </>
  );
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

/** What a legend is drawn with. */
export interface LegendRoom {
  readonly width: number;
  readonly em: number;
  /** Id of the hatch pattern. */
  readonly hatch: string;
}

interface CellGridProps {
  /** What the picture says, in sentences. */
  readonly summary: string;
  readonly arrangement: Arrangement;
  /** By combination. */
  readonly paints: readonly Paint[];
  readonly legend: (room: LegendRoom) => ComponentChildren;
  /** Height of the legend, in sizes of the type, by the width that it has in them. */
  readonly legendEm: (widthEm: number) => number;
  /** A combination in a line, for those who do not see it. */
  readonly wordsOf: (combination: number) => string;
  readonly best?: number | undefined;
  readonly alike?: ReadonlySet<number>;
  /** Marked with a diamond: what a scan took. */
  readonly taken?: number | undefined;
  readonly onOpen: (combination: number) => void;
}

export function CellGrid(props: CellGridProps) {
  const { summary, arrangement, paints, legend, legendEm, wordsOf, onOpen } = props;
  const [area, { width, height, em }] = useSize();
  const hatch = useId();
  // The legend has more or fewer marks with another measure.
  const top = width === 0 ? 0 : Math.round((legendEm(width / em) + (arrangement.y ? 2 : 0.8)) * em);
  const layout = useMemo(
    () => (width === 0 ? undefined : layoutHeat(arrangement, { width, height, em, top })),
    [arrangement, width, height, em, top],
  );
  const shapes = useMemo(() => layout && heatShapes(layout, arrangement, paints), [layout, arrangement, paints]);
  const letters = useMemo(() => max(paints, ({ text }) => text.length) ?? 1, [paints]);
  return (
    <div class="chart-area sweep-area" ref={area}>
      {layout && shapes && (
        <>
          <PointedPicture
            summary={summary}
            width={width}
            height={layout.height}
            combinationAt={(left, top) => {
              const spot = spotAt(layout, left, top);
              return spot && combinationAt(arrangement, spot);
            }}
            onOpen={onOpen}
          >
            <HatchPatterns id={hatch} />
            {legend({ width, em, hatch })}
            <GridAxes layout={layout} arrangement={arrangement} em={em} />
            <Cells shapes={shapes} hatch={hatch} hasWords={hasRoom(layout.cell, Math.max(1, letters), em)} />
            <Marks {...props} layout={layout} />
          </PointedPicture>
          <CellCursor
            arrangement={arrangement}
            boxOf={(spot) => cellBox(layout, spot)}
            wordsOf={wordsOf}
            label={summary}
            onOpen={onOpen}
          />
        </>
      )}
    </div>
  );
}

/** Diagonal strokes: dark and light ones over colours, and one for cells that have no colour. */
function HatchPatterns({ id }: { readonly id: string }) {
  return (
    <defs>
      {(['dark', 'light', 'whole'] as const).map((kind) => (
        <pattern
          key={kind}
          id={`${id}-${kind}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line class={`hatch-${kind}`} x1={1} x2={1} y1={0} y2={6} />
        </pattern>
      ))}
    </defs>
  );
}

interface AxesProps {
  readonly layout: HeatLayout;
  readonly arrangement: Arrangement;
  readonly em: number;
}

function GridAxes({ layout: { facets, top, width, height }, arrangement: { x, y }, em }: AxesProps) {
  return (
    <g aria-hidden="true">
      {y && (
        <text class="chart-axis-title" x={0} y={top - 0.7 * em}>
          {y.title}
        </text>
      )}
      {facets.map(({ left, top: from, height: high, title, x: xTicks, y: yTicks }) => (
        <g key={`${left} ${from}`}>
          {title.map((line, n) => (
            <text key={line} class="sweep-facet" x={left} y={from - (0.45 + 1.35 * (title.length - 1 - n)) * em}>
              {line}
            </text>
          ))}
          {yTicks.map(({ at, text }) => (
            <text key={text} class="chart-tick" x={left - 0.5 * em} y={at} dy="0.32em" text-anchor="end">
              {text}
            </text>
          ))}
          {xTicks.map(({ at, text }) => (
            <text key={text} class="chart-tick" x={at} y={from + high + 1.2 * em} text-anchor="middle">
              {text}
            </text>
          ))}
        </g>
      ))}
      {x && (
        <text
          class="chart-axis-title"
          x={(facets[0].left + rightOf(facets, width)) / 2}
          y={height - 0.4 * em}
          text-anchor="middle"
        >
          {x.title}
        </text>
      )}
    </g>
  );
}

interface CellsProps {
  readonly shapes: HeatShapes;
  readonly hatch: string;
  readonly hasWords: boolean;
}

function Cells({ shapes: { fills, empty, untried, hatches, texts, isSeamless }, hatch, hasWords }: CellsProps) {
  return (
    <g>
      {untried !== '' && <path class="sweep-untried" d={untried} />}
      {empty !== '' && <path class="sweep-empty" d={empty} />}
      {fills.map(({ colour, path }) => (
        <path key={colour} d={path} fill={colour} shape-rendering={isSeamless ? 'crispEdges' : undefined} />
      ))}
      {Object.entries(hatches).map(
        ([kind, path]) => path !== '' && <path key={kind} d={path} fill={`url(#${hatch}-${kind})`} />,
      )}
      {hasWords &&
        texts.map(({ x, y, text, dark }) => (
          <text
            key={`${x} ${y}`}
            class={dark === undefined ? 'sweep-value' : dark ? 'sweep-value on-light' : 'sweep-value on-dark'}
            x={x}
            y={y}
            dy="0.34em"
            text-anchor="middle"
          >
            {text}
          </text>
        ))}
    </g>
  );
}

/** The ring of the best cell, soft edges of those that are not significantly different from it, and what a scan took. */
function Marks({
  layout,
  arrangement,
  best,
  alike = new Set(),
  taken,
  paints,
}: CellGridProps & { readonly layout: HeatLayout }) {
  const edge = (combination: number, inset: number) => {
    const spot = spotOf(arrangement, combination);
    if (!spot) return undefined;
    const { left, top, width, height } = innerBox(layout, spot);
    return {
      x: left + inset,
      y: top + inset,
      width: Math.max(0, width - 2 * inset),
      height: Math.max(0, height - 2 * inset),
    };
  };
  const inkOf = (combination: number): string => (paints[combination]?.ink?.dark === true ? 'on-light' : 'on-dark');
  const ring = best === undefined ? undefined : edge(best, 1.5);
  const took = taken === undefined || taken === best ? undefined : edge(taken, 0);
  return (
    <g pointer-events="none">
      {[...alike].map((combination) => {
        const box = edge(combination, 2.5);
        return box && <rect key={combination} class={`sweep-alike ${inkOf(combination)}`} {...box} />;
      })}
      {ring && (
        <>
          <rect class="sweep-ring-halo" {...ring} />
          <rect class="sweep-ring" {...ring} />
        </>
      )}
      {took && taken !== undefined && (
        <path class={`sweep-taken ${inkOf(taken)}`} d={diamond(took.x + took.width - 8, took.y + 8, 4)} />
      )}
    </g>
  );
}

/** @returns a small square on its corner */
export function diamond(x: number, y: number, half: number): string {
  return `M${x},${y - half}l${half},${half}l${-half},${half}l${-half},${-half}z`;
}
