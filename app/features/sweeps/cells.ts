/**
 * Cells of the map: a combination of values with all its seeds, and what one method gives there by one measure. The combinations
 * are gathered once for a sweep; a cell is summarised when measure or method are chosen.
 */
import { median, medianInterval } from '../../../engine/index.ts';
import { OUTCOMES, ROW_STATES, type SweepTable } from '../reading/sweep-table.ts';

/** Rows that differ in nothing but their seed. */
export interface Combination {
  /** Number of its value on each axis. */
  readonly at: readonly number[];
  readonly rows: readonly number[];
}

/** @returns what distinguishes a combination from all others of its sweep */
export function keyOfPlace(at: readonly number[]): string {
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
