/** `shoal reproduce`: runs a bundle, or a run folder, again and compares the numbers. */
import {
  cyclesOf,
  judgeReproduction,
  wrongByARounding,
  AllDivergedError,
  DivergenceError,
  type BackendChoice,
  type Backend,
  type Bundle,
  type Checkpoint,
  type CycleDiagnostics,
  type RunEvent,
  type Reproduction,
  type RowDifference,
  type StatisticComparison,
} from '../../../engine/index.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode, type Terminal } from '../context.ts';
import { readSource } from '../run/folder.ts';
import { checkRequirements, describeRequirements, selectMethods } from '../run/options.ts';
import { openBackend, type BackendPlace } from '../open-backend.ts';
import { decideBackend } from '../select-backend.ts';
import { versionsOf } from '../installation.ts';
import { listenForInterruption, createProgress } from '../run/progress.ts';
import { startRun } from '../run/start-run.ts';

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

interface BundleRun {
  /** Undefined where it was stopped. */
  readonly rows: readonly CycleDiagnostics[] | undefined;
  /** Where it began. */
  readonly start: Checkpoint;
}

/** @param checkpoint to begin with; the scenario's own beginning if omitted */
async function runBundle(
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

export interface ReproduceOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
  readonly allowLong?: boolean;
}

/** @throws UsageError, ScenarioError, BackendError, LimitError */
export default async function reproduce(
  context: Context,
  [given]: readonly string[],
  { backend: asked, threads, allowLong = false, verbose = false }: ReproduceOptions,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  const bundle = await readSource(given);
  const { record, parsed } = bundle;
  const { scenario } = parsed;
  for (const note of parsed.notes) terminal.note(`${given}: ${note}`);
  const backing = await decideBackend(asked === 'auto' ? record.backend.name : asked, context);
  if (backing.kind === 'done') return backing.exitCode;
  const { bundleFolder } = installation;
  // What it is says this one; a backend of the processor computes in a thread of its own.
  const backend = await openBackend(backing.name, { bundleFolder, threads: 1 });
  try {
    const methods = selectMethods(scenario, record.selected);
    checkRequirements(scenario, backend, methods, allowLong);
    terminal.note(describeRequirements(scenario, backend, methods));
    const place = { bundleFolder, threads };
    const { rows, start } = await runBundle(terminal, place, backend, bundle, given);
    if (!rows) return EXIT.interrupted;
    const { name, adapter } = backend;
    const here = { backend: { name, adapter }, versions: versionsOf(installation) };
    const found = await judgeReproduction(bundle, rows, here, async (draw) => {
      terminal.note(
        draw === 1
          ? 'other bits: the run is made again from states that are wrong by one rounding, which shows how far that grows'
          : `roundings change the means: run ${draw + 1}, which shows by how much`,
      );
      return (await runBundle(terminal, place, backend, bundle, given, wrongByARounding(start, draw))).rows;
    });
    if (!found) return EXIT.interrupted;
    for (const line of describeReproduction(
      found,
      { completed: record.completedCycles, of: cyclesOf(scenario) },
      verbose,
    ))
      terminal.print(line);
    terminal.printJson({
      source: given,
      scenario: scenario.name,
      seed: record.seed,
      backend: { name, adapter },
      ...found,
    });
    return found.reproduced ? EXIT.done : EXIT.failed;
  } finally {
    backend.dispose();
  }
}
