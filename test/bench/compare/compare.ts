/** Shoal and Python on the same problems, one after the other: what each took, and how far each is from the reference. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReferenceBackend, measureCeilings, runBenchmark } from '../../../engine/index.ts';
import type { Backend, Benchmark, Ceilings, TimeBudget } from '../../../engine/index.ts';
import type { Comparison } from './comparisons.ts';
import { writeProblem } from './problem-folder.ts';
import { runSuite } from './python.ts';
import type { Python, PythonRow } from './python.ts';
import { TOLERANCE } from './table.ts';
import type { ComparedRow } from './table.ts';

/** One of Shoal's backends, opened. */
export interface Contender {
  readonly who: string;
  readonly backend: Backend;
}

export interface CompareOptions {
  readonly contenders: readonly Contender[];
  /** Absent if there is none with numpy. */
  readonly python: Python | undefined;
  /** The folder of the Python suites. */
  readonly scripts: string;
  /** Numbers of threads that Python's libraries get, one after the other: the better time counts. The first is the surest. */
  readonly pythonThreads: readonly number[];
  /** How often all is timed, in turn; the least time counts. */
  readonly rounds: number;
  /** For a measurement; Python, which is slower to settle, gets three times as long. */
  readonly budget: TimeBudget;
  readonly progress: (line: string) => void;
}

export interface Compared {
  readonly rows: readonly ComparedRow[];
  /** What could not be run, or did not compute the same. */
  readonly failures: readonly string[];
}

/**
 * Libraries that spread small matrices over threads may take a hundred times as long as on one thread where others use the
 * machine: such a pass is discarded, the first one counts.
 */
const LEAST_PATIENCE_MILLISECONDS = 10_000;

interface Solved {
  readonly expected: Float64Array;
  readonly folder: string;
}

/** The reference's result, and the problem as files. */
async function solve(benchmark: Benchmark, folder: string): Promise<Solved> {
  const backend = createReferenceBackend();
  const workload = await benchmark.open(backend);
  try {
    if (!workload.problem) throw new Error(`${benchmark.name} cannot be given to another program`);
    await workload.run();
    const expected = await workload.result();
    writeProblem(folder, workload.problem, expected);
    return { expected, folder };
  } finally {
    workload.dispose();
    backend.dispose();
  }
}

/** One of two times of the same, the better. */
function better(a: ComparedRow | undefined, b: ComparedRow): ComparedRow {
  return a && a.milliseconds <= b.milliseconds ? a : b;
}

function pythonRow(benchmark: string, { form, note, milliseconds, median, difference }: PythonRow): ComparedRow[] {
  if (milliseconds === undefined || median === undefined) return [];
  return [{ benchmark, who: form, isShoal: false, milliseconds, median, difference: difference ?? null, note }];
}

/** @returns why a Python row is no comparison, or nothing */
function pythonFailure(benchmark: string, { form, difference, tolerance, failure }: PythonRow): string[] {
  if (failure !== undefined) return [`${benchmark}, ${form}: ${failure}`];
  return differs(benchmark, form, difference ?? null, tolerance ?? TOLERANCE);
}

function differs(benchmark: string, who: string, difference: number | null, tolerance: number): string[] {
  if (difference !== null && difference <= tolerance) return [];
  const found = difference === null ? 'no numbers' : `${difference} from the reference, ${tolerance} is allowed`;
  return [`${benchmark}, ${who}: computed something else: ${found}`];
}

async function compareOne(
  { benchmark, script }: Comparison,
  { expected, folder }: Solved,
  ceilings: ReadonlyMap<Backend, Ceilings>,
  options: CompareOptions,
): Promise<Compared> {
  const { contenders, python, scripts, pythonThreads, rounds, budget, progress } = options;
  const rows = new Map<string, ComparedRow>();
  const failures = new Set<string>();
  const keep = (row: ComparedRow): void => void rows.set(row.who, better(rows.get(row.who), row));
  for (let round = 0; round < rounds; round++) {
    for (const { who, backend } of contenders) {
      const measured = ceilings.get(backend);
      if (!measured) throw new Error(`the ceilings of ${who} are not known`);
      progress(`${benchmark.name}: Shoal, ${who}`);
      const row = await runBenchmark(backend, benchmark, {
        ceilings: measured,
        expected: () => Promise.resolve(expected),
        budget,
      });
      const { milliseconds, median, errorAgainstReference: difference } = row;
      keep({ benchmark: benchmark.name, who, isShoal: true, milliseconds, median, difference, note: null });
      for (const failure of differs(benchmark.name, who, difference, TOLERANCE)) failures.add(failure);
    }
    if (!python) continue;
    let patience: number | undefined;
    for (const threads of pythonThreads) {
      progress(`${benchmark.name}: Python, ${threads} threads`);
      const begin = performance.now();
      const found = await runSuite(python, join(scripts, script), folder, {
        threads,
        seconds: (3 * budget.milliseconds) / 1000,
        patienceMilliseconds: patience,
      });
      patience = LEAST_PATIENCE_MILLISECONDS + 2 * (performance.now() - begin);
      for (const row of found.flatMap((one) => pythonRow(benchmark.name, one))) keep(row);
      for (const failure of found.flatMap((one) => pythonFailure(benchmark.name, one))) failures.add(failure);
    }
  }
  return { rows: [...rows.values()], failures: [...failures] };
}

export async function compare(comparisons: readonly Comparison[], options: CompareOptions): Promise<Compared> {
  const ceilings = new Map<Backend, Ceilings>();
  for (const { backend } of options.contenders) ceilings.set(backend, await measureCeilings(backend));
  const rows: ComparedRow[] = [];
  const failures: string[] = [];
  for (const comparison of comparisons) {
    const { name } = comparison.benchmark;
    const folder = mkdtempSync(join(tmpdir(), 'shoal-compare-'));
    try {
      options.progress(`${name}: the reference`);
      const found = await compareOne(comparison, await solve(comparison.benchmark, folder), ceilings, options);
      rows.push(...found.rows);
      failures.push(...found.failures);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { rows, failures };
}
