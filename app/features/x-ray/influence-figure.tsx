/** How much of the increment at the place comes from each observation: a table that is linked with the stems. */
import { useSignal } from '@preact/signals';
import { Figure } from '../../figures/figure.tsx';
import type { DataTable } from '../../format/tables.ts';
import { formatColumn, formatNumber, formatQuantity } from '../../format/numbers.ts';
import { distanceText, type GridPoint } from '../../document/views/view-state.ts';
import { useRun } from '../../document/context.ts';
import { withUnit } from '../../fields/fields.ts';
import { titlesOf, type MethodStyle } from '../../document/views/method-style.ts';
import { xrayOf } from './xray-state.ts';
import type { BasinInfo, SnapshotObservations } from '../../../engine/index.ts';
import type { CycleAnswers } from './answers.ts';

function shortestWay(cells: number, n: number, periodic: boolean): number {
  if (!periodic) return cells;
  const around = Math.abs(cells) % n;
  return Math.min(around, n - around);
}

/** @returns metres between two places in grid units */
export function distanceBetween(
  a: GridPoint,
  b: GridPoint,
  { nx, ny, dx, dy, periodicX, periodicY }: Pick<BasinInfo, 'nx' | 'ny' | 'dx' | 'dy' | 'periodicX' | 'periodicY'>,
): number {
  return Math.hypot(shortestWay(a.x - b.x, nx, periodicX) * dx, shortestWay(a.y - b.y, ny, periodicY) * dy);
}

interface InfluenceRow {
  /** Number of the observation in its cycle. */
  readonly index: number;
  readonly variable: string;
  /** From the place, m. */
  readonly distance: number;
  /** By method label; undefined where the method has no such answer. In the unit of the variable. */
  readonly contributions: ReadonlyMap<string, number>;
}

interface Influences {
  readonly unit: string;
  /** Labels of the methods that answer. */
  readonly methods: readonly string[];
  readonly rows: readonly InfluenceRow[];
  /** The increment there, by method label. */
  readonly increments: ReadonlyMap<string, number>;
}

/** What the table is sorted by: the observation's number, its distance, or a method by its label. */
interface InfluenceOrder {
  readonly column: 'index' | 'distance' | { readonly method: string };
  readonly descending: boolean;
}

/** Smallest share of the largest contribution that is shown: less has no visible part. */
const LEAST_SHARE = 1e-6;

/** @returns the observations that have a part in the increment of any method; undefined where no method answers */
function influencesOf(
  { byMethod, place }: Pick<CycleAnswers, 'byMethod' | 'place'>,
  observations: Pick<SnapshotObservations, 'x' | 'y' | 'variable'>,
  basin: BasinInfo,
): Influences | undefined {
  const answered = [...byMethod].flatMap(([label, { influence }]) => (influence ? [[label, influence] as const] : []));
  if (answered.length === 0) return undefined;
  const rows = Array.from(observations.x, (_, index): InfluenceRow => ({
    index,
    variable: observations.variable[index],
    distance: distanceBetween({ x: observations.x[index], y: observations.y[index] }, place.at, basin),
    contributions: new Map(answered.map(([label, { contributions }]) => [label, contributions[index] ?? 0])),
  }));
  const largest = new Map(
    answered.map(([label, { contributions }]) => [
      label,
      contributions.reduce((most, c) => Math.max(most, Math.abs(c)), 0),
    ]),
  );
  const hasPart = ({ contributions }: InfluenceRow): boolean =>
    [...contributions].some(([label, c]) => c !== 0 && Math.abs(c) >= LEAST_SHARE * (largest.get(label) ?? 0));
  return {
    unit: answered[0][1].unit,
    methods: answered.map(([label]) => label),
    rows: rows.filter(hasPart),
    increments: new Map(answered.map(([label, { increment }]) => [label, increment])),
  };
}

/** @returns the rows in that order: contributions by their size */
function sortedRows(rows: readonly InfluenceRow[], { column, descending }: InfluenceOrder): readonly InfluenceRow[] {
  const keyOf = (row: InfluenceRow): number => {
    if (column === 'index') return row.index;
    if (column === 'distance') return row.distance;
    return Math.abs(row.contributions.get(column.method) ?? 0);
  };
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => sign * (keyOf(a) - keyOf(b)) || a.index - b.index);
}

/** More rows are not written into the page; the CSV has them all. */
const MOST_ROWS = 40;

const EMPTY =
  'How much of the increment at the place comes from each observation appears here, once a cycle with observations is asked about.';

const HELP =
  'K d of each observation: what it adds to the increment at the place, the others being there too. They sum to the increment, in 3D-Var to the tolerance of its minimisation. Point at a row to see its stem; choose its number for its own X-ray.';

function tableOf({ rows, methods, unit }: Influences, titleOf: (label: string) => string, isRing: boolean): DataTable {
  return {
    columns: [
      'observation',
      'variable',
      // Places of a ring have no metres, nor have its numbers a unit.
      isRing ? 'distance (places)' : 'distance (m)',
      ...methods.map((label) => withUnit(titleOf(label), unit)),
    ],
    rows: rows.map(({ index, variable, distance, contributions }) => [
      index,
      variable,
      distance,
      ...methods.map((label) => contributions.get(label) ?? null),
    ]),
  };
}

interface HeadProperties {
  readonly title: string;
  readonly help: string;
  readonly column: InfluenceOrder['column'];
  readonly order: InfluenceOrder;
  readonly onOrder: (order: InfluenceOrder) => void;
}

function sameColumn(a: InfluenceOrder['column'], b: InfluenceOrder['column']): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.method === b.method;
}

function ColumnHead({ title, help, column, order, onOrder }: HeadProperties) {
  const isActive = sameColumn(order.column, column);
  // Contributions are looked at from the largest on.
  const descending = isActive ? !order.descending : typeof column !== 'string';
  return (
    <th scope="col" aria-sort={isActive ? (order.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" title={help} onClick={() => onOrder({ column, descending })}>
        {title}
        {isActive && <span aria-hidden="true">{order.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}

interface BodyProperties {
  readonly rows: readonly InfluenceRow[];
  readonly methods: readonly string[];
}

function Rows({ rows, methods }: BodyProperties) {
  const {
    view: { world },
  } = useRun();
  const { pointed, choose } = xrayOf(useRun());
  const columns = methods.map((label) => formatColumn(rows.map(({ contributions }) => contributions.get(label))));
  return (
    <tbody>
      {rows.map(({ index, variable, distance }, row) => {
        const point = (): void => {
          pointed.value = index;
        };
        const leave = (): void => {
          pointed.value = undefined;
        };
        return (
          <tr key={index} data-pointed={pointed.value === index} onPointerEnter={point} onPointerLeave={leave}>
            <th scope="row">
              <button
                type="button"
                class="button"
                title={`X-ray of observation ${index}`}
                onFocus={point}
                onBlur={leave}
                onClick={() => choose({ kind: 'observation', index })}
              >
                {index} <span class="label">{variable}</span>
              </button>
            </th>
            <td>{world.value?.isRing ? formatNumber(distance) : distanceText(distance)}</td>
            {columns.map((column, n) => (
              <td key={methods[n]}>{column[row]}</td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}

export function InfluenceFigure({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const {
    course: { info, snapshots },
  } = useRun();
  const { answers } = xrayOf(useRun());
  const order = useSignal<InfluenceOrder | undefined>(undefined);
  const [of, basin] = [answers.value, info.value?.basin];
  const observations = snapshots.value.find(({ cycle }) => cycle === of?.cycle)?.observations;
  const found = of && basin && observations && influencesOf(of, observations, basin);
  if (!of || !found) {
    return (
      <Figure id="influence" title="Influence" help={HELP} table={() => ({ columns: [], rows: [] })} empty={EMPTY} />
    );
  }
  const shown = found.methods.filter((label) => styles.some((style) => style.label === label));
  const titleOf = titlesOf(styles);
  const now = order.value ?? { column: { method: shown[0] ?? '' }, descending: true };
  const sorted = sortedRows(found.rows, now);
  const rows = sorted.slice(0, MOST_ROWS);
  const setOrder = (next: InfluenceOrder): void => {
    order.value = next;
  };
  return (
    <Figure
      id="influence"
      title={`Influence on ${of.place.variable}, cycle ${of.cycle}`}
      help={HELP}
      picture={false}
      table={() => tableOf({ ...found, rows: sorted }, titleOf, basin.isRing === true)}
      note={
        rows.length < sorted.length
          ? `The first ${rows.length} of ${sorted.length} observations; the CSV has them all.`
          : undefined
      }
    >
      {sorted.length === 0 ? (
        <p class="figure-empty">No observation of the cycle has a part in the increment here.</p>
      ) : (
        <div class="results-scroll">
          <table class="results xray-influence">
            <thead>
              <tr>
                <ColumnHead
                  title="Observation"
                  help="Number in the cycle"
                  column="index"
                  order={now}
                  onOrder={setOrder}
                />
                <ColumnHead
                  title="at"
                  help={basin.isRing ? 'Distance from the place, in places' : 'Distance from the place'}
                  column="distance"
                  order={now}
                  onOrder={setOrder}
                />
                {shown.map((label) => (
                  <ColumnHead
                    key={label}
                    title={withUnit(titleOf(label), found.unit)}
                    help={`What it adds to the increment of ${titleOf(label)}, by size`}
                    column={{ method: label }}
                    order={now}
                    onOrder={setOrder}
                  />
                ))}
              </tr>
            </thead>
            <Rows rows={rows} methods={shown} />
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  increment
                </th>
                {shown.map((label) => (
                  <td key={label}>{formatQuantity(found.increments.get(label), '')}</td>
                ))}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </Figure>
  );
}
