/** Methods in a table: means over the cycles after the spin-up, skill against the free run, and what a cycle costs. */
import { useMemo } from 'preact/hooks';
import { gatherSummary, summaryTerms, worseThanFreeRun } from '../../../engine/index.ts';
import { evenly } from '../../document/run/method-records.ts';
import type { CycleDiagnostics, MethodSummary, RunSummary, Scenario, WorseThanFreeRun } from '../../../engine/index.ts';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { titlesOf, type MethodStyle } from '../../document/views/method-style.ts';
import { BaselineTable, useBaseline, withBaseline } from '../../features/runs/baseline-comparison.tsx';
import { formatCsv } from '../../format/tables.ts';
import { Figure } from '../../figures/figure.tsx';
import { formatColumn, formatPercent, formatTimes } from '../../format/numbers.ts';
import { describeRunDifferences, resultRows, resultTable, sortResults } from '../../figures/results.ts';
import type { ResultColumn, ResultRow, VariableResults } from '../../figures/results.ts';
import { unitOf, variablesOf } from '../../document/views/series.ts';
import { variableChoice } from '../../figures/figure-data.ts';
import { Control } from '../../figures/figure-controls.tsx';
import { chartsOf } from '../../figures/chart-state.ts';
import { CommandButton } from '../../controls/buttons.tsx';
import { seedsOf } from '../../features/seeds/seeds-state.ts';

/** The button beside the results of a run that repeats it with several seeds; while the seeds run, it says how far they are. */
function RepeatButton() {
  const progress = seedsOf(useLaboratory()).progress.value;
  return (
    <CommandButton command="run.seeds" class="button">
      {progress ? `${progress.done} of ${progress.seeds} seeds…` : 'Repeat with seeds…'}
    </CommandButton>
  );
}

interface Head {
  readonly column: ResultColumn;
  readonly title: string;
  readonly help: string;
  /** Formatted numbers of the column; a method's name is not one of them. */
  readonly show?: (rows: readonly ResultRow[]) => readonly string[];
  /** The first click sorts from the largest down. */
  readonly descending?: boolean;
}

/** Beside the analysis, if water is added to the truth alone. */
const LEVEL: Head = {
  column: 'level',
  title: 'Level',
  help: 'Error of the basin’s mean level after the analysis',
  show: (rows) => formatColumn(rows.map(({ level }) => level)),
};

const HEADS: readonly Head[] = [
  {
    column: 'method',
    title: 'Method',
    help: 'In the scenario’s order',
  },
  {
    column: 'forecast',
    title: 'Forecast',
    help: 'RMSE of the forecast',
    show: (rows) => formatColumn(rows.map(({ forecast }) => forecast)),
  },
  {
    column: 'analysis',
    title: 'Analysis',
    help: 'RMSE of the analysis',
    show: (rows) => formatColumn(rows.map(({ analysis }) => analysis)),
  },
  {
    column: 'spread',
    title: 'Spread',
    help: 'Standard deviation of the members after the analysis',
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
    show: (rows) => formatTimes(rows.map(({ milliseconds }) => milliseconds)),
  },
];

/** Columns of the table; with a headline of the pattern, skill is of the pattern and the level has a column. */
function headsOf(headline: RunSummary['headline']): readonly Head[] {
  if (headline === 'total') return HEADS;
  return HEADS.flatMap((head) => {
    if (head.column === 'analysis') return [head, LEVEL];
    if (head.column !== 'skill') return [head];
    return [{ ...head, title: 'Pattern skill', help: `${head.help}, without the error of the basin’s mean level` }];
  });
}

interface ResultsProps {
  readonly styles: readonly MethodStyle[];
  readonly methods: readonly MethodSummary[];
  readonly diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>;
  readonly spinup: number;
  /** Undefined before there is a run. */
  readonly scenario: Scenario | undefined;
}

/** `h in m`, `hu and hv in m²/s`. */
function quantities(variables: readonly string[]): string {
  const byUnit = new Map<string, string[]>();
  for (const variable of variables) {
    const unit = unitOf(variable);
    byUnit.set(unit, [...(byUnit.get(unit) ?? []), variable]);
  }
  return [...byUnit].map(([unit, names]) => names.join(' and ') + (unit === '' ? '' : ` in ${unit}`)).join(', ');
}

/** @param stride in a long run every so many cycles enter the means */
function meansOver(spinup: number, stride: number): string {
  const cycles = spinup > 0 ? `the cycles from ${spinup} on` : 'all cycles';
  return stride === 1 ? cycles : `one in ${stride} of ${cycles}`;
}

export function ResultsTable({ styles, methods, diagnostics, spinup, scenario }: ResultsProps) {
  const {
    host,
    notices: { notify, notifyFailure },
  } = useLaboratory();
  const {
    course: { divergedMethods, rowStride },
  } = useRun();
  const { shownVariables, resultOrder, comparison, choices } = chartsOf(useRun());
  const diverged = divergedMethods.value;
  const stride = rowStride.value;
  const variables = shownVariables.value;
  // Once a cycle; sorting and pointing leave it as it is.
  const { summary, headline, comparisons, worse } = useMemo(() => {
    const gathered = gatherSummary([...evenly(diagnostics, stride).values()].flat(), {
      compared: variables,
      spinup: Math.ceil(spinup / stride),
      ...(scenario && { headline: summaryTerms(scenario).headline }),
    });
    return {
      headline: gathered.headline,
      summary: gathered.results(methods),
      comparisons: variables.map((variable) => gathered.comparisons(methods, diverged, [variable])),
      worse: scenario
        ? worseThanFreeRun(
            scenario,
            methods,
            gathered,
            [...diverged].map(([method, cycle]) => ({ method, cycle })),
          )
        : [],
    };
  }, [methods, diagnostics, stride, spinup, variables, diverged, scenario]);
  const resultsOf = (variable: string): VariableResults => ({
    variable,
    rows: sortResults(resultRows(summary, variable, diverged, headline), resultOrder.value),
  });
  const shown = variables.map(resultsOf);
  const any = [...diagnostics.values()].some(({ length }) => length > 0);
  const titleOf = titlesOf(styles);
  const sentences = comparisons.map((each) => describeRunDifferences(each, titleOf));
  const baseline = useBaseline();
  const table = () =>
    withBaseline(resultTable(variablesOf(diagnostics.values()).map(resultsOf), titleOf), baseline, titleOf);
  const copy = (): void => {
    host.copyText(formatCsv(table())).then(
      () => notify('information', 'The table was copied as CSV'),
      (error: unknown) => notifyFailure('The table could not be copied', error),
    );
  };
  return (
    <Figure
      id="methods"
      title="Methods"
      picture={false}
      help={`RMSE and spread of ${quantities(variables)}, means over ${meansOver(spinup, stride)}. Below, errors as multiples of the least, with the 95 % interval over the cycles of this run. This run is one seed, and other seeds may differ: even equal methods differ for a whole run. To find out which method is better, compare them over seeds.`}
      table={table}
      empty={any ? undefined : 'The scores of each method appear here after the first cycle. Press play or step.'}
      controls={
        <>
          <Control control={variableChoice({ comparison: comparison.value, comparisons: choices.value })} />
          <RepeatButton />
          <button type="button" class="button" onClick={copy}>
            Copy CSV
          </button>
        </>
      }
    >
      <div class="results-scroll">
        <table class="results">
          <thead>
            <tr>
              {headsOf(headline).map((head) => (
                <ColumnHead key={head.column} {...head} />
              ))}
            </tr>
          </thead>
          {shown.map((results) => (
            <Body
              key={results.variable}
              {...results}
              styles={styles}
              diverged={diverged}
              worse={worse}
              heads={headsOf(headline)}
              isNamed={shown.length > 1}
            />
          ))}
        </table>
      </div>
      <Differences variables={variables} sentences={sentences} methods={methods.length} />
      {worse.length > 0 && (
        <ul class="figure-note results-worse">
          {worse.map(({ method, variable, words }) => (
            <li key={`${method} ${variable}`}>{words.replace(method, titleOf(method))}</li>
          ))}
        </ul>
      )}
      {baseline && <BaselineTable baseline={baseline} styles={styles} />}
    </Figure>
  );
}

interface DifferencesProps {
  readonly variables: readonly string[];
  /** In the order of the variables. */
  readonly sentences: readonly string[];
  readonly methods: number;
}

/** How the methods differ in each variable, in a sentence; the space for it is reserved, so that nothing moves. */
function Differences({ variables, sentences, methods }: DifferencesProps) {
  return (
    <div class="figure-note results-differences" style={{ '--lines': methods > 3 ? 4 : 3 }}>
      {sentences.map((sentence, index) => (
        <p key={variables[index]}>
          {sentence !== '' && variables.length > 1 && <strong>{variables[index]}: </strong>}
          {sentence}
        </p>
      ))}
    </div>
  );
}

function ColumnHead({ column, title, help, descending = false }: Head) {
  const { resultOrder } = chartsOf(useRun());
  const { full } = useLaboratory().preferences;
  // A newcomer reads the table; sorting it is for those who have all controls.
  if (!full.value) {
    return (
      <th scope="col" title={help}>
        {title}
      </th>
    );
  }
  const active = resultOrder.value.column === column;
  return (
    <th scope="col" aria-sort={active ? (resultOrder.value.descending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        title={help}
        onClick={() => {
          resultOrder.value = { column, descending: active ? !resultOrder.value.descending : descending };
        }}
      >
        {title}
        {active && <span aria-hidden="true">{resultOrder.value.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

function worseVariables(worse: readonly WorseThanFreeRun[], label: string): string {
  return worse.flatMap(({ method, variable }) => (method === label ? [variable] : [])).join(', ');
}

interface BodyProps extends VariableResults {
  readonly styles: readonly MethodStyle[];
  /** By method label, the cycle in which it left the run. */
  readonly diverged: ReadonlyMap<string, number>;
  readonly heads: readonly Head[];
  /** All that is worse than the free run, of any variable. */
  readonly worse: readonly WorseThanFreeRun[];
  /** Whether the variable is above its rows. */
  readonly isNamed: boolean;
}

function Body({ variable, rows, styles, diverged, worse, heads, isNamed }: BodyProps) {
  const { hiddenMethods, highlightedMethod } = useRun().view;
  const columns = new Map(heads.map(({ column, show }) => [column, show?.(rows)]));
  return (
    <tbody>
      {isNamed && (
        <tr class="results-variable">
          <th scope="rowgroup" colSpan={heads.length}>
            {quantities([variable])}
          </th>
        </tr>
      )}
      {rows.map((row, place) => {
        const style = styles.find(({ label }) => label === row.label);
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
            {heads.map(({ column }) =>
              column === 'method' ? (
                <th key={column} scope="row" title={style?.title ?? row.label}>
                  <i class="swatch" style={{ background: style?.colour ?? 'currentColor' }} />
                  {style?.title ?? row.label}
                  {diverged.has(row.label) && (
                    <span class="results-diverged">diverged at cycle {diverged.get(row.label)}</span>
                  )}
                  {worse.some(({ method }) => method === row.label) && (
                    <span class="results-diverged">worse than the free run in {worseVariables(worse, row.label)}</span>
                  )}
                </th>
              ) : (
                <td key={column}>{columns.get(column)?.[place]}</td>
              ),
            )}
          </tr>
        );
      })}
    </tbody>
  );
}

/** @returns whether the means have no cycle to count yet, but will have */
export function isSpinningUp(spinup: number, lastCycle: number, plannedCycles: number): boolean {
  return lastCycle < spinup && spinup < plannedCycles;
}

/** In place of the table while every cycle so far belongs to the spin-up, which no mean counts. */
export function SpinUpFigure({ spinup, lastCycle }: { readonly spinup: number; readonly lastCycle: number }) {
  const left = spinup - lastCycle - 1;
  return (
    <Figure
      id="methods"
      title="Methods"
      picture={false}
      help={`Means and skill omit the spin-up: the cycles before ${spinup}, in which methods still depend on their initial states.`}
      table={() => ({ columns: [], rows: [] })}
      empty={`Spin-up: means and skill begin at cycle ${spinup}, ${left === 0 ? 'the next one' : `${left + 1} cycles from now`}.`}
    />
  );
}
