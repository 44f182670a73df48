/** The runs of the list as a page: a table with a filter, sorted by any column. */
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { CommandButton } from '../../../controls/buttons.tsx';
import { Icon } from '../../../controls/icons.tsx';
import { Page } from '../../../controls/page.tsx';
import { useRun } from '../../../document/context.ts';
import { ABSENT, formatColumn, formatMeasured } from '../../../format/numbers.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { runAgain } from '../add-run.ts';
import { momentText } from '../kept-run.ts';
import { RUN_COLUMNS, filterRows, sortRows, tableRows, type RunOrder, type RunTableRow } from '../run-table.ts';
import { runsOf } from '../runs-state.ts';
import { CurvesButton } from './run-row.tsx';
import './runs-table.css';

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
