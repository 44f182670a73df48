/** Which observation helped: impacts on a later forecast by observation, network or region, beside the stems that show them. */
import { useSignal } from '@preact/signals';
import { describeImpact, impactSums, MOST_LEAD, networkNames, regionOf } from '../../../engine/index.ts';
import type { ImpactSum, ObservationImpact, Scenario, ViewedImpact } from '../../../engine/index.ts';
import { Choice } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { cssColour } from '../../fields/colours.ts';
import { withUnit } from '../../fields/fields.ts';
import { Figure } from '../../figures/figure.tsx';
import { type DataTable, impactTable } from '../../format/tables.ts';
import { formatColumn } from '../../format/numbers.ts';
import { impactOf } from './impact-state.ts';

const HELP =
  'What each observation of the cycle changed about the squared error of a later forecast: the forecasts from the analysis and from its background are computed beside the run, and each observation has its part of the difference. Below 0 (blue) it helped. In water the error is an energy, ½ g η² + ½ (hu² + hv²)/H, as the mean over the basin.';

const EMPTY =
  'Which observations helped the next forecast, and which harmed it, appears here on request. The forecasts that follow from the analysis on screen and from its background are then computed beside the run.';
const NO_ENSEMBLE = 'Impacts need an ensemble filter, for example an LETKF. Add one under Settings to see them.';

const GROUPINGS = [
  { value: 'observation', label: 'Each' },
  { value: 'network', label: 'By network' },
  { value: 'region', label: 'By region' },
] as const satisfies readonly { readonly value: ViewedImpact['rows']; readonly label: string }[];

const LEADS = Array.from({ length: MOST_LEAD + 1 }, (_, lead) => ({
  value: String(lead),
  label: lead === 0 ? 'The analysis' : lead === 1 ? 'Next forecast' : `${lead} cycles later`,
}));
const VERIFICATIONS = [
  { value: 'truth', label: 'Against the truth' },
  { value: 'analysis', label: 'Against its analysis' },
] as const;

/** Rows that are written into the page; the CSV has all. */
const MOST_ROWS = 40;

interface Answered {
  readonly title: string;
  readonly label: string;
  readonly impact: ObservationImpact;
}

interface Row {
  readonly name: string;
  readonly group: string;
  /** By method, in their order; undefined of what it did not use. */
  readonly impacts: readonly (number | undefined)[];
}

/** @param column the method that rows are in the order of. @returns from those that helped most on */
function sortedRows(rows: readonly Row[], column: number, descending: boolean): readonly Row[] {
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => sign * ((a.impacts[column] ?? 0) - (b.impacts[column] ?? 0)));
}

function sumOf(sums: readonly ImpactSum[], group: string): ImpactSum | undefined {
  return sums.find((sum) => sum.group === group);
}

function rowsOf(answered: readonly Answered[], grouping: ViewedImpact['rows'], scenario: Scenario): readonly Row[] {
  const [{ impact: first }] = answered;
  const { x, y, network, variable } = first.observations;
  const names = networkNames(scenario);
  const groupOf = (j: number): string =>
    grouping === 'network' ? names[network[j]] : regionOf(x[j], y[j], scenario.grid);
  if (grouping === 'observation') {
    return variable.map((name, j) => ({
      name: `${j} ${name}`,
      group: names[network[j]],
      impacts: answered.map(({ impact }) => (impact.observations.isUsed[j] ? impact.impacts[j] : undefined)),
    }));
  }
  const sums = answered.map(({ impact }) => impactSums(impact, groupOf));
  const groups = [...new Set(sums.flatMap((each) => each.map(({ group }) => group)))];
  return groups.map((group) => ({
    name: group,
    group: sums.map((each) => `${sumOf(each, group)?.helped ?? 0}/${sumOf(each, group)?.count ?? 0}`).join(', '),
    impacts: sums.map((each) => sumOf(each, group)?.impact),
  }));
}

function groupTable(rows: readonly Row[], answered: readonly Answered[], grouping: string): DataTable {
  return {
    columns: [
      grouping,
      'help/used',
      ...answered.map(({ title, impact: { unit } }) => withUnit(`${title}: impact`, unit)),
    ],
    rows: rows.map(({ name, group, impacts }) => [name, group, ...impacts.map((value) => value ?? null)]),
  };
}

/** The colour that the head of a stem has. */
function Head({ value }: { readonly value: number | undefined }) {
  if (value === undefined || value === 0) return null;
  return <i class="impact-head" aria-hidden="true" style={{ background: cssColour('diverging', value > 0 ? 1 : 0) }} />;
}

interface TableProperties {
  readonly rows: readonly Row[];
  readonly answered: readonly Answered[];
  readonly grouping: ViewedImpact['rows'];
}

function ImpactRows({ rows, answered, grouping }: TableProperties) {
  const order = useSignal({ column: 0, descending: false });
  const { column, descending } = order.value;
  const sorted = sortedRows(rows, Math.min(column, answered.length - 1), descending).slice(0, MOST_ROWS);
  const texts = answered.map((_, n) => formatColumn(sorted.map(({ impacts }) => impacts[n])));
  const totals = answered.map(({ impact }) => impact.impacts.reduce((sum, value) => sum + value, 0));
  return (
    <div class="results-scroll">
      <table class="results impact-table">
        <thead>
          <tr>
            <th scope="col">
              {grouping === 'observation' ? 'Observation' : grouping === 'network' ? 'Network' : 'Region'}
            </th>
            <th scope="col">{grouping === 'observation' ? 'network' : 'help/used'}</th>
            {answered.map(({ title, label, impact: { unit } }, n) => (
              <th key={label} scope="col" aria-sort={n === column ? (descending ? 'descending' : 'ascending') : 'none'}>
                <button
                  type="button"
                  title={`Sort by the impact on ${title}`}
                  onClick={() => {
                    order.value = { column: n, descending: n === column && !descending };
                  }}
                >
                  {withUnit(title, unit)}
                  {n === column && <span aria-hidden="true">{descending ? ' ↓' : ' ↑'}</span>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ name, group, impacts }, row) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{group}</td>
              {impacts.map((value, n) => (
                <td key={answered[n].label}>
                  <Head value={value} />
                  {texts[n][row]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              all
            </th>
            {formatColumn(totals).map((text, n) => (
              <td key={answered[n].label}>{text}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** Which observation helped. */
export function ImpactFigure({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const run = useRun();
  const { info, cycle } = run.course;
  const { state, lead, verification, rows: grouping, methods, isShown, compute, choose } = impactOf(run);
  const now = state.value;
  const scenario = info.value?.scenario;
  const kinds = info.value?.methods ?? [];
  const answered =
    now.kind === 'known'
      ? styles.flatMap(({ label, title }): Answered[] => {
          const impact = now.byMethod.get(label);
          return impact ? [{ label, title, impact }] : [];
        })
      : [];
  const rows = scenario && answered.length > 0 ? rowsOf(answered, grouping.value, scenario) : [];
  const canAsk = methods.value.length > 0;
  const failure = now.kind === 'failed' ? `Cycle ${now.cycle}: ${now.message}` : EMPTY;
  const isEach = grouping.value === 'observation';
  return (
    <>
      <Figure
        id="impact"
        title={now.kind === 'known' ? `Impact of the observations of cycle ${now.cycle}` : 'Impact of the observations'}
        help={HELP}
        picture={false}
        comesIntoView={isShown.value}
        table={() =>
          answered.length === 0 || !scenario
            ? { columns: [], rows: [] }
            : isEach
              ? impactTable(answered, networkNames(scenario))
              : groupTable(rows, answered, grouping.value)
        }
        empty={answered.length > 0 ? undefined : canAsk ? failure : NO_ENSEMBLE}
        controls={
          canAsk && (
            <>
              <Choice
                label="Forecast that is judged"
                value={String(lead.value)}
                options={LEADS}
                onChange={(value) => choose({ lead: Number(value) })}
              />
              <Choice
                label="What the forecast is compared with"
                value={verification.value}
                options={lead.value === 0 ? VERIFICATIONS.slice(0, 1) : VERIFICATIONS}
                onChange={(value) => choose({ verification: value })}
              />
              <Choice
                label="Rows of the table"
                value={grouping.value}
                options={GROUPINGS}
                onChange={(value) => {
                  grouping.value = value;
                }}
              />
            </>
          )
        }
        note={
          isEach && rows.length > MOST_ROWS
            ? `The first ${MOST_ROWS} of ${rows.length} observations; the CSV has them all.`
            : undefined
        }
      >
        {answered.length > 0 && (
          <>
            <ul class="xray-words">
              {answered.map(({ label, impact }) => {
                const kind = kinds.find((each) => each.label === label)?.kind ?? label;
                return <li key={label}>{describeImpact({ label, kind }, kinds, impact)}</li>;
              })}
            </ul>
            <ImpactRows rows={rows} answered={answered} grouping={grouping.value} />
          </>
        )}
      </Figure>
      {canAsk && !(now.kind === 'known' && now.cycle === cycle.value) && (
        <button
          type="button"
          class="button"
          disabled={cycle.value < 0 || now.kind === 'computing'}
          onClick={() => void compute()}
        >
          {now.kind === 'computing' ? `Computing cycle ${now.cycle} …` : `Compute those of cycle ${cycle.value}`}
        </button>
      )}
    </>
  );
}
