/** The runs of the list as a page: a table with a row for each, filtered by words and sorted by any column. */
import { comparedVariables, unitOf } from '../../../../engine/index.ts';
import { methodStyles, type MethodStyle, variantTitles } from '../../../document/views/method-style.ts';
import { resultRows } from '../../../figures/results.ts';
import { momentText, resultsOf, runTitle, summaryOf, type KeptRun } from '../kept-run.ts';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { CommandButton, Icon } from '../../../controls/buttons.tsx';
import { Page } from '../../../controls/dialog.tsx';
import { useRun } from '../../../document/context.ts';
import { ABSENT, formatColumn, formatMeasured } from '../../../format/numbers.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { runAgain } from '../add-run.ts';
import { runsOf } from '../runs-state.ts';
import { CurvesButton } from './run-row.tsx';
import './runs.css';

const RUN_COLUMNS = [
  { id: 'number', title: 'Run', isNumber: true, help: 'In the order in which runs came into the list' },
  { id: 'scenario', title: 'Scenario', isNumber: false, help: 'The name that was given, or the scenario’s title' },
  { id: 'start', title: 'Begun', isNumber: false, help: 'When the run began' },
  { id: 'methods', title: 'Methods', isNumber: false, help: 'Methods of the run' },
  { id: 'cycles', title: 'Cycles', isNumber: true, help: 'Cycles that were computed' },
  { id: 'seed', title: 'Seed', isNumber: true, help: 'Seed of the random numbers' },
  { id: 'best', title: 'Best', isNumber: false, help: 'The method with the least error of the analysis' },
  { id: 'error', title: 'RMSE', isNumber: true, help: 'Error of its analysis, mean over the cycles after the spin-up' },
  { id: 'skill', title: 'Skill (%)', isNumber: true, help: 'Share of the free run’s error that is gone' },
] as const;

export type RunColumn = (typeof RUN_COLUMNS)[number]['id'];

interface RunOrder {
  readonly column: RunColumn;
  readonly descending: boolean;
}

interface RunTableRow {
  readonly run: KeptRun;
  readonly title: string;
  readonly methods: readonly MethodStyle[];
  /** Undefined of a run in which no method has an error. */
  readonly best: MethodStyle | undefined;
  /** What the error is of, with its unit. */
  readonly variable: string;
  readonly unit: string;
  /** RMSE of the analysis of the best method; NaN if there is none. */
  readonly error: number;
  /** Per cent; NaN without a free run. */
  readonly skill: number;
}

function rowOf(run: KeptRun): RunTableRow {
  const [variable] = comparedVariables(run.scenario);
  const results = resultsOf(run);
  const { headline } = summaryOf(run);
  const diverged = new Map(run.diverged.map(({ method, cycle }) => [method, cycle]));
  const finite = resultRows(results, variable, diverged, headline).filter(
    ({ analysis, label }) => Number.isFinite(analysis) && !diverged.has(label),
  );
  const found = finite.reduce<(typeof finite)[number] | undefined>(
    (best, row) => (best === undefined || row.analysis < best.analysis ? row : best),
    undefined,
  );
  const methods = methodStyles(run.methods, variantTitles(run.scenario));
  return {
    run,
    title: runTitle(run),
    methods,
    best: methods.find(({ label }) => label === found?.label),
    variable,
    unit: unitOf(variable),
    error: found?.analysis ?? Number.NaN,
    skill: 100 * (found?.skill ?? Number.NaN),
  };
}

/** Runs of the list are never changed: the row of each is made once. */
const rows = new WeakMap<KeptRun, RunTableRow>();

/** @returns the row of each run, in their order */
export function tableRows(runs: readonly KeptRun[]): readonly RunTableRow[] {
  return runs.map((run) => {
    const row = rows.get(run) ?? rowOf(run);
    rows.set(run, row);
    return row;
  });
}

/** Words of a row that a filter looks at: also those that the table shows of the time. */
function textOf({ run, title, methods }: RunTableRow): string {
  const { number, scenario, note, backend, start } = run;
  const names = methods.flatMap((method) => [method.title, method.label]);
  return [number, title, scenario.name, `seed ${scenario.seed}`, note, backend.name, start, momentText(start), ...names]
    .join(' ')
    .toLowerCase();
}

/** @returns the rows in which every word of a query is found */
export function filterRows(all: readonly RunTableRow[], query: string): readonly RunTableRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((row) => {
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  });
}

function keyOf(row: RunTableRow, column: RunColumn): number | string {
  switch (column) {
    case 'number':
      return row.run.number;
    case 'scenario':
      return row.title.toLowerCase();
    case 'start':
      return row.run.start;
    case 'methods':
      return row.methods.map(({ title }) => title).join(', ');
    case 'cycles':
      return row.run.completed;
    case 'seed':
      return row.run.scenario.seed;
    case 'best':
      return row.best?.title ?? '';
    case 'error':
      return row.error;
    case 'skill':
      return row.skill;
    default:
      return column satisfies never;
  }
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

function isMissing(key: number | string): boolean {
  return key === '' || Number.isNaN(key);
}

/** @returns the rows in an order; those without a number come last, those that are alike by their numbers */
export function sortRows(all: readonly RunTableRow[], { column, descending }: RunOrder): readonly RunTableRow[] {
  const sign = descending ? -1 : 1;
  return [...all].sort((a, b) => {
    const [left, right] = [keyOf(a, column), keyOf(b, column)];
    if (isMissing(left) || isMissing(right)) return Number(isMissing(left)) - Number(isMissing(right));
    return sign * compare(left, right) || a.run.number - b.run.number;
  });
}

interface HeadProps {
  readonly column: (typeof RUN_COLUMNS)[number];
  readonly order: RunOrder;
  readonly onOrder: (order: RunOrder) => void;
}

function Head({ column: { id, title, help, isNumber }, order, onOrder }: HeadProps) {
  const isSorted = order.column === id;
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : undefined}
      aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        title={help}
        // Numbers are looked at from the largest on.
        onClick={() => onOrder({ column: id, descending: isSorted ? !order.descending : isNumber })}
      >
        {title}
        {isSorted && <span aria-hidden="true">{order.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

interface RowProps {
  readonly row: RunTableRow;
  readonly skill: string;
  readonly onOpen: () => void;
}

function Row({ row: { run, title, methods, best, variable, unit, error }, skill, onOpen }: RowProps) {
  const view = useRun();
  const laboratory = useLaboratory();
  const runs = runsOf(laboratory);
  const isOnScreen = runs.onScreen.value === run.id;
  const errorText = Number.isNaN(error) ? ABSENT : `${formatMeasured(error)}\u00a0${unit}`.trim();
  return (
    <tr data-run={run.number} aria-current={isOnScreen}>
      <td class="number">{run.number}</td>
      <th scope="row">
        <button type="button" class="runs-open" title="Show it in the list, with name and note" onClick={onOpen}>
          {title}
        </button>
        {isOnScreen && <span class="run-tags"> on screen</span>}
        {runs.baseline.value === run.id && <span class="run-tags"> baseline</span>}
      </th>
      <td>{momentText(run.start)}</td>
      <td>{methods.map((method) => method.title).join(', ')}</td>
      <td class="number">{run.completed === run.cycles ? run.cycles : `${run.completed} of ${run.cycles}`}</td>
      <td class="number">{run.scenario.seed}</td>
      <td>
        {best && (
          <>
            <i class="swatch" style={{ background: best.colour }} /> {best.title}
          </>
        )}
      </td>
      <td class="number" title={`RMSE of ${variable}`}>
        {errorText}
      </td>
      <td class="number">{skill}</td>
      <td>
        <CurvesButton run={run} isOnScreen={isOnScreen} />
        <button
          type="button"
          class="icon-button"
          aria-label={`Run ${run.number} again`}
          title="Compute it again from its scenario: the same numbers"
          onClick={() => {
            laboratory.overlays.closeOverlay();
            void runAgain(view, run);
          }}
        >
          <Icon name="restart" />
        </button>
      </td>
    </tr>
  );
}

export function RunsTable() {
  const laboratory = useLaboratory();
  const {
    frame: { showPane },
    overlays: { closeOverlay },
  } = laboratory;
  const runs = runsOf(laboratory);
  const query = useSignal('');
  const order = useSignal<RunOrder>({ column: 'number', descending: true });
  const id = useId();
  const all = tableRows(runs.runs.value);
  const shown = sortRows(filterRows(all, query.value), order.value);
  const skills = formatColumn(shown.map(({ skill }) => (Number.isNaN(skill) ? null : skill)));
  const found = shown.length === all.length ? '' : `${shown.length} of `;
  const count = `${found}${all.length} ${all.length === 1 ? 'run' : 'runs'}`;
  return (
    <Page
      title="Runs"
      class="runs-page"
      source={all.length === 0 ? undefined : count}
      actions={
        <>
          <CommandButton command="runs.save-json" icon="save" class="button">
            JSON
          </CommandButton>
          <CommandButton command="runs.save-csv" icon="save" class="button">
            CSV
          </CommandButton>
        </>
      }
      first="input"
      onClose={closeOverlay}
    >
      <div class="runs-filter">
        <label for={id} class="visually-hidden">
          Filter the runs
        </label>
        <input
          id={id}
          class="input"
          type="search"
          placeholder="Filter by scenario, method, note, seed or date"
          autocomplete="off"
          spellcheck={false}
          value={query.value}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
          }}
        />
      </div>
      {shown.length === 0 ? (
        <p class="runs-empty" role="status">
          {all.length === 0
            ? 'A run comes into this table with its first cycle. Press play, or add run folders to the list.'
            : 'No run has these words.'}
        </p>
      ) : (
        <div class="runs-scroll" role="region" aria-label="Table of the runs" tabIndex={0}>
          <table class="runs-table">
            <thead>
              <tr>
                {RUN_COLUMNS.map((column) => (
                  <Head
                    key={column.id}
                    column={column}
                    order={order.value}
                    onOrder={(next) => {
                      order.value = next;
                    }}
                  />
                ))}
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row, index) => (
                <Row
                  key={row.run.id}
                  row={row}
                  skill={Number.isNaN(row.skill) ? ABSENT : skills[index]}
                  onOpen={() => {
                    closeOverlay();
                    showPane('runs');
                    runs.opened.value = row.run.id;
                  }}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Page>
  );
}
