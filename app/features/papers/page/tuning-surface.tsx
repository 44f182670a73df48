/** The tuning surface: how quick a pass is in each pattern of columns × lines, and at its best by the length of the filter. */
import { useState } from 'preact/hooks';
import { quickestPass, type Surface, type SurfaceAnswer, type SurfaceQuestion } from '../../../../engine/index.ts';
import { PageFailure } from '../../../controls/page.tsx';
import { useRun } from '../../../document/context.ts';
import { cssColour } from '../../../fields/colours.ts';
import { Figure } from '../../../figures/figure.tsx';
import { formatNumber } from '../../../format/numbers.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { LinePlot } from '../../../plot/line-plot.tsx';
import { useSize } from '../../../plot/use-size.ts';
import { papersOf, surfaceKey } from '../papers-state.ts';

/** Lengths of filters; the magic filter's first. */
const LENGTHS = [16, 4, 8, 32, 64] as const;
/** For all of them together. */
const MILLISECONDS = 20_000;
/** Type sizes: the height of a cell, and the widest one. */
const ROW = 2.6;
const WIDEST = 8;

type SurfaceCell = Surface['cells'][number];

function bestOf({ cells }: Surface): SurfaceCell | undefined {
  return cells.reduce<SurfaceCell | undefined>(
    (best, cell) => (cell.gigaflops !== null && cell.gigaflops > (best?.gigaflops ?? 0) ? cell : best),
    undefined,
  );
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Patterns as cells, the number of GFLOP/s in each, the best in a ring. Colours run from the slowest to the best. */
function PatternMap({ surface }: { readonly surface: Surface }) {
  const [area, { width: available, em }] = useSize();
  const { cells } = surface;
  const columns = ascending(cells.map((cell) => cell.columns));
  const lines = ascending(cells.map((cell) => cell.lines));
  const best = bestOf(surface);
  const most = best?.gigaflops ?? 1;
  const least = cells.reduce((slowest, { gigaflops }) => Math.min(slowest, gigaflops ?? most), most);
  const [left, top] = [3 * em, 1.7 * em];
  const cellWidth = Math.min(WIDEST * em, (available - left) / lines.length);
  const cellHeight = ROW * em;
  const [right, bottom] = [left + cellWidth * lines.length, top + cellHeight * columns.length];
  const [width, height] = [right, bottom + 2.6 * em];
  const boxOf = (cell: SurfaceCell) => ({
    x: left + cellWidth * lines.indexOf(cell.lines),
    y: top + cellHeight * columns.indexOf(cell.columns),
    width: cellWidth,
    height: cellHeight,
  });
  const found = best ? `${nameOf(best)} is the best with ${formatNumber(most)}` : 'none is measured yet';
  return (
    <div ref={area}>
      {available > 0 && (
        <svg
          class="chart"
          role="img"
          aria-label={`GFLOP/s by pattern, ${surface.length} taps: ${found}`}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
        >
          <text class="chart-axis-title" x={0} y={0.95 * em}>
            Columns of a block; GFLOP/s in the cells
          </text>
          {cells.map((cell) => (
            <Cell key={nameOf(cell)} cell={cell} box={boxOf(cell)} share={shareOf(cell.gigaflops, least, most)} />
          ))}
          {best && <rect class="papers-cell best" {...boxOf(best)} />}
          {columns.map((column, at) => (
            <text
              key={column}
              class="chart-tick"
              x={left - 6}
              y={top + cellHeight * (at + 0.5)}
              dy="0.35em"
              text-anchor="end"
            >
              {column}
            </text>
          ))}
          {lines.map((line, at) => (
            <text
              key={line}
              class="chart-tick"
              x={left + cellWidth * (at + 0.5)}
              y={bottom + 1.1 * em}
              text-anchor="middle"
            >
              {line}
            </text>
          ))}
          <text class="chart-axis-title" x={(left + right) / 2} y={height - 0.3 * em} text-anchor="middle">
            Lines of a block
          </text>
        </svg>
      )}
    </div>
  );
}

function nameOf({ columns, lines }: SurfaceCell): string {
  return `${columns} × ${lines}`;
}

/** @returns 0 for the least and 1 for the most; undefined for what was not measured */
function shareOf(gigaflops: number | null, least: number, most: number): number | undefined {
  if (gigaflops === null) return undefined;
  return most > least ? (gigaflops - least) / (most - least) : 1;
}

interface CellProps {
  readonly cell: SurfaceCell;
  readonly box: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
  readonly share: number | undefined;
}

function Cell({ cell, box, share }: CellProps) {
  const rate = share === undefined ? '' : formatNumber(cell.gigaflops);
  const words = cell.problem ?? (share === undefined ? 'not measured' : `${rate} GFLOP/s`);
  return (
    <g>
      <title>{`${nameOf(cell)}: ${words}`}</title>
      <rect
        class={share === undefined ? 'papers-cell unknown' : 'papers-cell'}
        {...box}
        {...(share !== undefined && { fill: cssColour('cividis', share) })}
      />
      <text
        x={box.x + box.width / 2}
        y={box.y + box.height / 2}
        dy="0.35em"
        text-anchor="middle"
        style={{ fill: (share ?? 0) > 0.5 ? '#000' : '#fff' }}
      >
        {rate}
      </text>
    </g>
  );
}

/** The best of each length, beside what a copy would allow. */
function LengthPlot({ surfaces }: { readonly surfaces: SurfaceAnswer }) {
  const [hovered, hover] = useState<number | undefined>(undefined);
  const ordered = [...surfaces].sort((a, b) => a.length - b.length);
  const best = ordered.flatMap((surface) => {
    const gigaflops = bestOf(surface)?.gigaflops ?? null;
    return gigaflops === null ? [] : [{ x: surface.length, y: gigaflops }];
  });
  const copy = ordered.map(({ length, copyGigaflops }) => ({ x: length, y: copyGigaflops }));
  return (
    <LinePlot
      summary="GFLOP/s of the best pattern by the length of the filter, and what a copy of the array would allow."
      x={{ label: 'Taps of the filter', unit: '', scale: 'log', whole: true }}
      y={{ label: 'Best pattern', unit: 'GFLOP/s', scale: 'linear', include: [0] }}
      series={[
        { key: 'copy', label: 'a copy of the array', color: 'var(--quiet)', dash: '4 3', points: copy, outside: true },
        { key: 'best', label: 'best pattern', color: 'var(--accent)', dash: '', points: best, marked: true },
      ]}
      pointing={{ hovered, hover, reach: 4 }}
      nameOf={(length) => `${length} taps`}
    />
  );
}

export function TuningSurface() {
  const { known, measuring, failure, measure, cancel } = papersOf(useLaboratory()).surfaces;
  const { course, controller } = useRun();
  const backend = course.info.value?.backend.name;
  const [wantsDouble, setWantsDouble] = useState(true);
  const [transposed, setTransposed] = useState(true);
  const [length, setLength] = useState<number>(LENGTHS[0]);
  const element = wantsDouble && backend !== 'webgpu' ? 'double' : 'real';
  const question: SurfaceQuestion = { element, transposed, lengths: LENGTHS, milliseconds: MILLISECONDS };
  const key = backend && surfaceKey(backend, question);
  const surfaces = (key !== undefined && known.value.get(key)) || [];
  const surface = surfaces.find((each) => each.length === length);
  const best = surface && bestOf(surface);
  const hasPatterns = backend !== undefined && backend !== 'reference';
  const begin = (): void => {
    if (!backend) return;
    // Two that compute at once would time each other.
    controller.pause();
    void measure(backend, question);
  };
  const float = element === 'double' ? 'float64' : 'float32';
  const subtitle = `${float}, ${transposed ? 'transposed' : 'not transposed'}, ${length} taps, ${backend ?? ''}`;
  const isMeasuring = measuring.value !== undefined;
  return (
    <Figure
      id="tuning-surface"
      title="How quick a pass is, by pattern"
      help={`A block of so many columns × lines is summed at a time; its kernel is generated for it${backend === 'webgpu' ? ', and an invocation has a block' : ' and runs on one thread'}. The search is the one that chooses the program’s own kernels. Array: 32 columns × 5040 lines, as in the paper’s Tables II and III.`}
      subject={{ name: 'shoal-convolution', subtitle }}
      empty={
        hasPatterns ? undefined : 'The reference backend has one form of the pass. Open the run with wasm or webgpu.'
      }
      table={() => ({
        columns: ['taps', 'columns', 'lines', 'GFLOP/s', 'a copy would allow (GFLOP/s)'],
        rows: surfaces.flatMap(({ cells, copyGigaflops, ...each }) =>
          cells.map(({ columns, lines, gigaflops }) => [each.length, columns, lines, gigaflops, copyGigaflops]),
        ),
      })}
      controls={
        <button type="button" class="button" onClick={isMeasuring ? cancel : begin}>
          {isMeasuring ? 'Stop' : surfaces.length > 0 ? 'Continue' : `Measure on ${backend ?? ''}`}
        </button>
      }
      note={
        surface &&
        best && (
          <>
            Best: <b>{nameOf(best)}</b> with <b>{formatNumber(best.gigaflops)}</b> GFLOP/s; a copy of the array would
            allow {formatNumber(surface.copyGigaflops)}, and one core of the paper reached {quickestPass(transposed)}{' '}
            with 16 taps in float64.
          </>
        )
      }
    >
      <div class="papers-knobs">
        <Choice
          name="Numbers"
          value={float}
          values={backend === 'webgpu' ? ['float32'] : ['float64', 'float32']}
          onChange={(value) => setWantsDouble(value === 'float64')}
        />
        <Choice
          name="Output"
          value={transposed ? 'transposed' : 'not transposed'}
          values={['transposed', 'not transposed']}
          onChange={(value) => setTransposed(value === 'transposed')}
        />
        <Choice
          name="Taps"
          value={String(length)}
          values={ascending(LENGTHS).map(String)}
          onChange={(value) => setLength(Number(value))}
        />
      </div>
      <PageFailure message={failure.value} />
      {surface && <PatternMap surface={surface} />}
      {surfaces.length > 1 && <LengthPlot surfaces={surfaces} />}
    </Figure>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ name, value, values, onChange }: ChoiceProps) {
  return (
    <label class="papers-knob">
      {name}
      <select class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
