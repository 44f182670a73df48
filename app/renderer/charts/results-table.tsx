/** Methods in a table: means over the cycles after the spin-up, skill against the free run, and what a cycle costs. */
import { signal } from '@preact/signals';
import { summariseRun } from '../../../engine/index.ts';
import type { CycleDiagnostics, MethodSummary } from '../../../engine/index.ts';
import { host } from '../state/environment.ts';
import type { MethodStyle } from '../state/method-style.ts';
import { notify } from '../state/notices.ts';
import { hiddenMethods, highlightedMethod } from '../state/view-state.ts';
import { formatCsv } from './csv.ts';
import { Figure } from './figure.tsx';
import { formatColumn, formatPercent } from './numbers.ts';
import { bestOf, resultRows, resultTable, sortResults } from './results.ts';
import type { ResultColumn, ResultOrder, ResultRow } from './results.ts';

const order = signal<ResultOrder>({ column: 'method', descending: false });

interface Head {
  readonly column: ResultColumn;
  readonly title: string;
  readonly help: string;
  /** Numbers of the column as they stand below each other; a method's name is not one of them. */
  readonly show?: (rows: readonly ResultRow[]) => readonly string[];
  /** The first click sorts from the largest down. */
  readonly descending?: boolean;
}

const HEADS: readonly Head[] = [
  {
    column: 'method',
    title: 'Method',
    help: 'In the scenario’s order',
  },
  {
    column: 'forecast',
    title: 'Forecast',
    help: 'RMSE of h of the forecast, m',
    show: (rows) => formatColumn(rows.map(({ forecast }) => forecast)),
  },
  {
    column: 'analysis',
    title: 'Analysis',
    help: 'RMSE of h of the analysis, m',
    show: (rows) => formatColumn(rows.map(({ analysis }) => analysis)),
  },
  {
    column: 'spread',
    title: 'Spread',
    help: 'Standard deviation of the members after the analysis, m',
    show: (rows) => formatColumn(rows.map(({ spread }) => (spread > 0 ? spread : undefined))),
    descending: true,
  },
  {
    column: 'skill',
    title: 'Skill',
    help: '1 − RMSE / RMSE of the free run, of the analysis',
    show: (rows) => rows.map(({ skill }) => formatPercent(skill)),
    descending: true,
  },
  {
    column: 'milliseconds',
    title: 'ms',
    help: 'Milliseconds of a cycle, forecast and analysis',
    show: (rows) => formatColumn(rows.map(({ milliseconds }) => milliseconds)),
  },
];

interface ResultsProps {
  readonly styles: readonly MethodStyle[];
  readonly methods: readonly MethodSummary[];
  readonly diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>;
  readonly spinup: number;
}

export function ResultsTable({ styles, methods, diagnostics, spinup }: ResultsProps) {
  const all = resultRows(summariseRun(methods, [...diagnostics.values()].flat(), spinup));
  const rows = sortResults(all, order.value);
  const best = bestOf(all);
  const columns = new Map(HEADS.map(({ column, show }) => [column, show?.(rows)]));
  const any = [...diagnostics.values()].some(({ length }) => length > 0);
  const styleOf = (label: string): MethodStyle | undefined => styles.find((style) => style.label === label);
  const table = () => resultTable(rows, (label) => styleOf(label)?.title ?? label);
  const copy = (): void => {
    host()
      .copyText(formatCsv(table()))
      .then(
        () => notify('information', 'The table was copied as CSV'),
        (error: unknown) =>
          notify('error', 'The table could not be copied', {
            lines: [error instanceof Error ? error.message : String(error)],
          }),
      );
  };
  return (
    <Figure
      id="methods"
      title="Methods"
      picture={false}
      help={`RMSE and spread of h in m, means over ${spinup > 0 ? `the cycles from ${spinup} on` : 'all cycles'}.`}
      table={table}
      empty={any ? undefined : 'The scores of each method appear here after the first cycle. Press play or step.'}
      controls={
        <button type="button" class="button" onClick={copy}>
          Copy CSV
        </button>
      }
    >
      <div class="results-scroll">
        <table class="results">
          <thead>
            <tr>
              {HEADS.map(({ column, title, help, descending = false }) => {
                const active = order.value.column === column;
                return (
                  <th
                    key={column}
                    scope="col"
                    aria-sort={active ? (order.value.descending ? 'descending' : 'ascending') : 'none'}
                  >
                    <button
                      type="button"
                      title={help}
                      onClick={() => {
                        order.value = { column, descending: active ? !order.value.descending : descending };
                      }}
                    >
                      {title}
                      {active && <span aria-hidden="true">{order.value.descending ? ' ↓' : ' ↑'}</span>}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => {
              const style = styleOf(row.label);
              return (
                <tr
                  key={row.label}
                  class={hiddenMethods.value.has(row.label) ? 'off' : undefined}
                  onPointerEnter={() => {
                    highlightedMethod.value = row.label;
                  }}
                  onPointerLeave={() => {
                    highlightedMethod.value = undefined;
                  }}
                >
                  {HEADS.map(({ column }) =>
                    column === 'method' ? (
                      <th key={column} scope="row">
                        <i class="swatch" style={{ background: style?.colour ?? 'currentColor' }} />
                        {style?.title ?? row.label}
                      </th>
                    ) : (
                      <td key={column} class={column === 'analysis' && row.label === best ? 'best' : undefined}>
                        {columns.get(column)?.[place]}
                      </td>
                    ),
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Figure>
  );
}
