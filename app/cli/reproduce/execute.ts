/** Runs a bundle's scenario as far as its rows go. */
import { AllDivergedError, DivergenceError } from '../../../engine/index.ts';
import type {
  Backend,
  Bundle,
  Checkpoint,
  CycleDiagnostics,
  RunEvent,
  Reproduction,
  RowDifference,
  StatisticComparison,
} from '../../../engine/index.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { createProgress } from '../run/progress.ts';
import { selectMethods } from '../run/options.ts';
import { startRun } from '../run/start-run.ts';
import type { BackendPlace } from '../select-backend.ts';
import type { Terminal } from '../context.ts';

function digits(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : 'none';
}

function describeFirst({ method, cycle, column, expected, found }: RowDifference): string {
  const place = `cycle ${cycle}, ${method}${column === undefined ? '' : `, ${column}`}`;
  return `The rows differ first in ${place}: expected ${expected ?? 'none'}, found ${found ?? 'none'}.`;
}

const SIGNS = { passed: '✓', failed: '✗', open: '?' } as const;

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function describeStatistic({ method, column, from, to, mean, tolerance, found, verdict }: StatisticComparison): string {
  const sign = SIGNS[verdict];
  if (column === 'cycles') return `${sign} ${method}: completed ${found} cycles, expected ${mean} of ${to}`;
  const cycles = to - from === 1 ? `cycle ${from}` : `mean of cycles ${from} to ${to - 1}`;
  const within = Number.isFinite(tolerance) ? `within ${percent(tolerance)}` : 'within any tolerance';
  return `${sign} ${method}, ${column}, ${cycles}: ${digits(found)}, expected ${digits(mean)} ${within}`;
}

function describeVerdict({ reproduced, by, decided, rows, statistics }: Reproduction): string {
  if (by === 'bits' && reproduced) return `✓ reproduced bit for bit: all numbers of ${rows} rows are the same.`;
  if (by === 'bits') return '✗ not reproduced: backend, adapter and versions are the same, and the numbers are not.';
  const agree = `${statistics.filter(({ verdict }) => verdict === 'passed').length} of ${statistics.length} means agree`;
  if (reproduced) return `✓ reproduced within its statistics: ${agree}.`;
  if (decided) return `✗ not reproduced: ${agree}.`;
  return `? not enough cycles to compare by statistics: ${agree}; the others differ too much from run to run. Use the backend, adapter and versions of the bundle, or a run of more cycles.`;
}

/** How many cycles of its scenario a bundle has. */
interface Completed {
  readonly completed: number;
  readonly of: number;
}

/** @param all every statistic; otherwise only those that did not pass */
export function describeReproduction(found: Reproduction, { completed, of }: Completed, all: boolean): string[] {
  const { reproduced, by, otherwise, notCompared, first, statistics } = found;
  const lines = [describeVerdict(found)];
  if (completed < of) lines.push(`The bundle has ${completed} of the ${of} cycles of its scenario.`);
  if (notCompared.length > 0) lines.push(`Not compared, this version has no such columns: ${notCompared.join(', ')}.`);
  if (by === 'statistics') lines.push(`The last bits may differ here: ${otherwise.join('; ')}.`);
  if (first && !(by === 'bits' && reproduced)) lines.push(describeFirst(first));
  return [...lines, ...statistics.filter(({ verdict }) => all || verdict !== 'passed').map(describeStatistic)];
}

export interface BundleRun {
  /** Undefined where it was stopped. */
  readonly rows: readonly CycleDiagnostics[] | undefined;
  /** Where it began. */
  readonly start: Checkpoint;
}

/** @param checkpoint to begin with; the scenario's own beginning if omitted */
export async function runBundle(
  terminal: Terminal,
  place: BackendPlace,
  backend: Backend,
  { record, parsed: { scenario }, files }: Bundle,
  source: string,
  checkpoint?: Checkpoint,
): Promise<BundleRun> {
  const rows: CycleDiagnostics[] = [];
  const progress = createProgress(terminal);
  const event = (each: RunEvent): void => {
    if (each.type === 'ready' || each.type === 'states' || each.type === 'failed') return;
    progress.listen(each);
    if (each.type === 'warning') terminal.note(`warning: ${each.message}`);
    if (each.type === 'diverged') terminal.note(each.message);
    if (each.type === 'diagnostics') rows.push(each.diagnostics);
  };
  const methods = selectMethods(scenario, record.selected);
  const job = { scenario, files, source, methods, checkpoint, misfit: 'refuse' } as const;
  const run = startRun(place, backend, job, { observers: [{ event }] });
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    run.stop();
  });
  try {
    await run.ready;
    const start = await run.ask({ kind: 'checkpoint' });
    try {
      const outcome = await Promise.race([run.play(record.completedCycles), interruption.outOfPatience]);
      const stopped = outcome === 'out-of-patience' || interruption.requested;
      return { rows: stopped ? undefined : rows, start };
    } catch (error) {
      // Its rows end where those of the bundle end, or differ there.
      if (error instanceof DivergenceError || error instanceof AllDivergedError) return { rows, start };
      throw error;
    }
  } finally {
    progress.end();
    interruption.dispose();
    run.dispose();
  }
}
