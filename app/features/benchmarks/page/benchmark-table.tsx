/** The rows of results as a table, with what was published beside them; a row's name points at its mark in the chart. */
import type { BenchmarkRow, PublishedComparison } from '../../../../engine/index.ts';
import { keyOfRow, SUITE_STYLES } from '../roofline.ts';
import type { BenchmarkResults } from '../results.ts';
import { formatColumn, formatNumber } from '../../../format/numbers.ts';

interface Column {
  readonly title: string;
  readonly help: string;
  readonly cells: (rows: readonly BenchmarkRow[]) => readonly string[];
}

function times(ratio: number | null): string {
  return ratio === null ? '–' : `${formatNumber(ratio)}\u00a0×`;
}

function percent(share: number | null): string {
  if (share === null) return '–';
  const value = 100 * share;
  return `${value < 0.1 ? '<\u00a00.1' : value.toFixed(value < 10 ? 1 : 0)}\u00a0%`;
}

const COLUMNS: readonly Column[] = [
  {
    title: 'ms',
    help: 'Of one run, the least of many',
    cells: (rows) => formatColumn(rows.map(({ milliseconds }) => milliseconds)),
  },
  {
    title: 'GB/s',
    help: 'Bytes by formula over the least time',
    cells: (rows) => formatColumn(rows.map(({ GBs }) => GBs)),
  },
  {
    title: 'GFLOP/s',
    help: 'Operations by formula over the least time',
    cells: (rows) => formatColumn(rows.map(({ GFLOPs }) => GFLOPs)),
  },
  {
    title: 'Of ceiling',
    help: 'Share of the nearer ceiling of the same process: copy bandwidth or multiply-add rate',
    cells: (rows) => rows.map(({ fractionOfCeiling }) => percent(fractionOfCeiling)),
  },
  {
    title: 'Over floor',
    help: 'Time over the least that bandwidth and multiply-add rate allow',
    cells: (rows) => rows.map(({ fractionOfCeiling: share }) => times(share ? 1 / share : null)),
  },
  {
    title: 'Error',
    help: 'max |a − b| / max(1, max |b|) against the reference backend',
    cells: (rows) =>
      rows.map(({ errorAgainstReference: error }) => (error === null ? '–' : error === 0 ? '0' : formatNumber(error))),
  },
];

function publishedWords({ value, unit, hardware, source }: PublishedComparison): string {
  return `${formatNumber(value)} ${unit} on ${hardware} (${source})`;
}

interface TableProps {
  readonly results: BenchmarkResults;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string | undefined) => void;
}

export function BenchmarkTable({ results: { rows, backends }, chosen, onChoose }: TableProps) {
  const columns = COLUMNS.map((column) => ({ ...column, texts: column.cells(rows) }));
  const suites = [...new Set(rows.map(({ suite }) => suite))];
  const namesBackend = backends.length > 1;
  return (
    <div class="bench-table" role="region" aria-label="Results of the benchmarks" tabIndex={0}>
      <table class="results">
        <thead>
          <tr>
            <th scope="col">Benchmark</th>
            {columns.map(({ title, help }) => (
              <th key={title} scope="col" title={help}>
                {title}
              </th>
            ))}
            <th scope="col" title="From other hardware: for orientation">
              Published
            </th>
            <th scope="col" title="How many times better it is here">
              Better by
            </th>
          </tr>
        </thead>
        {suites.map((suite) => (
          <tbody key={suite}>
            <tr class="results-variable">
              <th scope="rowgroup" colSpan={columns.length + 3}>
                {SUITE_STYLES[suite].title}
              </th>
            </tr>
            {rows.map((row, n) => {
              if (row.suite !== suite) return null;
              const key = keyOfRow(row);
              const { published } = row;
              return (
                <tr
                  key={key}
                  class={key === chosen ? 'chosen' : undefined}
                  onPointerEnter={() => onChoose(key)}
                  onPointerLeave={() => onChoose(undefined)}
                >
                  <th scope="row">
                    <button
                      type="button"
                      class="bench-name"
                      aria-pressed={key === chosen}
                      title={row.notes.join('. ')}
                      onFocus={() => onChoose(key)}
                      onBlur={() => onChoose(undefined)}
                    >
                      {row.name}
                      {namesBackend && <span class="label"> {row.backend}</span>}
                    </button>
                  </th>
                  {columns.map(({ title, texts }) => (
                    <td key={title}>{texts[n]}</td>
                  ))}
                  <td class="bench-published" title={published ? publishedWords(published) : undefined}>
                    {published ? `${formatNumber(published.value)}\u00a0${published.unit}` : '–'}
                  </td>
                  <td>{times(published?.ratio ?? null)}</td>
                </tr>
              );
            })}
          </tbody>
        ))}
      </table>
    </div>
  );
}
