/** `shoal sweep`: one scenario over values of its settings and over seeds, by worker processes, into one folder. */
import { join } from 'node:path';
import { groupCases, nameOf, planSweep, sweepRows } from '../../../engine/index.ts';
import type { BackendName, NumbersOrigin, SweepPlan } from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, UsageError } from '../context.ts';
import { decideBackend } from '../select-backend.ts';
import {
  executeSweep,
  gather,
  exitCodeOf,
  sayHowToContinue,
  warnOfFailures,
  type SweepEnding,
  withPlanProgress,
  formatSweepTable,
} from '../sweep/execute.ts';
import { CASES_FOLDER, storedHashes } from '../sweep/case-folders.ts';
import { casesOfChunk, groupsOf, loadSweep, type Chunk, type SweepOptions } from '../sweep/definition-source.ts';
import { estimateSweep, describeEstimate, groupLimits, originOf, workersOf } from '../sweep/pool.ts';
import { claimSweepFolder, storedBackend, type PlannedSweep, type SweepFolder } from '../sweep/folder.ts';
import { versionsOf } from '../installation.ts';

/** @returns indices of the cases that are asked for. @throws UsageError */
function casesOf(plan: SweepPlan, chunk: Chunk | undefined): readonly number[] {
  return chunk ? casesOfChunk(groupsOf(plan), chunk) : [...Array(plan.count).keys()];
}

/** A name is any text; a folder's is not. */
function usualFolder(name: string): string {
  return join('sweeps', name.replaceAll(/[^\w-]+/g, '-'));
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

/** @throws UsageError for options of Slurm without it */
function assertNoSlurm({ slurmOption, chunkSize, atOnce }: SweepOptions): void {
  const given = { '--slurm-option': slurmOption, '--chunk-size': chunkSize, '--at-once': atOnce };
  const first = Object.entries(given).find(([, value]) => value !== undefined);
  if (first) throw new UsageError(`${first[0]} belongs to --slurm, which was not given`);
}

/** @throws ScenarioError, UsageError, BackendError, SlurmError, WriteError */
async function sweep(context: Context, file: string, options: SweepOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  const loaded = await loadSweep(installation, file);
  const { chunk, resume = false, retry = false, out = usualFolder(nameOf(loaded.sweep)) } = options;
  if (out === '') throw new UsageError('--out: the folder’s name is empty');
  if (options.slurm) {
    const { sweepOnSlurm } = await import('../slurm/sweep-on-slurm.ts');
    const { slurm: _, slurmOption: _option, chunkSize: _size, atOnce: _most, retry: _retry, ...local } = options;
    const collect = (backend: BackendName): Promise<ExitCode> =>
      sweep(context, file, { ...local, out, backend, collect: true });
    return sweepOnSlurm(context, loaded, { ...options, out }, collect);
  }
  assertNoSlurm(options);
  const stored = options.collect ? await storedBackend(out) : undefined;
  if (options.collect && !stored) throw new UsageError(`--collect: ${out} holds no sweep`);
  let origin: NumbersOrigin;
  if (stored) origin = { backend: stored, versions: versionsOf(installation) };
  else {
    const backing = await decideBackend(options.backend, context);
    if (backing.kind === 'done') return backing.exitCode;
    origin = await originOf(context, backing.name);
  }
  const plan = await withPlanProgress(terminal, (onProgress) =>
    planSweep(loaded.sweep, loaded.base, origin, onProgress),
  );
  const planned: PlannedSweep = { ...loaded, plan };
  const wanted = casesOf(plan, chunk);
  const workers = workersOf(options.workers, plan);
  if (options.dryRun) return tellPlan(context, planned, out, workers);
  if (!options.collect) terminal.note(describeEstimate(plan, estimateSweep(plan, workers), workers));
  const folder = await claimSweepFolder(planned, { out, resume, shared: chunk !== undefined });
  try {
    if (options.collect) {
      const tally = await gather(terminal, plan, folder, wanted);
      const ending: SweepEnding = { state: 'complete', tally, results: await folder.write(tally.of) };
      report(context, folder, plan, ending);
      warnOfFailures(context, plan, tally, wanted);
      return exitCodeOf('complete', tally);
    }
    const ending = await executeSweep(terminal, plan, folder, {
      wanted,
      group: (todo) => groupCases(plan, todo, groupLimits(todo.length, workers)),
      workers,
      start: {
        backend: origin.backend.name,
        threads: workers > 1 || chunk ? 1 : undefined,
        bundleFolder: installation.bundleFolder,
        source: loaded.base.file,
      },
      retry,
      tables: chunk === undefined,
    });
    report(context, folder, plan, ending);
    warnOfFailures(context, plan, ending.tally, wanted);
    if (ending.state === 'stopped') sayHowToContinue(context, ending.tally, wanted.length, folder.path);
    // A task has done its work where every case has come to its end; what came of them is in the tables.
    if (chunk && ending.state === 'complete') return EXIT.done;
    return exitCodeOf(ending.state, ending.tally);
  } finally {
    await folder.release();
  }
}

export default (context: Context, [file]: readonly string[], options: SweepOptions): Promise<ExitCode> =>
  sweep(context, file, options);
