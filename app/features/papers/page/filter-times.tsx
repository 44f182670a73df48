/** Figure 1: the time of Algorithm 2 over K and N, measured here beside what the paper published. */
import { useState } from 'preact/hooks';
import { filterTimes, type FilterTime } from '../../../../engine/index.ts';
import { useRun } from '../../../document/context.ts';
import { Figure } from '../../../figures/figure.tsx';
import { formatNumber } from '../../../format/numbers.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import type { PlotSeries } from '../../../plot/layout.ts';
import { LinePlot } from '../../../plot/line-plot.tsx';
import { papersOf } from '../papers-state.ts';
import { CellMap, type CellMapProps, type MapPlace } from './cell-map.tsx';

/** Heights of the maps, in sizes of the type. */
const MAP_HEIGHT = 11;
/** By N. */
const COLOURS = ['var(--accent)', 'var(--good)', 'var(--warning)'];

function distinct(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function nameOf({ row, column }: MapPlace): string {
  return `N = ${row}, K = ${column}`;
}

function placeOf({ length, iterations }: FilterTime): MapPlace {
  return { row: length, column: iterations };
}

function seconds({ published }: FilterTime): number | null {
  return published?.value ?? null;
}

/** Lines over K, one for each N: measured, Table 1, and the points that Table 2 has of the figure. Milliseconds. */
function linesOf(times: readonly FilterTime[], lengths: readonly number[]): readonly PlotSeries[] {
  return lengths.flatMap((length, n): PlotSeries[] => {
    const ofLength = times.filter((time) => time.length === length);
    const points = (valueOf: (time: FilterTime) => number | null | undefined) =>
      ofLength.flatMap((time) => {
        const y = valueOf(time) ?? null;
        return y === null ? [] : [{ x: time.iterations, y }];
      });
    const color = COLOURS[n];
    const named = `N = ${length}`;
    const tables = [
      {
        key: 'here',
        label: `here, ${named}`,
        endLabel: `here, ${length}`,
        dash: '',
        marked: true,
        points: points((time) => time.milliseconds),
      },
      {
        key: 'table-1',
        label: `Table 1, ${named}`,
        endLabel: `Table 1, ${length}`,
        dash: '5 3',
        points: points(({ published }) => published && 1000 * published.value),
      },
      {
        key: 'table-2',
        label: `Table 2, 3 × 1024 threads, ${named}`,
        dash: '1 3',
        dots: true,
        unlabelled: true,
        points: points(({ publishedAlike }) => publishedAlike && 1000 * publishedAlike.value),
      },
    ];
    return tables
      .filter((line) => line.points.length > 0)
      .map((line) => ({ ...line, key: `${line.key}-${length}`, color }));
  });
}

/** How much longer the most iterations take than the fewest, of the longest signal. */
function growthOf(times: readonly FilterTime[], valueOf: (time: FilterTime) => number | null): number | undefined {
  const longest = times.filter(({ length }) => length === times[times.length - 1].length);
  const [least, most] = [valueOf(longest[0]), valueOf(longest[longest.length - 1])];
  return least === null || most === null ? undefined : most / least;
}

/** What is known of a point. */
function PointNote({ time }: { readonly time: FilterTime }) {
  const { length, iterations, milliseconds, published, publishedAlike } = time;
  return (
    <>
      N = {length}, K = {iterations}:{' '}
      <b>{milliseconds === null ? 'not measured' : `${formatNumber(milliseconds)} ms`}</b> here;{' '}
      {[published, publishedAlike]
        .flatMap((figure) => (figure ? [`${formatNumber(figure.value)} s, ${figure.hardware}`] : []))
        .join('; ')}
      .
    </>
  );
}

function GrowthNote({ times }: { readonly times: readonly FilterTime[] }) {
  const { length } = times[times.length - 1];
  const iterations = distinct(times.map((time) => time.iterations));
  const more = iterations[iterations.length - 1] / iterations[0];
  const [here, published] = [growthOf(times, ({ milliseconds }) => milliseconds), growthOf(times, seconds)];
  return (
    <>
      {more} times as many iterations of N = {length} take{' '}
      {here !== undefined && (
        <>
          <b>{formatNumber(here)}</b> times as long here, and{' '}
        </>
      )}
      <b>{formatNumber(published ?? null)}</b> times as long in Table 1.
    </>
  );
}

export function FilterTimes() {
  const { benchmarks, measured } = papersOf(useLaboratory()).tableOf('recursive-filter');
  const { results, measuring, measure, cancel } = measured;
  const { course, controller } = useRun();
  const [pointed, point] = useState<MapPlace | undefined>(undefined);
  const backend = course.info.value?.backend.name;
  const rows = results.value?.rows.filter((row) => row.backend === backend) ?? [];
  const times = filterTimes(benchmarks, rows);
  const lengths = distinct(times.map(({ length }) => length));
  const iterations = distinct(times.map((time) => time.iterations));
  const begin = (): void => {
    if (!backend) return;
    // Two that compute at once would time each other.
    controller.pause();
    const names = new Set(times.map(({ name }) => name));
    void measure(
      backend,
      benchmarks.filter(({ name }) => names.has(name)),
    );
  };
  const known = times.filter(({ milliseconds }) => milliseconds !== null).length;
  const offer = known > 0 && known < times.length ? 'Continue' : `Measure on ${backend ?? ''}`;
  const isAt = (time: FilterTime): boolean => pointed?.row === time.length && pointed.column === time.iterations;
  const chosen = times.find(isAt);
  const current = times.find(({ name }) => name === measuring.value?.name);
  const map: Omit<CellMapProps, 'summary' | 'unit' | 'cells'> = {
    quantity: 'time',
    scale: 'log',
    rows: { title: 'Points N', values: lengths.toReversed() },
    columns: { title: 'Iterations K', values: iterations },
    nameOf,
    pointed,
    onPoint: point,
    heightEm: MAP_HEIGHT,
  };
  return (
    <Figure
      id="filter-times"
      title="Figure 1: time over K and N"
      help="Algorithm 2 in t = 3 × 1024 blocks, m = 5, σ = 2. The paper draws this surface and prints no numbers of it but those of Table 2 for K = 500, the dots below; beside it is its Table 1, of 10 × 100 threads. Both axes are logarithmic."
      subject={{ name: 'shoal-recursive-filter', subtitle: `t = 3072, m = 5, σ = 2, ${backend ?? ''}` }}
      table={() => ({
        columns: ['N', 'K', 'time here (ms)', 'Table 1 (s)', 'Table 2, 3 × 1024 (s)'],
        rows: times.map((time) => [
          time.length,
          time.iterations,
          time.milliseconds,
          seconds(time),
          time.publishedAlike?.value ?? null,
        ]),
      })}
      controls={
        <button type="button" class="button" disabled={!backend} onClick={measuring.value ? cancel : begin}>
          {measuring.value ? 'Stop' : offer}
        </button>
      }
      note={chosen ? <PointNote time={chosen} /> : <GrowthNote times={times} />}
    >
      <div class="cell-map-pair">
        <div>
          <h4>Here</h4>
          <CellMap
            {...map}
            summary={`Time here by N and K: ${known} of ${times.length} measured`}
            unit="ms"
            cells={times.map((time) => ({ ...placeOf(time), value: time.milliseconds }))}
            current={current && placeOf(current)}
          />
        </div>
        <div>
          <h4>Published, Table 1</h4>
          <CellMap
            {...map}
            summary="Published time by N and K, Table 1, on a Titan X with 10 × 100 threads"
            unit="s"
            cells={times.map((time) => ({ ...placeOf(time), value: seconds(time) }))}
          />
        </div>
      </div>
      <LinePlot
        summary="Time by K for each N, here and as published."
        x={{ label: 'Iterations K', unit: '', scale: 'log', whole: true }}
        y={{ label: 'Time', unit: 'ms', scale: 'log' }}
        series={linesOf(times, lengths)}
        heightEm={20}
        pointing={{
          hovered: pointed?.column,
          hover: (column) => point(column === undefined ? undefined : { row: pointed?.row ?? lengths[0], column }),
          reach: 1,
        }}
        nameOf={(k) => `K = ${k}`}
      />
    </Figure>
  );
}
