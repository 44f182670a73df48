/** `shoal sweep --slurm`: the same plan, folder and numbers as on one machine, by tasks of a cluster. */
import { join, resolve } from 'node:path';
import { extentOf, planSweep, type BackendChoice, type BackendName, type SweepPlan } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import { EXIT, type Context, type ExitCode, type Terminal, SlurmError, UsageError } from '../context.ts';
import { lockFolder } from '../run/folder-lock.ts';
import { listenForInterruption, createBar } from '../run/progress.ts';
import { CASES_FOLDER, storedHashes } from '../sweep/case-folders.ts';
import type { SweepOptions, LoadedSweep } from '../sweep/definition-source.ts';
import { resumeCommand, SLURM_FOLDER, claimSweepFolder, holdsSweep, storedBackend } from '../sweep/folder.ts';
import { versionsOf } from '../installation.ts';
import { executeOnSlurm, describeRequest, forgetJobs, hasJobs } from './execute.ts';
import type { ChunkedSweep, SlurmEnding, SlurmProgress } from './execute.ts';
import { createSlurm, type Slurm, type TaskStates } from './client.ts';
import { divide, parseSlurmOptions, USUAL_CPUS, requestTask, workersOf, jobScript } from './request.ts';
import type { SlurmOptions } from './request.ts';

/** @returns `3 running, 12 waiting (Resources)` */
function describeTasks(states: TaskStates): string {
  const all = [...states.values()];
  const waiting = all.filter((state) => state.kind === 'waiting');
  const running = all.filter(({ kind }) => kind === 'running').length;
  const reason = waiting.find((state) => state.reason !== '' && state.reason !== 'None')?.reason;
  const queued = waiting.length === 0 ? '' : `, ${waiting.length} waiting${reason === undefined ? '' : ` (${reason})`}`;
  return `${running} running${queued}`;
}

/** @param cases the folder of the sweep's cases. @param total cases of the sweep */
function createSlurmProgress(terminal: Terminal, cases: string, total: number): SlurmProgress {
  const bar = createBar(
    terminal,
    '{bar} {percentage} % | {value} of {total} cases | tasks: {tasks} | ETA {eta_formatted}',
  );
  return {
    async show(states) {
      if (!terminal.showsProgress) return;
      const done = (await storedHashes(cases)).size;
      if (!bar.isActive) bar.start(total, done, { tasks: '' });
      bar.update(Math.min(total, done), { tasks: describeTasks(states) });
    },
    clear: () => bar.stop(),
  };
}

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
        process.execPath,
        installation.launcher,
        'sweep',
        resolve(loaded.sweep.file),
        '--out',
        folder,
        '--backend',
        name,
        '--workers',
        String(workersOf(name, cpus)),
        '--quiet',
      ],
    },
  };
}

/** Says what becomes of jobs that are not watched any more, and cancels them where that is insisted on. */
async function leave(terminal: Terminal, slurm: Slurm, { jobs }: SlurmEnding, cancels: boolean): Promise<void> {
  const several = jobs.length > 1;
  const named = `${several ? 'jobs' : 'job'} ${jobs.join(' ')}`;
  if (cancels) {
    await slurm.cancel(jobs);
    terminal.warn(`${named} ${several ? 'were' : 'was'} cancelled; submit what is missing with:`);
  } else terminal.warn(`${named} ${several ? 'go' : 'goes'} on; watch with:`);
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

/** Prints the script that would be submitted. */
function tellScript(terminal: Terminal, { plan, chunked }: Prepared, out: string): void {
  const { chunkCount, folder, request } = chunked;
  const chunks = Array.from({ length: chunkCount }, (_, index) => index + 1);
  const script = jobScript({ ...chunked, logFolder: join(folder, SLURM_FOLDER), chunks });
  terminal.print(script.trimEnd());
  terminal.printJson({ sweep: plan.name, folder: out, cases: plan.count, tasks: chunkCount, request, script });
}

/** Submits and watches until all is done, or somebody ends it; then says what continues. @throws as sweepOnSlurm */
async function execute(
  terminal: Terminal,
  { plan, chunked }: Prepared,
  resumes: boolean,
  resume: string,
): Promise<SlurmEnding> {
  const slurm = createSlurm();
  const progress = createSlurmProgress(terminal, join(chunked.folder, CASES_FOLDER), plan.count);
  const watching = new AbortController();
  const interruption = listenForInterruption(() => {
    progress.clear();
    terminal.warn(`leaving; Ctrl-C again within ${CANCEL_MILLISECONDS / 1000} s cancels what was submitted`);
    watching.abort();
  }, CANCEL_MILLISECONDS);
  try {
    const { signal } = watching;
    const ending = await executeOnSlurm(terminal, slurm, chunked, { resume: resumes, signal, progress });
    progress.clear();
    if (ending.state !== 'left') return ending;
    await interruption.outOfPatience;
    await leave(terminal, slurm, ending, interruption.insisted);
    terminal.warn(resume);
    return ending;
  } catch (error) {
    progress.clear();
    if (error instanceof SlurmError && (await hasJobs(chunked.folder))) {
      terminal.warn('what was submitted continues; watch with:');
      terminal.warn(resume);
    }
    throw error;
  } finally {
    interruption.dispose();
  }
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
): Promise<ExitCode> {
  const { terminal } = context;
  const prepared = await prepare(context, loaded, options);
  const { plan, chunked } = prepared;
  const { chunkCount, folder, request } = chunked;
  const tasks = `${chunkCount} ${chunkCount === 1 ? 'task' : 'tasks'}`;
  terminal.note(`${plan.name}: ${plan.count} cases in ${tasks}, ${describeRequest(request)}`);
  if (options.dryRun) {
    tellScript(terminal, prepared, options.out);
    return EXIT.done;
  }
  await checkFolder(loaded, plan, options);
  await disk.makeFolder(join(folder, SLURM_FOLDER));
  const lock = await lockFolder(join(folder, SLURM_FOLDER));
  const resume = `  ${resumeCommand(context, options.out)}`;
  try {
    const { state } = await execute(terminal, prepared, options.resume ?? false, resume);
    if (state === 'left') return EXIT.interrupted;
    const backend = await storedBackend(folder);
    const code = backend ? await collect(backend.name) : EXIT.failed;
    const missing = plan.count - (await storedHashes(join(folder, CASES_FOLDER))).size;
    if (missing <= 0) return code;
    // Tasks may have ended well and lost their cases since: every chunk is asked again.
    if (state === 'complete') await forgetJobs(folder);
    terminal.warn(`${missing} of ${plan.count} cases are missing; submit them with:`);
    terminal.warn(resume);
    return state === 'cancelled' ? EXIT.interrupted : EXIT.failed;
  } finally {
    await lock.release();
  }
}
