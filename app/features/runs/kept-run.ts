/**
 * A run as the list keeps it after it has left the screen: its scenario, the files that it names, and the diagnostics of its
 * cycles. Its planes are not kept: the same scenario gives them again, bit for bit, on the same backend.
 */
import type {
  CycleDiagnostics,
  MethodDivergence,
  MethodSummary,
  Scenario,
  Versions,
  MethodResult,
  RunSummary,
} from '../../../engine/index.ts';
import type { RunCommand } from '../../document/run/command-line.ts';
import { gatherSummary, summaryTerms } from '../../../engine/index.ts';

/** By method label, in cycle order. */
export type RunRows = ReadonlyMap<string, readonly CycleDiagnostics[]>;

export interface KeptRun {
  readonly id: string;
  /** From 1, in the order in which runs came into the list. */
  readonly number: number;
  /** Given by the user; empty if none was. */
  readonly name: string;
  readonly note: string;
  /** As it was run, with what was changed on the way. */
  readonly scenario: Scenario;
  /** The same as its file would have it. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Contents of the files that the scenario names, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** That repeats it. */
  readonly command: RunCommand;
  readonly methods: readonly MethodSummary[];
  readonly backend: { readonly name: string; readonly adapter: string };
  readonly versions: Versions;
  readonly rows: RunRows;
  readonly diverged: readonly Pick<MethodDivergence, 'method' | 'cycle'>[];
  /** That the scenario has. */
  readonly cycles: number;
  /** Number of cycles that were computed. */
  readonly completed: number;
  /** Rows of every so many cycles are kept: more than 1 of a run that is too long for the list. */
  readonly stride: number;
  /** ISO 8601. */
  readonly start: string;
  readonly end: string;
}

/** @returns what a run is called: the name that it was given, or its scenario's title */
export function runTitle({ name, scenario }: Pick<KeptRun, 'name' | 'scenario'>): string {
  return name || scenario.title || scenario.name;
}

/** `22 Nov, 14:05`, in the words of the page's place. */
export function momentText(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return date.toLocaleString([], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

/** @returns cycles that all rows together reach */
export function completedCycles(rows: RunRows): number {
  return Math.max(0, ...[...rows.values()].map((each) => (each.at(-1)?.cycle ?? -1) + 1));
}

export type KeptState = 'complete' | 'diverged' | 'stopped';

/** @returns how the run ended, as a run folder calls it */
export function stateOf({ methods, diverged, completed, cycles }: KeptRun): KeptState {
  if (methods.length > 0 && diverged.length >= methods.length) return 'diverged';
  return completed >= cycles ? 'complete' : 'stopped';
}

/** Bytes of a number, and of an object or a list beside what is in it, on engines of today. */
const NUMBER_BYTES = 8;
const OBJECT_BYTES = 32;
/** The most bytes of a letter. */
const LETTER_BYTES = 2;

/** @returns about how many bytes a value takes in memory */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return LETTER_BYTES * value.length;
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES;
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength;
  return Object.values(value).reduce((sum: number, each) => sum + NUMBER_BYTES + sizeOf(each), OBJECT_BYTES);
}

/** Rows are never changed: each is measured once. */
const rowSizes = new WeakMap<CycleDiagnostics, number>();

function rowSize(row: CycleDiagnostics): number {
  const known = rowSizes.get(row);
  if (known !== undefined) return known;
  const size = sizeOf(row);
  rowSizes.set(row, size);
  return size;
}

function rowsBytes(rows: RunRows): number {
  let sum = 0;
  for (const list of rows.values()) for (const row of list) sum += rowSize(row);
  return sum;
}

/** Runs of the list are never changed: each is measured once. */
const runSizes = new WeakMap<object, number>();

/** @returns about how many bytes the list takes for a run */
export function runBytes(run: Pick<KeptRun, 'rows' | 'scenario' | 'raw' | 'files'>): number {
  const known = runSizes.get(run);
  if (known !== undefined) return known;
  const size = rowsBytes(run.rows) + sizeOf(run.scenario) + sizeOf(run.raw) + sizeOf(run.files);
  runSizes.set(run, size);
  return size;
}

/**
 * @param limit bytes that its rows may take
 * @returns the run with the rows of every second cycle, every fourth, …, as many as there is room for
 */
export function thinned(run: KeptRun, limit: number): KeptRun {
  let { rows, stride } = run;
  const fits = (): boolean => rowsBytes(rows) <= limit || [...rows.values()].every((list) => list.length < 2);
  while (!fits()) {
    stride *= 2;
    const kept = ({ cycle }: CycleDiagnostics): boolean => cycle % stride === 0;
    rows = new Map([...rows].map(([label, list]) => [label, list.filter(kept)]));
  }
  return stride === run.stride ? run : { ...run, rows, stride };
}

/** Summaries of rows that no longer change: gathered once. */
const summaries = new WeakMap<RunRows, RunSummary>();

/** @returns the table of a run's rows, and its errors by cycles */
export function summaryOf({ rows, scenario }: Pick<KeptRun, 'rows' | 'scenario'>): RunSummary {
  const known = summaries.get(rows);
  if (known) return known;
  const terms = summaryTerms(scenario);
  const reached = [...rows.values()].some((list) => (list.at(-1)?.cycle ?? -1) >= terms.spinup);
  // Of a run that is still within its spin-up, all cycles count.
  const summary = gatherSummary([...rows.values()].flat(), reached ? terms : { ...terms, spinup: 0 });
  summaries.set(rows, summary);
  return summary;
}

/** @returns a row for each method of the run, in its order */
export function resultsOf(run: Pick<KeptRun, 'rows' | 'scenario' | 'methods'>): readonly MethodResult[] {
  return summaryOf(run).results(run.methods);
}
