/** The tables of a paper: each published figure beside what this machine takes, filled row by row. */
import {
  benchmarksOn,
  paperTables,
  type Paper,
  type PaperRow,
  type PublishedComparison,
} from '../../../../engine/index.ts';
import { PageFailure, PageProgress } from '../../../controls/dialog.tsx';
import { useRun } from '../../../document/context.ts';
import { Figure } from '../../../figures/figure.tsx';
import type { DataTable } from '../../../format/tables.ts';
import { formatNumber } from '../../../format/numbers.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { papersOf } from '../papers-state.ts';

function parametersOf({ parameters }: PaperRow): string {
  return Object.entries(parameters)
    .map(([letter, value]) => `${letter} = ${value}`)
    .join(', ');
}

function times(ratio: number | null): string {
  return ratio === null ? '–' : `${formatNumber(ratio)}\u00a0×`;
}

function figureWords({ value, unit, hardware, includes }: PublishedComparison): string {
  return `${formatNumber(value)}\u00a0${unit}, ${hardware}${includes === null ? '' : `; ${includes}`}`;
}

function dataTable(tables: ReadonlyMap<string, readonly PaperRow[]>): DataTable {
  return {
    columns: [
      'table',
      'row',
      'backend',
      'best (ms)',
      'operations',
      'published',
      'unit',
      'hardware',
      'includes',
      'times better',
    ],
    rows: [...tables].flatMap(([table, rows]) =>
      rows.flatMap((paperRow) => {
        const { row, published } = paperRow;
        const here = [
          table,
          parametersOf(paperRow),
          row?.backend ?? null,
          row?.milliseconds ?? null,
          row?.flops ?? null,
        ];
        return published.length === 0
          ? [[...here, null, null, null, null, null]]
          : published.map(({ value, unit, hardware, includes, ratio }) => [
              ...here,
              value,
              unit,
              hardware,
              includes,
              ratio,
            ]);
      }),
    ),
  };
}

export function PaperTable({ paper }: { readonly paper: Paper }) {
  const { benchmarks, measured } = papersOf(useLaboratory()).tableOf(paper.id);
  const { results, measuring, failure, measure, cancel } = measured;
  const { course, controller } = useRun();
  const backend = course.info.value?.backend.name;
  const rows = results.value?.rows.filter((row) => row.backend === backend) ?? [];
  const wanted = benchmarksOn(benchmarks, backend);
  const tables = paperTables(wanted, rows);
  const begin = (): void => {
    if (!backend) return;
    // Two that compute at once would time each other.
    controller.pause();
    void measure(backend);
  };
  const some = rows.length > 0 && rows.length < wanted.length;
  return (
    <div class="papers-table">
      <Figure
        id={`paper-${paper.id}`}
        title="The paper’s tables, and this machine"
        help="Published figures come from other hardware: they are for orientation. The ratio says how many times better it is here."
        table={() => dataTable(tables)}
        picture={false}
        subject={{ name: 'shoal', subtitle: paper.subject }}
        controls={
          <button type="button" class="button" disabled={measuring.value !== undefined || !backend} onClick={begin}>
            {some ? 'Continue' : 'Measure'}
            {backend ? ` on ${backend}` : ''}
          </button>
        }
      >
        {measuring.value && (
          <PageProgress
            label="Rows that are measured"
            value={measuring.value.done}
            max={measuring.value.total}
            count={`${measuring.value.done} of ${measuring.value.total}`}
            words={measuring.value.name || 'what this machine can do at most'}
            onCancel={cancel}
          />
        )}
        <PageFailure message={failure.value} />
        <div class="papers-rows" role="region" aria-label="Tables of the paper" tabIndex={0}>
          {[...tables].map(([table, tableRows]) => (
            <table key={table} class="results">
              <caption>{table}</caption>
              <thead>
                <tr>
                  <th scope="col">Row</th>
                  <th scope="col">ms here</th>
                  <th scope="col" class="papers-published">
                    Published; what it includes
                  </th>
                  <th scope="col">Ratio</th>
                </tr>
              </thead>
              <tbody>
                {tableRows.map((paperRow) => {
                  const { name, row, published } = paperRow;
                  const figures = published.length > 0 ? published : [undefined];
                  return figures.map((figure, at) => (
                    <tr key={`${name} ${at}`} class={measuring.value?.name === name ? 'chosen' : undefined}>
                      {at === 0 && (
                        <>
                          <th scope="row" rowSpan={figures.length} title={row?.notes.join('. ')}>
                            {parametersOf(paperRow)}
                          </th>
                          <td rowSpan={figures.length}>{row ? formatNumber(row.milliseconds) : '–'}</td>
                        </>
                      )}
                      <td class="papers-published">{figure ? figureWords(figure) : '–'}</td>
                      <td>{times(figure?.ratio ?? null)}</td>
                    </tr>
                  ));
                })}
              </tbody>
            </table>
          ))}
          {paper.quoted?.map(({ title, columns, rows: numbers }) => (
            <table key={title} class="results">
              <caption>{title}, as published</caption>
              <thead>
                <tr>
                  {['Row', ...columns].map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {numbers.map(([name, ...values]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {columns.map((column, at) => (
                      <td key={column}>{formatNumber(values[at])}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          ))}
        </div>
      </Figure>
    </div>
  );
}
