/**
 * The cells of a map and their layout on the page. A cell is a combination of values with all its seeds, and what one method gives
 * there by one measure. Two axes span a grid, and each combination of the other axes has its own grid. Also the styles of the methods.
 */
import { shortName, valueWithUnit, OUTCOMES, ROW_STATES } from '../reading/sweep-table.ts';
import type { SweepTable, TableAxis } from '../reading/sweep-table.ts';
import { isRecord, median, medianInterval } from '../../../engine/index.ts';
import { methodStyles, type MethodStyle } from '../../document/views/method-style.ts';

/** Rows that differ in nothing but their seed. */
export interface Combination {
  /** Number of its value on each axis. */
  readonly at: readonly number[];
  readonly rows: readonly number[];
}

/** @returns what distinguishes a combination from all others of its sweep */
function keyOfPlace(at: readonly number[]): string {
  return at.join(' ');
}

/** @returns the combinations in the order in which they first occur */
export function combinationsOf({ rows, axes, places }: Pick<SweepTable, 'rows' | 'axes' | 'places'>): Combination[] {
  const found = new Map<string, { at: readonly number[]; rows: number[] }>();
  for (let row = 0; row < rows; row++) {
    const at = [...places.subarray(row * axes.length, (row + 1) * axes.length)];
    const key = keyOfPlace(at);
    const known = found.get(key);
    if (known) known.rows.push(row);
    else found.set(key, { at, rows: [row] });
  }
  return [...found.values()];
}

/** By number, what is looked at: a measure of a method. */
export interface Subject {
  readonly measure: number;
  readonly method: number;
}

/** What one run, or the median of several, has given. */
export interface Trial {
  readonly row: number;
  /** Undefined of a median. */
  readonly seed: number | undefined;
  readonly state: 'complete' | 'diverged' | 'failed' | 'waiting';
  /** Null where it diverged, or where the measure does not apply. */
  readonly value: number | null;
  readonly divergedAt: number | undefined;
  readonly reason: string | undefined;
}

function trialOf(table: SweepTable, { measure, method }: Subject, row: number): Trial {
  const at = method * table.rows + row;
  const state = ROW_STATES[table.states[row]];
  const outcome = OUTCOMES[table.outcomes[at]];
  const value = table.values[measure * table.methods.length * table.rows + at];
  const seed = table.rowSeeds[row];
  const cycle = table.divergedAt[at];
  return {
    row,
    seed: Number.isNaN(seed) ? undefined : seed,
    state: state !== 'complete' ? state : outcome === 'absent' ? 'waiting' : outcome,
    value: Number.isNaN(value) ? null : value,
    divergedAt: cycle < 0 ? undefined : cycle,
    reason: table.reasons.get(row),
  };
}

/** @returns what each seed has given, in the order of the plan */
export function trialsOf(table: SweepTable, { rows }: Combination, subject: Subject): Trial[] {
  return rows.map((row) => trialOf(table, subject, row));
}

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** What one method gives at one combination, over its seeds. */
export interface Cell {
  /** Median over the completed runs; null if there are none, or if the measure does not apply. */
  readonly median: number | null;
  /** That holds the median with 95 %; null where the seeds are too few for one, or were not kept. */
  readonly interval: Span | null;
  /** The lowest and the highest of all seeds; null where they were not kept. */
  readonly range: Span | null;
  /** Runs that are planned, and those of them that diverged, failed or wait. */
  readonly seeds: number;
  readonly diverged: number;
  readonly failed: number;
  readonly waiting: number;
}

/** Fewer values have no interval that contains their median with 95 %. */
const FEWEST_VALUES = 6;

function intervalOf(values: readonly number[]): Span | null {
  if (values.length < FEWEST_VALUES) return null;
  const { low, high } = medianInterval(values);
  return { low, high };
}

/** @returns where the values of a measure of a method begin in `values` */
function firstValue({ methods, rows }: SweepTable, { measure, method }: Subject): number {
  return (measure * methods.length + method) * rows;
}

/** Sums up one combination, straight from the columns: of ten thousand runs no object is made. */
function cellOf(table: SweepTable, { rows }: Combination, subject: Subject): Cell {
  const { states, outcomes, values } = table;
  const first = firstValue(table, subject);
  const known: number[] = [];
  let [diverged, failed, waiting] = [0, 0, 0];
  for (const row of rows) {
    const state = ROW_STATES[states[row]];
    const outcome = OUTCOMES[outcomes[subject.method * table.rows + row]];
    const value = values[first + row];
    if (state === 'failed') failed += 1;
    else if (state === 'waiting' || outcome === 'absent') waiting += 1;
    else if (outcome === 'diverged') diverged += 1;
    else if (!Number.isNaN(value)) known.push(value);
  }
  const isMedian = table.kind === 'medians';
  const weight = isMedian ? table.seeds.length : 1;
  const hasSeeds = known.length > 0 && !isMedian;
  return {
    median: known.length === 0 ? null : median(known),
    interval: hasSeeds ? intervalOf(known) : null,
    range: hasSeeds ? { low: Math.min(...known), high: Math.max(...known) } : null,
    seeds: weight * rows.length,
    diverged: weight * diverged,
    failed: weight * failed,
    waiting: weight * waiting,
  };
}

/** @returns the values of a combination by the sweep's seeds, in their order; null if there is none */
export function valuesBySeed(table: SweepTable, { rows }: Combination, subject: Subject): (number | null)[] {
  const { seeds, rowSeeds, values } = table;
  const first = firstValue(table, subject);
  const found = Array.from<number | null>({ length: seeds.length }).fill(null);
  for (const row of rows) {
    const value = values[first + row];
    if (!Number.isNaN(value)) found[seeds.indexOf(rowSeeds[row])] = value;
  }
  return found;
}

/** @returns by the sweep's seeds whether a method was run to an outcome: it came through or diverged, and its case did not fail */
export function hasRunBySeed(table: SweepTable, { rows }: Combination, method: number): boolean[] {
  const { seeds, rowSeeds, states, outcomes } = table;
  const found = Array.from<boolean>({ length: seeds.length }).fill(false);
  for (const row of rows) {
    found[seeds.indexOf(rowSeeds[row])] =
      ROW_STATES[states[row]] === 'complete' && OUTCOMES[outcomes[method * table.rows + row]] !== 'absent';
  }
  return found;
}

/** @returns the cell of each combination */
export function cellsOf(table: SweepTable, combinations: readonly Combination[], subject: Subject): Cell[] {
  return combinations.map((combination) => cellOf(table, combination, subject));
}

/** @returns the run that represents a combination: the one whose value is the median, or is next to it from below */
export function medianTrial(trials: readonly Trial[]): Trial | undefined {
  const complete = trials.filter(({ value }) => value !== null).sort((a, b) => Number(a.value) - Number(b.value));
  return complete[Math.floor((complete.length - 1) / 2)] ?? trials.find(({ state }) => state !== 'failed') ?? trials[0];
}

/** Axes by number; undefined if there is none. */
export interface AxisChoice {
  readonly x: number | undefined;
  readonly y: number | undefined;
}

/** One grid of several. */
interface Facet {
  /** `Members 20, Length 3 m`; empty if there is only one. */
  readonly title: string;
  /** Numbers of combinations by y and x; undefined if nothing was tried. */
  readonly rows: readonly (readonly (number | undefined)[])[];
}

export interface Arrangement {
  readonly x: TableAxis | undefined;
  readonly y: TableAxis | undefined;
  /** In the order of the definition, the last axis fastest. */
  readonly facets: readonly Facet[];
}

/** @returns the axes with more than one value, by number: those that can span a grid */
export function variedAxes({ axes }: Pick<SweepTable, 'axes'>): number[] {
  return axes.flatMap(({ values }, axis) => (values.length > 1 ? [axis] : []));
}

/** @returns the first two axes that vary */
export function firstAxes(table: Pick<SweepTable, 'axes'>): AxisChoice {
  const [x, y] = variedAxes(table);
  return { x, y };
}

/** @returns a choice of which one axis was changed; where both would be the same, the other takes the place that became free */
export function chooseAxis(now: AxisChoice, which: 'x' | 'y', axis: number | undefined): AxisChoice {
  const other = which === 'x' ? 'y' : 'x';
  const freed = axis !== undefined && now[other] === axis ? { [other]: now[which] } : {};
  return { ...now, ...freed, [which]: axis };
}

/** @returns a combination's values on some axes, as `Inflation 1.1, Half-width 8 m` */
export function placeWords({ axes }: Pick<SweepTable, 'axes'>, at: readonly number[], some: readonly number[]): string {
  return some.map((axis) => `${shortName(axes, axis)} ${valueWithUnit(axes[axis], at[axis])}`).join(', ');
}

export function arrange(
  table: Pick<SweepTable, 'axes'>,
  combinations: readonly Combination[],
  { x, y }: AxisChoice,
): Arrangement {
  const others = variedAxes(table).filter((axis) => axis !== x && axis !== y);
  const [columns, rows] = [x, y].map((axis) => (axis === undefined ? 1 : table.axes[axis].values.length));
  const grids = new Map<string, { at: readonly number[]; cells: (number | undefined)[][] }>();
  combinations.forEach(({ at }, combination) => {
    const place = others.map((axis) => at[axis]);
    const key = keyOfPlace(place);
    const known = grids.get(key) ?? {
      at,
      cells: Array.from({ length: rows }, () => Array.from<undefined>({ length: columns })),
    };
    grids.set(key, known);
    known.cells[y === undefined ? 0 : at[y]][x === undefined ? 0 : at[x]] = combination;
  });
  const sorted = [...grids.values()].sort((a, b) => {
    const axis = others.find((other) => a.at[other] !== b.at[other]);
    return axis === undefined ? 0 : a.at[axis] - b.at[axis];
  });
  return {
    x: x === undefined ? undefined : table.axes[x],
    y: y === undefined ? undefined : table.axes[y],
    facets: sorted.map(({ at, cells }) => ({ title: placeWords(table, at, others), rows: cells })),
  };
}

/** Where a combination is: in which grid, in which row and column of it. */
export interface Spot {
  readonly facet: number;
  readonly row: number;
  readonly column: number;
}

/** @returns the spot of a combination */
export function spotOf({ facets }: Arrangement, combination: number): Spot | undefined {
  for (const [facet, { rows }] of facets.entries()) {
    for (const [row, cells] of rows.entries()) {
      const column = cells.indexOf(combination);
      if (column >= 0) return { facet, row, column };
    }
  }
  return undefined;
}

export function combinationAt({ facets }: Arrangement, { facet, row, column }: Spot): number | undefined {
  return facets[facet]?.rows[row]?.[column];
}

/** A step of a key: along x, along y (upwards, as values grow), or from grid to grid. */
export interface Step {
  readonly along: 'x' | 'y' | 'facet';
  readonly by: 1 | -1;
  /** As far as it goes. */
  readonly whole?: boolean;
}

/** @returns the nearest combination in that direction; what was not tried is passed over, and at the edge nothing moves */
export function stepFrom(arrangement: Arrangement, from: number, { along, by, whole = false }: Step): number {
  const start = spotOf(arrangement, from);
  if (!start) return from;
  const key = along === 'x' ? 'column' : along === 'y' ? 'row' : 'facet';
  const lengths = {
    facet: arrangement.facets.length,
    row: arrangement.facets[start.facet].rows.length,
    column: arrangement.facets[start.facet].rows[start.row].length,
  };
  let reached = from;
  for (let at = start[key] + by; at >= 0 && at < lengths[key]; at += by) {
    const found = combinationAt(arrangement, { ...start, [key]: at });
    if (found === undefined) continue;
    reached = found;
    if (!whole) break;
  }
  return reached;
}

interface DescribedMethod {
  readonly label: string;
  readonly kind: string;
}

/** The methods as the scenario's file has them, in its order: a label is the kind if there is none. */
function describedMethods({ scenario }: Pick<SweepTable, 'scenario'>): DescribedMethod[] {
  const entries: unknown = scenario['methods'];
  if (!Array.isArray(entries)) return [];
  return entries.filter(isRecord).map((entry) => {
    const kind = String(entry['kind']);
    return { kind, label: typeof entry['label'] === 'string' ? entry['label'] : kind };
  });
}

/**
 * @returns a style for each method of the sweep, in its order; of one that the scenario does not describe, that of an unknown kind
 */
export function sweepStyles(table: Pick<SweepTable, 'methods' | 'scenario'>): readonly MethodStyle[] {
  const described = describedMethods(table);
  const all = [
    ...described,
    ...table.methods
      .filter((label) => described.every((method) => method.label !== label))
      .map((label) => ({ label, kind: label })),
  ];
  const styles = methodStyles(all.map((method) => ({ ...method, members: 1 })));
  return table.methods.flatMap((label) => styles.find((style) => style.label === label) ?? []);
}

/** @returns by number the method whose settings were varied first; of a sweep that varies none of them, the last */
export function firstMethod(table: Pick<SweepTable, 'axes' | 'methods' | 'scenario'>): number {
  const described = describedMethods(table);
  for (const { path } of table.axes) {
    const index = Number(/^methods\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN);
    const found = table.methods.findIndex((label) => label === described[index]?.label);
    if (found >= 0) return found;
  }
  return table.methods.length - 1;
}
