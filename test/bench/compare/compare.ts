/** Shoal, native C and Python on the same problems, one after the other: what each took, and how far each is from the reference. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReferenceBackend, measureCeilings, runBenchmark } from '../../../engine/index.ts';
import type { Backend, Benchmark, Ceilings, TimeBudget } from '../../../engine/index.ts';
import type { Comparison } from './comparisons.ts';
import { writeProblem } from './problem-folder.ts';
import { runProgram } from './python.ts';
import type { ProgramRow, Python } from './python.ts';
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
  /** The folder of the native programs; absent if they could not be built. */
  readonly programs: string | undefined;
  /**
   * Numbers of threads that native programs and Python's libraries get, one after the other. Of the latter the better time counts.
   * The first is the surest.
   */
  readonly threads: readonly number[];
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

function programRow(
  who: Pick<ComparedRow, 'benchmark' | 'by' | 'threads'>,
  { form, note, milliseconds, median, difference }: ProgramRow,
): ComparedRow[] {
  if (milliseconds === undefined || median === undefined) return [];
  return [{ ...who, who: form, milliseconds, median, difference: difference ?? null, note }];
}

/** @returns why a row of another program is no comparison, or nothing */
function programFailure(benchmark: string, { form, difference, tolerance, failure }: ProgramRow): string[] {
  if (failure !== undefined) return [`${benchmark}, ${form}: ${failure}`];
  return differs(benchmark, form, difference ?? null, tolerance ?? TOLERANCE);
}

function differs(benchmark: string, who: string, difference: number | null, tolerance: number): string[] {
  if (difference !== null && difference <= tolerance) return [];
  const found = difference === null ? 'no numbers' : `${difference} from the reference, ${tolerance} is allowed`;
  return [`${benchmark}, ${who}: computed something else: ${found}`];
}

async function compareOne(
  { benchmark, script, program }: Comparison,
  { expected, folder }: Solved,
  ceilings: ReadonlyMap<Backend, Ceilings>,
  options: CompareOptions,
): Promise<Compared> {
  const { contenders, python, scripts, programs, threads: counts, rounds, budget, progress } = options;
  const rows = new Map<string, ComparedRow>();
  const failures = new Set<string>();
  const keep = (row: ComparedRow): void => void rows.set(row.who, better(rows.get(row.who), row));
  const take = (by: 'native' | 'python', threads: number | null, found: readonly ProgramRow[]): void => {
    for (const row of found.flatMap((one) => programRow({ benchmark: benchmark.name, by, threads }, one))) keep(row);
    for (const failure of found.flatMap((one) => programFailure(benchmark.name, one))) failures.add(failure);
  };
  const seconds = budget.milliseconds / 1000;
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
      const { name: by, threads = null } = backend;
      keep({ benchmark: benchmark.name, who, by, threads, milliseconds, median, difference, note: null });
      for (const failure of differs(benchmark.name, who, difference, TOLERANCE)) failures.add(failure);
    }
    for (const threads of counts) {
      if (programs === undefined || program === undefined) break;
      progress(`${benchmark.name}: C, ${threads} threads`);
      const how = { threads, seconds: 2 * seconds, patienceMilliseconds: undefined };
      take('native', threads, await runProgram([join(programs, program)], folder, how));
    }
    if (!python || script === undefined) continue;
    let patienceMilliseconds: number | undefined;
    for (const threads of counts) {
      progress(`${benchmark.name}: Python, ${threads} threads`);
      const begin = performance.now();
      const suite = [python.command, join(scripts, script)] as const;
      take('python', null, await runProgram(suite, folder, { threads, seconds: 3 * seconds, patienceMilliseconds }));
      patienceMilliseconds = LEAST_PATIENCE_MILLISECONDS + 2 * (performance.now() - begin);
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
