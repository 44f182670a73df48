/** `shoal sweep`: one scenario over values of its settings and over seeds, by worker processes, into one folder. */
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { groupCases, planSweep, sweepRows } from '../../../engine/index.ts';
import type { BackendChoice, BackendName, NumbersOrigin, SweepPlan } from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { CommonOptions, Context, ExitCode } from '../context.ts';
import { UsageError } from '../failure.ts';
import { decideBackend, openBackend } from '../select-backend.ts';
import { carryOutSweep, gather } from '../sweep/carry-out.ts';
import type { SweepEnding } from '../sweep/carry-out.ts';
import { CASES_FOLDER, storedHashes } from '../sweep/case-folders.ts';
import { loadSweep } from '../sweep/definition-source.ts';
import { estimateSweep, describeEstimate } from '../sweep/estimate.ts';
import { claimSweepFolder } from '../sweep/folder.ts';
import type { PlannedSweep, SweepFolder } from '../sweep/folder.ts';
import { formatSweepTable } from '../sweep/table.ts';
import type { Tally } from '../sweep/tally.ts';
import { shellWords } from '../shell-words.ts';
import { versionsOf } from '../versions.ts';

export interface SweepOptions extends CommonOptions {
  readonly backend: BackendChoice;
  readonly out?: string;
  /** Processes; as many as the machine has cores where left out. */
  readonly workers?: number;
  readonly resume?: boolean;
  /** Runs failed cases again. */
  readonly retry?: boolean;
  readonly dryRun?: boolean;
  /** The I-th of N parts of the plan. */
  readonly chunk?: Chunk;
  /** Writes the tables from the cases that are there. */
  readonly collect?: boolean;
}

export interface Chunk {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** Share of the machine's memory that the experiments of all workers may hold together. */
const MEMORY_SHARE = 0.6;
/** Groups for each worker, at least, where there are cases enough: the last ones should not wait for one. */
const GROUPS_A_WORKER = 3;

/** Where the cases will be computed, by the backend itself. @throws BackendError */
export async function originOf({ installation }: Context, name: BackendName): Promise<NumbersOrigin> {
  const backend = await openBackend(name, { bundleFolder: installation.bundleFolder, threads: 1 });
  const { adapter } = backend;
  backend.dispose();
  return { backend: { name, adapter }, versions: versionsOf(installation) };
}

/** @returns indices of the cases of a part: whole groups, the same whichever process asks. @throws UsageError */
function casesOf(plan: SweepPlan, chunk: Chunk | undefined): readonly number[] {
  const all = Array.from({ length: plan.count }, (_, index) => index);
  if (!chunk) return all;
  const { part, of } = chunk;
  if (part > of) throw new UsageError(`--chunk ${part}/${of}: allowed are parts from 1 to ${of}`);
  const groups = groupCases(plan, all);
  const first = Math.floor(((part - 1) * groups.length) / of);
  const last = Math.floor((part * groups.length) / of);
  return groups
    .slice(first, last)
    .flat()
    .sort((a, b) => a - b);
}

/**
 * @param asked for; undefined where nobody says
 * @param bytes of the largest case
 * @returns processes: one for each core, as far as there is memory for the largest case in each of them
 */
export function workersOf(asked: number | undefined, { origin, bytes }: Pick<SweepPlan, 'origin' | 'bytes'>): number {
  if (asked !== undefined) return asked;
  // A device is one, however many ask it.
  if (origin.backend.name === 'webgpu') return 1;
  const room = Math.floor((MEMORY_SHARE * totalmem()) / bytes);
  return Math.max(1, Math.min(availableParallelism(), room));
}

/** A name is any text; a folder's is not. */
function usualFolder(name: string): string {
  return join('sweeps', name.replaceAll(/[^\w-]+/g, '-'));
}

/** Whether the command that continues has a word of its own in place of one. */
function isReplaced(word: string, before: string | undefined): boolean {
  return word === '--resume' || word === '--out' || before === '--out' || word.startsWith('--out=');
}

/** The command that continues a sweep, to be copied from the terminal. */
function resumeCommand({ argv }: Context, folder: string): string {
  const kept = argv.filter((word, index) => !isReplaced(word, argv[index - 1]));
  return `npm run shoal -- ${shellWords([...kept, '--resume', '--out', folder])}`;
}

function report({ terminal }: Context, folder: SweepFolder, plan: SweepPlan, ending: SweepEnding): void {
  const { tally, results, state } = ending;
  const rows = results ? sweepRows(results) : [];
  if (results) terminal.print(formatSweepTable(results, rows));
  terminal.print(`sweep folder: ${folder.path}`);
  const { done, failed, divergedShare } = tally;
  terminal.printJson({
    sweep: plan.name,
    folder: folder.path,
    state,
    cases: plan.count,
    done,
    failed,
    divergedShare,
    backend: plan.origin.backend,
    axes: plan.axes.map(({ path }) => path),
    measure: plan.measures[0].name,
    rows,
  });
}

function exitCodeOf(state: SweepEnding['state'], { failed }: Tally): ExitCode {
  if (state === 'stopped') return EXIT.interrupted;
  return failed > 0 ? EXIT.failed : EXIT.done;
}

/** Tells what failed, once for each reason. */
function tellFailures({ terminal }: Context, plan: SweepPlan, tally: Tally, wanted: readonly number[]): void {
  const counts = new Map<string, number>();
  for (const index of wanted) {
    const kept = tally.of(plan.hashes[index]);
    if (kept?.state === 'failed') counts.set(kept.reason ?? '', (counts.get(kept.reason ?? '') ?? 0) + 1);
  }
  for (const [reason, count] of counts) {
    terminal.warn(`shoal: ${count} ${count === 1 ? 'case' : 'cases'} failed: ${reason}`);
  }
}

async function tellPlan(
  { terminal }: Context,
  { plan }: PlannedSweep,
  out: string,
  workers: number,
): Promise<ExitCode> {
  const stored = await storedHashes(join(out, CASES_FOLDER));
  const done = plan.hashes.filter((hash) => stored.has(hash)).length;
  const estimate = estimateSweep(plan, workers);
  terminal.print(describeEstimate(plan, estimate, workers));
  if (done > 0) terminal.print(`${out}: ${done} of ${plan.count} cases are done already`);
  terminal.printJson({ sweep: plan.name, folder: out, cases: plan.count, done, workers, ...estimate });
  return EXIT.done;
}

/** @throws ScenarioError, UsageError, BackendError, WriteError */
export async function sweep(context: Context, file: string, options: SweepOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  const loaded = await loadSweep(installation.root, file);
  const backing = await decideBackend(options.backend, context);
  if (backing.kind === 'done') return backing.exitCode as ExitCode;
  const origin = await originOf(context, backing.name);
  const planned: PlannedSweep = { ...loaded, plan: await planSweep(loaded.sweep, loaded.base, origin) };
  const { plan } = planned;
  const { chunk, resume = false, retry = false, out = usualFolder(plan.name) } = options;
  if (out === '') throw new UsageError('--out: the folder’s name is empty');
  const wanted = casesOf(plan, chunk);
  const workers = workersOf(options.workers, plan);
  if (options.dryRun) return tellPlan(context, planned, out, workers);
  terminal.note(describeEstimate(plan, estimateSweep(plan, workers), workers));
  const folder = await claimSweepFolder(planned, { out, resume, shared: chunk !== undefined });
  try {
    if (options.collect) {
      const tally = await gather(plan, folder, wanted);
      const ending: SweepEnding = { state: 'complete', tally, results: await folder.write(tally.of) };
      report(context, folder, plan, ending);
      return exitCodeOf('complete', tally);
    }
    const bytes = (MEMORY_SHARE * totalmem()) / workers;
    const ending = await carryOutSweep(terminal, plan, folder, {
      wanted,
      group: (todo) =>
        groupCases(plan, todo, { most: Math.max(1, Math.floor(todo.length / (GROUPS_A_WORKER * workers))), bytes }),
      workers,
      start: {
        backend: origin.backend.name,
        threads: workers > 1 ? 1 : undefined,
        bundleFolder: installation.bundleFolder,
        source: loaded.base.file,
      },
      retry,
      tables: chunk === undefined,
    });
    report(context, folder, plan, ending);
    tellFailures(context, plan, ending.tally, wanted);
    if (ending.state === 'stopped') {
      terminal.warn(`stopped after ${ending.tally.done} of ${wanted.length} cases; continue with:`);
      terminal.warn(`  ${resumeCommand(context, folder.path)}`);
    }
    return exitCodeOf(ending.state, ending.tally);
  } finally {
    await folder.release();
  }
}

export default (context: Context, [file]: readonly string[], options: SweepOptions): Promise<ExitCode> =>
  sweep(context, file, options);
