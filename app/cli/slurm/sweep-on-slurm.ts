/** `shoal sweep --slurm`: the same plan, folder and numbers as on one machine, by tasks of a cluster. */
import { join, resolve } from 'node:path';
import { extentOf, planSweep } from '../../../engine/index.ts';
import type { BackendChoice, BackendName, SweepPlan } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import type { SweepOptions } from '../commands/sweep.ts';
import { EXIT } from '../context.ts';
import type { Context, ExitCode } from '../context.ts';
import { SlurmError, UsageError } from '../failure.ts';
import { lockFolder } from '../run/folder-lock.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { shellWords } from '../shell-words.ts';
import { CASES_FOLDER, storedHashes } from '../sweep/case-folders.ts';
import { casesOfChunk, groupsOf } from '../sweep/chunk.ts';
import type { LoadedSweep } from '../sweep/definition-source.ts';
import { SLURM_FOLDER, claimSweepFolder, holdsSweep, storedBackend } from '../sweep/folder.ts';
import { versionsOf } from '../versions.ts';
import { carryOutOnSlurm, describeRequest, forgetJobs, hasJobs } from './carry-out.ts';
import type { ChunkedSweep, SlurmEnding } from './carry-out.ts';
import { createSlurm } from './client.ts';
import type { Slurm } from './client.ts';
import { jobScript } from './job-script.ts';
import { parseSlurmOptions } from './options.ts';
import type { SlurmOptions } from './options.ts';
import { createSlurmProgress } from './progress.ts';
import { USUAL_CPUS, requestTask, taskSeconds, workersOf } from './request.ts';
import type { Workload } from './request.ts';
import type { Pace } from './watch.ts';

/** Tasks of an array: as many as Slurm takes where nobody has changed it. */
const MOST_CHUNKS = 1000;
/** A task that is over sooner costs a cluster more than it is worth; one that lasts longer leaves others without work. */
const CHUNK_SECONDS = 300;
/** Within this time a second Ctrl-C cancels the jobs, milliseconds. */
const CANCEL_MILLISECONDS = 5000;

/** Options of the command, with the folder. */
export type SlurmSweepOptions = SweepOptions & { readonly out: string };

/** The machine that this command runs on says nothing of those that will compute. */
function backendOf(choice: BackendChoice, { gres }: SlurmOptions): BackendName {
  if (choice !== 'auto') return choice;
  return gres?.startsWith('gpu') ? 'webgpu' : 'wasm';
}

/** @throws UsageError for options that have no meaning here */
function assertOptions({ chunk, collect, workers }: SweepOptions): void {
  if (chunk) throw new UsageError('--chunk: not with --slurm, which divides the sweep; --chunk-size says how finely');
  if (collect) throw new UsageError('--collect: not with --slurm, which collects at its end; give it by itself');
  if (workers !== undefined) {
    throw new UsageError('--workers: not with --slurm; --slurm-option cpus-per-task=N says how many a task has');
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** How a plan is divided, and what its tasks have to do. */
export interface Division {
  readonly chunkCount: number;
  readonly workload: Workload;
}

/**
 * @param chunkSize cases of a task, about: groups of cases stay together
 * @throws UsageError where there would be more tasks than Slurm takes
 */
export function divide(plan: SweepPlan, cpus: number, chunkSize: number | undefined): Division {
  const groups = groupsOf(plan);
  const secondsOf = (index: number): number => plan.seconds[Math.floor(index / plan.seeds.length)];
  const caseSeconds = plan.seconds.reduce((most, seconds) => Math.max(most, seconds), 0);
  const workloadOf = (chunkSeconds: number): Workload => ({ chunkSeconds, caseSeconds, caseBytes: plan.bytes });
  const all = workloadOf(sum(groups.flat().map(secondsOf)));
  const wished =
    chunkSize === undefined
      ? Math.min(MOST_CHUNKS, Math.ceil(taskSeconds(all, plan.origin.backend.name, cpus) / CHUNK_SECONDS))
      : Math.ceil(plan.count / chunkSize);
  if (wished > MOST_CHUNKS) {
    throw new UsageError(
      `--chunk-size ${chunkSize}: makes ${wished} tasks of ${plan.count} cases, allowed are ${MOST_CHUNKS}: ` +
        `--chunk-size ${Math.ceil(plan.count / MOST_CHUNKS)} or more`,
    );
  }
  const chunkCount = Math.max(1, Math.min(groups.length, wished));
  let longest = 0;
  for (let part = 1; part <= chunkCount; part++) {
    longest = Math.max(longest, sum(casesOfChunk(groups, { part, of: chunkCount }).map(secondsOf)));
  }
  return { chunkCount, workload: workloadOf(longest) };
}

/** @returns what the chunks of a plan depend on, wherever it is computed */
async function fingerprint({ sweep, base }: LoadedSweep, { files }: SweepPlan): Promise<string> {
  const { measures: _measures, name: _name, ...definition } = sweep.definition;
  return (await extentOf(new TextEncoder().encode(JSON.stringify([definition, base.raw, files])))).sha256;
}

/** A plan, its place, and its division into tasks. */
interface Prepared {
  readonly plan: SweepPlan;
  readonly chunked: ChunkedSweep;
}

/** @throws ScenarioError, UsageError */
async function prepare({ installation }: Context, loaded: LoadedSweep, options: SlurmSweepOptions): Promise<Prepared> {
  assertOptions(options);
  const { out, retry = false } = options;
  const asked = parseSlurmOptions(options.slurmOption ?? []);
  const name = backendOf(options.backend, asked);
  const stored = await storedBackend(out);
  // Before the first task has begun, nobody knows what the nodes have.
  const backend = stored?.name === name ? stored : { name, adapter: '' };
  const plan = await planSweep(loaded.sweep, loaded.base, { backend, versions: versionsOf(installation) });
  const cpus = asked.cpus ?? USUAL_CPUS;
  const { chunkCount, workload } = divide(plan, cpus, options.chunkSize);
  const folder = resolve(out);
  const file = resolve(loaded.sweep.file);
  return {
    plan,
    chunked: {
      name: plan.name,
      folder,
      plan: await fingerprint(loaded, plan),
      retry,
      chunkCount,
      atOnce: options.atOnce,
      request: requestTask(workload, name, asked),
      others: asked.others,
      command: [
        ...[process.execPath, installation.launcher, 'sweep', file, '--out', folder, '--backend', name],
        ...['--workers', String(workersOf(name, cpus)), '--quiet'],
      ],
    },
  };
}

function resumeCommand({ argv }: Context): string {
  return `npm run shoal -- ${shellWords([...argv.filter((word) => word !== '--resume'), '--resume'])}`;
}

function countJobs(jobs: readonly string[]): string {
  return `${jobs.length === 1 ? 'job' : 'jobs'} ${jobs.join(' ')}`;
}

/** Says what becomes of jobs that are not watched any more, and cancels them where that is insisted on. */
async function leave(context: Context, slurm: Slurm, { jobs }: SlurmEnding, cancels: boolean): Promise<void> {
  const { terminal } = context;
  if (cancels) await slurm.cancel(jobs);
  const what = cancels ? 'was cancelled; what is missing is submitted again with' : 'goes on; it is watched again with';
  terminal.warn(
    `${countJobs(jobs)} ${jobs.length === 1 ? what : what.replace('was ', 'were ').replace('goes', 'go').replace('it is', 'they are')}:`,
  );
  terminal.warn(`  ${resumeCommand(context)}`);
}

/** Checks that the folder is this sweep's, or free. @throws UsageError, ScenarioError */
async function checkFolder(
  loaded: LoadedSweep,
  plan: SweepPlan,
  { out, resume = false }: SlurmSweepOptions,
): Promise<void> {
  if (await holdsSweep(out, false)) {
    // Tasks write into it beside each other.
    await (await claimSweepFolder({ ...loaded, plan }, { out, resume: false, shared: true })).release();
  } else if (resume && !(await hasJobs(resolve(out)))) {
    throw new UsageError(`${out}: nothing to resume, no jobs of a sweep were submitted there`);
  }
}

/** How a command reaches what it works with; other in a test. */
export interface SlurmSurroundings {
  readonly slurm?: Slurm;
  readonly pace?: Pace;
}

/**
 * @param collect writes the tables of the cases that are there, which a backend has computed
 * @throws ScenarioError, UsageError, WriteError, SlurmError
 */
export async function sweepOnSlurm(
  context: Context,
  loaded: LoadedSweep,
  options: SlurmSweepOptions,
  collect: (backend: BackendName) => Promise<ExitCode>,
  { slurm = createSlurm(), pace }: SlurmSurroundings = {},
): Promise<ExitCode> {
  const { terminal } = context;
  const { plan, chunked } = await prepare(context, loaded, options);
  const { chunkCount, request } = chunked;
  const slurmFolder = join(chunked.folder, SLURM_FOLDER);
  terminal.note(
    `${plan.name}: ${plan.count} cases in ${chunkCount} ${chunkCount === 1 ? 'task' : 'tasks'}, ${describeRequest(request)}`,
  );
  if (options.dryRun) {
    const chunks = Array.from({ length: chunkCount }, (_, index) => index + 1);
    const script = jobScript({ ...chunked, logFolder: slurmFolder, chunks });
    terminal.print(script.trimEnd());
    terminal.printJson({
      sweep: plan.name,
      folder: options.out,
      cases: plan.count,
      tasks: chunkCount,
      request,
      script,
    });
    return EXIT.done;
  }
  await checkFolder(loaded, plan, options);
  await disk.makeFolder(slurmFolder);
  const lock = await lockFolder(slurmFolder);
  const progress = createSlurmProgress(terminal, join(chunked.folder, CASES_FOLDER), plan.count);
  const watching = new AbortController();
  const interruption = listenForInterruption(() => {
    progress.clear();
    terminal.warn(`leaving; Ctrl-C again within ${CANCEL_MILLISECONDS / 1000} s cancels what was submitted`);
    watching.abort();
  }, CANCEL_MILLISECONDS);
  let ending: SlurmEnding;
  try {
    const { resume = false } = options;
    const { signal } = watching;
    ending = await carryOutOnSlurm(terminal, slurm, chunked, { resume, signal, progress, ...(pace && { pace }) });
    progress.clear();
    if (ending.state === 'left') {
      await interruption.outOfPatience;
      await leave(context, slurm, ending, interruption.insisted);
    }
  } catch (error) {
    progress.clear();
    if (error instanceof SlurmError && (await hasJobs(chunked.folder))) {
      terminal.warn('what was submitted goes on; it is watched again with:');
      terminal.warn(`  ${resumeCommand(context)}`);
    }
    throw error;
  } finally {
    interruption.dispose();
    await lock.release();
  }
  return finish(context, chunked, plan, ending, collect);
}

/** Collects what there is, and says what is missing. */
async function finish(
  context: Context,
  { folder }: ChunkedSweep,
  plan: SweepPlan,
  { state }: SlurmEnding,
  collect: (backend: BackendName) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal } = context;
  if (state === 'left') return EXIT.interrupted;
  const backend = await storedBackend(folder);
  const code = backend ? await collect(backend.name) : EXIT.failed;
  const missing = plan.count - (await storedHashes(join(folder, CASES_FOLDER))).size;
  if (missing <= 0) return code;
  // Some tasks may have ended well without them, as where their folders were removed: all are asked again.
  if (state === 'complete') await forgetJobs(folder);
  terminal.warn(`${missing} of ${plan.count} cases are missing; they are submitted again with:`);
  terminal.warn(`  ${resumeCommand(context)}`);
  return state === 'cancelled' ? EXIT.interrupted : EXIT.failed;
}
