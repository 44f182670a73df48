/** A measure as lines: over one axis, a line for each value of another, with bands of the interval and gaps where runs diverged. */
import { useMemo } from 'preact/hooks';
import { useSize } from '../../../plot/use-size.ts';
import { cssColour } from '../../../fields/colours.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { combinationAt, sweepStyles, type Arrangement, type Cell } from '../arrangement.ts';
import { layoutLines, pointAt } from '../lines-layout.ts';
import type { LineLayout, LinePoint, LinesFacet, LinesLayout } from '../lines-layout.ts';
import { measureTitle, cellWords, counted, findingWords } from '../words.ts';
import { DIGIT_EM, rightOf } from '../heat-layout.ts';
import { axisTexts, type SweepTable, type TableAxis } from '../../reading/sweep-table.ts';
import { CellCursor, PointedPicture } from './cell-grid.tsx';
import { sweepsOf } from '../sweeps-state.ts';

/** Pixels of the box about a point that keys have reached. */
const CURSOR = 16;
const DASHES = ['', '6 3', '2 3', '8 3 2 3'];

/** @returns colours of lines in the order of their values: one sequence, its lighter part on dark ground, its darker on light */
function lineColours(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => {
    const t = count === 1 ? 0.5 : n / (count - 1);
    return `light-dark(${cssColour('viridis', 0.02 + 0.53 * t)}, ${cssColour('viridis', 0.42 + 0.56 * t)})`;
  });
}

/** The cursor asks for one at every movement of the pointer: they are found without a search. */
function pointsByCombination(layout: LinesLayout | undefined): ReadonlyMap<number | undefined, LinePoint> {
  const points = layout?.facets.flatMap(({ lines }) => lines.flatMap((line) => line.points)) ?? [];
  return new Map(points.map((point) => [point.combination, point]));
}

interface LineMapProps {
  readonly table: SweepTable;
  readonly arrangement: Arrangement;
  readonly onOpen: (combination: number) => void;
}

export function LineMap({ table, arrangement, onOpen }: LineMapProps) {
  const { cells, combinations, subject, findings } = sweepsOf(useLaboratory());
  const [area, { width, height, em }] = useSize();
  const { measure: number, method } = subject.value;
  const measure = table.measures[number];
  const near = typeof measure.best === 'object' ? measure.best.near : undefined;
  const all = cells.value;
  const layout = useMemo(
    () =>
      width > 0 ? layoutLines(arrangement, all, { width, height, em, top: Math.round(3.6 * em), near }) : undefined,
    [arrangement, all, width, height, em, near],
  );
  const colours = arrangement.y ? lineColours(arrangement.y.values.length) : [sweepStyles(table)[method].colour];
  const told = { table, combinations: combinations.value, cells: all, unit: measure.unit };
  const summary = `${measure.title}, ${table.methods[method]}, by ${arrangement.x?.title ?? 'nothing'}${arrangement.y ? `, ${counted(arrangement.y.values.length, 'line')} by ${arrangement.y.title}` : ''}. ${findings.value ? findingWords(told, findings.value) : ''}`;
  const points = useMemo(() => pointsByCombination(layout), [layout]);
  return (
    <div class="chart-area sweep-area" ref={area}>
      {layout && (
        <>
          <PointedPicture
            summary={summary}
            width={width}
            height={layout.height}
            combinationAt={(left, top) => pointAt(layout, left, top)}
            onOpen={onOpen}
          >
            <Legend arrangement={arrangement} cells={all} em={em} title={measureTitle(measure)} />
            {layout.needsKey && arrangement.y && <Key axis={arrangement.y} colours={colours} width={width} em={em} />}
            {layout.facets.map((facet) => (
              <Plot key={`${facet.left} ${facet.top}`} facet={facet} colours={colours} em={em} near={near} />
            ))}
            <XTitle layout={layout} title={arrangement.x?.title} em={em} />
          </PointedPicture>
          <CellCursor
            arrangement={arrangement}
            boxOf={(spot) => {
              const point = points.get(combinationAt(arrangement, spot));
              return point && { left: point.x - CURSOR / 2, top: point.y - CURSOR / 2, width: CURSOR, height: CURSOR };
            }}
            wordsOf={(combination) => cellWords(told, combination)}
            label={summary}
            onOpen={onOpen}
          />
        </>
      )}
    </div>
  );
}

interface LegendProps {
  readonly arrangement: Arrangement;
  readonly cells: readonly Cell[];
  readonly em: number;
  readonly title: string;
}

/** What the marks mean, and over the plots what is drawn upwards. */
function Legend({ arrangement, cells, em, title }: LegendProps) {
  const marks = [
    ...(arrangement.y ? [`A line each: ${arrangement.y.title}`] : []),
    ...(cells.some(({ interval }) => interval) ? ['band: 95 % interval'] : []),
    ...(cells.some(({ diverged, median }) => diverged > 0 && median !== null) ? ['open: some seeds diverged'] : []),
    ...(cells.some(({ median }) => median === null) ? ['×: no value'] : []),
  ];
  return (
    <g aria-hidden="true">
      <text class="sweep-legend-title" x={0} y={0.95 * em}>
        {title}
      </text>
      <text x={0} y={2.4 * em}>
        {marks.join(' · ')}
      </text>
    </g>
  );
}

interface KeyProps {
  readonly axis: TableAxis;
  readonly colours: readonly string[];
  readonly width: number;
  readonly em: number;
}

/** The colours of lines from the first value to the last, at the right above the plots. */
function Key({ axis, colours, width, em }: KeyProps) {
  const texts = axisTexts(axis);
  const [first, last] = [texts[0], texts[texts.length - 1]];
  const right = width - (DIGIT_EM * last.length + 0.6) * em;
  const step = Math.min(1.2 * em, (12 * em) / colours.length);
  const left = right - step * colours.length;
  return (
    <g aria-hidden="true">
      <text class="chart-tick" x={left - 0.5 * em} y={0.95 * em} text-anchor="end">
        {first}
      </text>
      {colours.map((colour, n) => (
        <rect key={colour} x={left + n * step} y={0.2 * em} width={step} height={0.7 * em} style={{ fill: colour }} />
      ))}
      <text class="chart-tick" x={right + 0.5 * em} y={0.95 * em}>
        {last}
      </text>
    </g>
  );
}

function XTitle({
  layout: { facets, width, height },
  title,
  em,
}: {
  readonly layout: LinesLayout;
  readonly title: string | undefined;
  readonly em: number;
}) {
  return (
    <text
      class="chart-axis-title"
      x={(facets[0].left + rightOf(facets, width)) / 2}
      y={height - 0.4 * em}
      text-anchor="middle"
      aria-hidden="true"
    >
      {title}
    </text>
  );
}

interface PlotProps {
  readonly facet: LinesFacet;
  readonly colours: readonly string[];
  readonly em: number;
  readonly near: number | undefined;
}

function Plot({ facet, colours, em, near }: PlotProps) {
  const { left, top, width, height, title, x, y, lines, reference, isFirst } = facet;
  const bottom = top + height;
  return (
    <g aria-hidden="true">
      {title.map((text) => (
        <text key={text} class="sweep-facet" x={left} y={top - 0.6 * em}>
          {text}
        </text>
      ))}
      {y.map(({ at, text }) => (
        <g key={text}>
          <line class="chart-grid" x1={left} x2={left + width} y1={at} y2={at} />
          {isFirst && (
            <text class="chart-tick" x={left - 0.5 * em} y={at} dy="0.32em" text-anchor="end">
              {text}
            </text>
          )}
        </g>
      ))}
      <line class="chart-axis" x1={left} x2={left + width} y1={bottom} y2={bottom} />
      {x.map(({ at, text }) => (
        <g key={text}>
          <line class="chart-axis" x1={at} x2={at} y1={bottom} y2={bottom + 4} />
          <text class="chart-tick" x={at} y={bottom + 4 + 0.95 * em} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
      {reference !== undefined && (
        <g class="chart-reference">
          <line x1={left} x2={left + width} y1={reference} y2={reference} />
          <text x={left + width - 3} y={reference - 4} text-anchor="end">
            {near}
          </text>
        </g>
      )}
      {lines.map(
        (line) =>
          line.band !== '' && (
            <path key={line.row} class="chart-band" d={line.band} fill={colours[line.row]} stroke={colours[line.row]} />
          ),
      )}
      {lines.map((line) => (
        <Line key={line.row} line={line} colour={colours[line.row]} em={em} />
      ))}
    </g>
  );
}

/** The points of a line as three paths: of ten thousand, each as an element would be too many. */
function marksOf(
  points: readonly LinePoint[],
  radius: number,
  size: number,
): Readonly<Record<LinePoint['kind'], string>> {
  const marks = { whole: '', partial: '', lost: '' };
  for (const { x, y, kind } of points) {
    if (kind === 'whole') marks.whole += `M${x},${y}h0`;
    else if (kind === 'partial')
      marks.partial += `M${x - radius},${y}a${radius},${radius} 0 1 0 ${2 * radius},0a${radius},${radius} 0 1 0 ${-2 * radius},0z`;
    else marks.lost += `M${x - size},${y - size}l${2 * size},${2 * size}m0,${-2 * size}l${-2 * size},${2 * size}`;
  }
  return marks;
}

function Line({
  line: { row, path, points, label },
  colour,
  em,
}: {
  readonly line: LineLayout;
  readonly colour: string;
  readonly em: number;
}) {
  const radius = 0.27 * em;
  const marks = marksOf(points, radius, 0.3 * em);
  return (
    <g>
      {path !== '' && (
        <path class="chart-line" d={path} stroke={colour} stroke-dasharray={DASHES[row % DASHES.length]} />
      )}
      {marks.whole !== '' && <path class="sweep-points" d={marks.whole} stroke={colour} stroke-width={2 * radius} />}
      {marks.partial !== '' && <path class="sweep-points open" d={marks.partial} stroke={colour} />}
      {marks.lost !== '' && <path class="chart-end" d={marks.lost} stroke={colour} />}
      {label && (
        <text class="sweep-line-label" x={label.x} y={label.y} dy="0.32em">
          {label.text}
        </text>
      )}
    </g>
  );
}
