/** The tuning surface: how quick a pass is in each pattern of columns × lines, and at its best by the length of the filter. */
import { useState } from 'preact/hooks';
import { quickestPass, type Surface, type SurfaceAnswer, type SurfaceQuestion } from '../../../../engine/index.ts';
import { PageFailure } from '../../../controls/dialog.tsx';
import { useRun } from '../../../document/context.ts';
import { Figure } from '../../../figures/figure.tsx';
import { formatNumber } from '../../../format/numbers.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { LinePlot } from '../../../plot/line-plot.tsx';
import { papersOf, surfaceKey } from '../papers-state.ts';
import { CellMap } from './cell-map.tsx';

/** Lengths of filters; the magic filter's first. */
const LENGTHS = [16, 4, 8, 32, 64] as const;
/** For all of them together. */
const MILLISECONDS = 20_000;

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

function nameOf({ columns, lines }: Pick<SurfaceCell, 'columns' | 'lines'>): string {
  return `${columns} × ${lines}`;
}

/** Patterns as cells. */
function PatternMap({
  surface: { cells, length },
  best,
}: {
  readonly surface: Surface;
  readonly best?: SurfaceCell | undefined;
}) {
  const found = best ? `${nameOf(best)} is the best with ${formatNumber(best.gigaflops)}` : 'none is measured yet';
  const shown = cells.map(({ columns, lines, gigaflops, problem }) => ({
    row: columns,
    column: lines,
    value: gigaflops,
    problem,
  }));
  return (
    <CellMap
      summary={`GFLOP/s by pattern, ${length} taps: ${found}`}
      quantity="rate"
      unit="GFLOP/s"
      scale="linear"
      rows={{ title: 'Columns of a block', values: ascending(cells.map((cell) => cell.columns)) }}
      columns={{ title: 'Lines of a block', values: ascending(cells.map((cell) => cell.lines)) }}
      cells={shown}
      nameOf={({ row, column }) => nameOf({ columns: row, lines: column })}
      best={best && shown[cells.indexOf(best)]}
    />
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
      {surface && <PatternMap surface={surface} best={best} />}
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
