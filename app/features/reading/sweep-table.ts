/**
 * A sweep by columns: what the map draws, whether it comes from the results of a sweep or from a scan of a scenario. Columns pass
 * from the thread that reads a file to the page without being copied, and ten thousand cases take no time there.
 */
import type { SweepMeasure, SweepResults } from '../../../engine/index.ts';
import { describeValue, ScenarioError, readSweepResults } from '../../../engine/index.ts';

/** A setting that was varied. */
export interface TableAxis {
  /** Path of the setting, from the root of the scenario. */
  readonly path: string;
  /** What it is called, with its unit. */
  readonly title: string;
  /** In the order of the definition. */
  readonly values: readonly unknown[];
}

/** By their numbers in `states`. */
export const ROW_STATES = ['complete', 'failed', 'waiting'] as const;
/** By their numbers in `outcomes`: `absent` of a method that was not run, as in a case that failed. */
export const OUTCOMES = ['absent', 'complete', 'diverged'] as const;

export interface SweepTable {
  readonly name: string;
  /** Where it comes from, for people: a file's name, or a scan. */
  readonly source: string;
  /** What computed it; empty where that is not known. */
  readonly backend: string;
  /** What is to be said of its numbers beside them; empty if nothing is. */
  readonly remark: string;
  /** As its file has it, before the values of a case are set in it. */
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly axes: readonly TableAxis[];
  readonly methods: readonly string[];
  readonly measures: readonly SweepMeasure[];
  /** All of them. */
  readonly seeds: readonly number[];
  /** What a row is: a run with one seed, or the median over all seeds, if nothing else was kept. */
  readonly kind: 'runs' | 'medians';
  readonly rows: number;
  /** Number of the value on each axis: `[row][axis]`. */
  readonly places: Uint32Array;
  /** `[row]`; NaN of medians. */
  readonly rowSeeds: Float64Array;
  /** `[row]`, as `ROW_STATES`. */
  readonly states: Uint8Array;
  /** Why a row failed, by row. */
  readonly reasons: ReadonlyMap<number, string>;
  /** `[method][row]`, as `OUTCOMES`. */
  readonly outcomes: Uint8Array;
  /** The cycle that was not completed, `[method][row]`; −1 if there is none. */
  readonly divergedAt: Int32Array;
  /** `[measure][method][row]`; NaN if there is none. */
  readonly values: Float64Array;
  /** The row whose setting was taken, where the source says so. */
  readonly taken: number | undefined;
}

/** What a table's columns are made of. */
export type TableHead = Pick<
  SweepTable,
  'name' | 'source' | 'backend' | 'remark' | 'scenario' | 'axes' | 'methods' | 'measures' | 'seeds' | 'kind' | 'taken'
>;

/** @returns a table without outcomes: each row complete, each method absent */
export function emptyTable(
  head: TableHead,
  rows: number,
  reasons: ReadonlyMap<number, string> = new Map(),
): SweepTable {
  const outcomes = rows * head.methods.length;
  return {
    ...head,
    rows,
    places: new Uint32Array(rows * head.axes.length),
    rowSeeds: new Float64Array(rows).fill(Number.NaN),
    states: new Uint8Array(rows),
    reasons,
    outcomes: new Uint8Array(outcomes),
    divergedAt: new Int32Array(outcomes).fill(-1),
    values: new Float64Array(outcomes * head.measures.length).fill(Number.NaN),
  };
}

/** @returns the columns that have memory of their own */
export function columnsOf({ places, rowSeeds, states, outcomes, divergedAt, values }: SweepTable): ArrayBufferView[] {
  return [places, rowSeeds, states, outcomes, divergedAt, values];
}

/** Parts of an axis's title: whose setting it is, what it is called, and its unit; empty if it has none. */
interface AxisName {
  readonly owner: string;
  readonly name: string;
  readonly unit: string;
}

function nameOf({ title }: Pick<TableAxis, 'title'>): AxisName {
  const [, owner = '', name = title, unit = ''] = /^(?:([^:]+): )?(.+?)(?: \(([^()]*)\))?$/s.exec(title) ?? [];
  return { owner, name, unit };
}

/** @returns an axis's name, after its owner where two axes have one name: `Half-width`, `letkf: Inflation` */
export function shortName(axes: readonly Pick<TableAxis, 'title'>[], axis: number): string {
  const { owner, name } = nameOf(axes[axis]);
  const isShared = axes.some((other, number) => number !== axis && nameOf(other).name === name);
  return isShared && owner !== '' ? `${owner}: ${name}` : name;
}

/** @returns a value of an axis with its unit, `5 m` */
export function valueWithUnit(axis: TableAxis, number: number): string {
  const { unit } = nameOf(axis);
  const text = axisTexts(axis)[number];
  return unit === '' || typeof axis.values[number] !== 'number' ? text : `${text}\u00a0${unit}`;
}

/** Longer words of a value are cut off. */
const LONGEST_VALUE = 28;

/** Digits of a number: what a sum of steps leaves beyond them is rounding. */
const DIGITS = 12;

/** @returns a value of a setting as it is written beside an axis: a section by its kind where it has one */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
  const kind = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined;
  const text = typeof value === 'string' ? value : typeof kind === 'string' ? kind : (JSON.stringify(value) ?? '');
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

/** @returns the values of an axis in words that distinguish them: sections of one kind are written out */
export function axisTexts({ values }: Pick<TableAxis, 'values'>): readonly string[] {
  const texts = values.map(valueText);
  if (new Set(texts).size === texts.length) return texts;
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return texts.map((text, n) => (times.get(text) === 1 ? text : `${n + 1}: ${valueText(JSON.stringify(values[n]))}`));
}

/** @returns the values of an axis where all of them are numbers */
export function numericValues({ values }: Pick<TableAxis, 'values'>): readonly number[] | undefined {
  return values.every((value): value is number => typeof value === 'number') ? values : undefined;
}

/** That a table has room for: 512 MiB of them. A file may ask for as many by cases that are not run yet, which say nothing. */
const MOST_NUMBERS = 2 ** 26;

/** Words of the backend, as on the page: `wasm, WebAssembly SIMD`. */
function backendWords({ name, adapter }: SweepResults['backend']): string {
  return adapter === '' ? name : `${name}, ${adapter}`;
}

/** @returns the number of each value of an axis, by the value's JSON */
function numbered(values: readonly unknown[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, number) => [JSON.stringify(value), number]));
}

/**
 * @param file that they were read from, for messages
 * @throws ScenarioError where a case has values that its sweep does not have
 */
export function tableOfResults(results: SweepResults, file: string): SweepTable {
  const { name, scenario, axes, seeds, methods, measures, cases, backend } = results;
  const reasons = new Map(
    cases.flatMap(({ reason }, row): [number, string][] => (reason === null ? [] : [[row, reason]])),
  );
  const numbers = cases.length * methods.length * measures.length;
  if (numbers > MOST_NUMBERS) {
    const message = `found ${cases.length} cases of ${methods.length} methods with ${measures.length} measures, allowed: ${MOST_NUMBERS} numbers in all`;
    throw new ScenarioError([{ file, path: [], message }]);
  }
  const head = { name, source: file, backend: backendWords(backend), remark: '', taken: undefined };
  const table = emptyTable({ ...head, scenario, axes, methods, measures, seeds, kind: 'runs' }, cases.length, reasons);
  const places = axes.map(({ values }) => numbered(values));
  const rows = cases.length;
  for (const [row, { values, seed, state, methods: outcomes }] of cases.entries()) {
    table.rowSeeds[row] = seed;
    table.states[row] = ROW_STATES.indexOf(state);
    for (const [axis, value] of values.entries()) {
      const number = places[axis].get(JSON.stringify(value));
      if (number === undefined) {
        const message = `found ${describeValue(value)}, which is not among axes[${axis}].values`;
        throw new ScenarioError([{ file, path: ['cases', row, 'values', axis], message }]);
      }
      table.places[row * axes.length + axis] = number;
    }
    for (const { method, state: outcome, divergedAt, values: measured } of outcomes) {
      const at = methods.indexOf(method);
      table.outcomes[at * rows + row] = OUTCOMES.indexOf(outcome);
      if (divergedAt !== null) table.divergedAt[at * rows + row] = divergedAt;
      for (const [measure, value] of measured.entries()) {
        if (value !== null) table.values[(measure * methods.length + at) * rows + row] = value;
      }
    }
  }
  return table;
}

/** The largest file that the page reads: 64 MiB, in which a hundred thousand cases have room. */
export const MOST_SWEEP_BYTES = 64 * 2 ** 20;

/** @throws ScenarioError that names the file, the place in it, what was found and what is allowed */
export function readSweep({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }): SweepTable {
  if (bytes.byteLength > MOST_SWEEP_BYTES) {
    const message = `found more than ${MOST_SWEEP_BYTES} bytes, allowed: ${MOST_SWEEP_BYTES} (64 MiB)`;
    throw new ScenarioError([{ file: name, path: [], message }]);
  }
  return tableOfResults(readSweepResults(bytes, name), name);
}
