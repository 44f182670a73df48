/**
 * Results of benchmarks: the kernels under the roof of what the machine can do, and a table beside what was published. They are
 * timed here, in a worker on the backend of the run, or read from a file of `shoal bench --json`.
 */
import { benchmarkTable, keyOfRow, SUITE_STYLES } from '../roofline.ts';
import { MOST_RESULT_BYTES, benchmarkPageOf, type BenchmarkResults } from '../benchmarks-state.ts';
import { Figure } from '../../../figures/figure.tsx';
import { formatNumber, formatColumn } from '../../../format/numbers.ts';
import { beginningOf, JsonFileButton, Page, PageFailure, PageProgress } from '../../../controls/dialog.tsx';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import './benchmarks.css';
import { RooflineChart } from './roofline-chart.tsx';
import { publishedOf, type BenchmarkRow, type PublishedComparison } from '../../../../engine/index.ts';

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

function publishedWords({ value, unit, hardware, includes }: PublishedComparison): string {
  return `${formatNumber(value)}\u00a0${unit}, ${hardware}${includes === null ? '' : `; ${includes}`}`;
}

interface TableProps {
  readonly results: BenchmarkResults;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string | undefined) => void;
}

/** The rows of results as a table, with what was published beside them; a row's name points at its mark in the chart. */
function BenchmarkTable({ results: { rows, backends }, chosen, onChoose }: TableProps) {
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
              const published = publishedOf(row);
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
                  <td class="bench-published">
                    {published.length === 0
                      ? '–'
                      : published.map((figure) => (
                          <div key={publishedWords(figure)} title={figure.source}>
                            {publishedWords(figure)}
                          </div>
                        ))}
                  </td>
                  <td>
                    {published.length === 0
                      ? '–'
                      : published.map((figure) => <div key={publishedWords(figure)}>{times(figure.ratio)}</div>)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        ))}
      </table>
    </div>
  );
}

export function BenchmarksPage() {
  const {
    overlays: { closeOverlay },
  } = useLaboratory();
  const { results, measuring, reading, failure, chosen, measure, cancel, open } = benchmarkPageOf(useLaboratory());
  const { course, controller } = useRun();
  const backend = course.info.value?.backend.name;
  const isMeasuring = measuring.value !== undefined;
  const begin = (): void => {
    if (!backend) return;
    // Two that compute at once would time each other.
    controller.pause();
    void measure(backend);
  };
  const read = (file: File): void => {
    if (!isMeasuring) void open({ name: file.name, bytes: beginningOf(file, MOST_RESULT_BYTES) });
  };
  const choose = (key: string | undefined): void => {
    chosen.value = key;
  };
  const shown = results.value;
  return (
    <Page
      title="Benchmarks"
      class="benchmarks"
      source={shown && describeSource(shown)}
      actions={
        <>
          <button type="button" class="button primary" disabled={isMeasuring || !backend} onClick={begin}>
            Time the quick benchmarks{backend ? ` on ${backend}` : ''}
          </button>
          <JsonFileButton label="A file of shoal bench --json" disabled={isMeasuring} onFile={read}>
            Open results…
          </JsonFileButton>
        </>
      }
      onFile={read}
      onClose={closeOverlay}
    >
      {measuring.value && (
        <PageProgress
          label="Benchmarks that are timed"
          value={measuring.value.done}
          max={measuring.value.total}
          count={`${measuring.value.done} of ${measuring.value.total}`}
          words={measuring.value.name || 'what this machine can do at most'}
          onCancel={cancel}
        />
      )}
      {reading.value !== undefined && (
        <p class="page-reading" role="status">
          Reading {reading.value}
        </p>
      )}
      <PageFailure message={failure.value} />
      {shown && shown.rows.length > 0 ? (
        <div class="bench-panes">
          <Roofline results={shown} chosen={chosen.value} onChoose={choose} />
          <div class="bench-rows">
            <BenchmarkTable results={shown} chosen={chosen.value} onChoose={choose} />
            <NotRun results={shown} />
          </div>
        </div>
      ) : (
        !isMeasuring && (
          <p class="page-empty">
            Each kernel appears here under the roof of what this machine can do, with its time and its rates. The
            papers’ own sizes, with every published figure, are in “The four papers…”, or in a file of{' '}
            <code>npm run shoal -- bench --papers --json results.json</code>. Time the quick benchmarks, about a minute,
            during which the run is paused; or open a file that <code>npm run shoal -- bench --json results.json</code>{' '}
            has written, or drop it here.
          </p>
        )
      )}
    </Page>
  );
}

/** `wasm, 2 threads, WebAssembly SIMD; timed here`. */
function describeSource({ backends, machine, source }: BenchmarkResults): string {
  const named = backends.map(({ name, threads, adapter }) => {
    const count = threads === null ? '' : `, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
    return `${name}${count}, ${adapter}`;
  });
  return [...named, machine, source].filter((part) => part !== '').join(' · ');
}

interface RooflineProps {
  readonly results: BenchmarkResults;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string | undefined) => void;
}

function Roofline({ results, chosen, onChoose }: RooflineProps) {
  const subject = { name: 'shoal-benchmarks', subtitle: describeSource(results) };
  const ceilings = results.backends.map(({ name, ceilings: { copyGBs, fmaGFLOPs, dispatchMicroseconds, clock } }) => (
    <span key={name}>
      {results.backends.length > 1 && `${name}: `}
      <b>{formatNumber(copyGBs)}</b> GB/s copied, <b>{formatNumber(fmaGFLOPs)}</b> GFLOP/s multiplied and added,{' '}
      <b>{formatNumber(dispatchMicroseconds)}</b> µs an empty run, by the {clock} clock.{' '}
    </span>
  ));
  return (
    <Figure
      id="roofline"
      title="Roofline"
      help="Each mark is a kernel at its operations for each byte that it moves, both by formula. The bar above it shows the distance to the nearer ceiling, measured in the same process; a mark above the roof had its data in caches."
      table={() => benchmarkTable(results)}
      subject={subject}
      note={<>{ceilings}</>}
    >
      <RooflineChart results={results} chosen={chosen} onChoose={onChoose} />
    </Figure>
  );
}

function NotRun({ results: { failures } }: { readonly results: BenchmarkResults }) {
  if (failures.length === 0) return null;
  return (
    <section class="bench-failures" aria-label="Benchmarks that could not be run">
      <h3>Not run</h3>
      <ul>
        {failures.map(({ name, backend, reason }) => (
          <li key={`${name} ${backend}`}>
            {name}, {backend}: {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
