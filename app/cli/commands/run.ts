/** `shoal run`: one twin experiment with all its methods, one table, one run folder. */
import { basename, dirname, join } from 'node:path';
import {
  SCENARIO_FILES_FOLDER,
  ScenarioError,
  comparedVariables,
  createRunFolder,
  describeProblem,
  estimateEffort,
  estimateSeconds,
  extentOf,
  filesNamedBy,
  judgeVersions,
  readScenarioCopies,
} from '../../../engine/index.ts';
import type {
  Backend,
  BackendChoice,
  KeptRun,
  RunFolder,
  RunIdentity,
  RunRecord,
  Scenario,
} from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { CommonOptions, Context, ExitCode } from '../context.ts';
import { UsageError } from '../failure.ts';
import { carryOut } from '../run/carry-out.ts';
import type { Ending } from '../run/carry-out.ts';
import { claimFolder, findFolder } from '../run/folder.ts';
import { writeNetcdf } from '../run/netcdf.ts';
import type { ClaimedFolder } from '../run/folder.ts';
import { checkRequirements, describeRequirements } from '../run/requirements.ts';
import { formatComparisons, inWords } from '../run/comparison-table.ts';
import { formatResults } from '../run/results-table.ts';
import { selectMethods } from '../run/select-methods.ts';
import { startRun } from '../run/start-run.ts';
import { loadScenario, readScenarioFiles, scenarioFileReader, scenarioPath } from '../scenario-source.ts';
import { decideBackend, openBackend } from '../select-backend.ts';
import { shellWords } from '../shell-words.ts';
import type { Terminal } from '../terminal.ts';
import { WORTH_TUNING_SECONDS, tuneForRun } from '../tuning/first-use.ts';
import { versionsOf } from '../versions.ts';

export interface RunOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Of the `wasm` backend; as many as the machine has where left out. */
  readonly threads?: number;
  readonly method?: readonly string[];
  readonly out?: string;
  readonly set?: readonly string[];
  readonly seed?: number;
  readonly resume?: boolean;
  /** Whether the states of its cycles are kept. */
  readonly fields?: 'mean' | 'none';
  /** Of every n-th cycle alone. */
  readonly every?: number;
  /** Also a run that is estimated to take more than a day. */
  readonly allowLong?: boolean;
}

/** The command that continues a run, to be copied from the terminal. */
function resumeCommand(
  path: string,
  folder: string,
  { method = [], set = [], seed, allowLong, threads, fields, every }: RunOptions,
): string {
  const words = [
    path,
    ...method.flatMap((name) => ['--method', name]),
    ...set.flatMap((assignment) => ['--set', assignment]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(allowLong ? ['--allow-long'] : []),
    ...(threads === undefined ? [] : ['--threads', String(threads)]),
    ...(fields === undefined ? [] : ['--fields', fields]),
    ...(every === undefined ? [] : ['--every', String(every)]),
    '--resume',
    '--out',
    folder,
  ];
  return `npm run shoal -- run ${shellWords(words)}`;
}

function report(context: Context, record: RunRecord, summary: RunFolder['summary'], folder: string): void {
  const { scenario, seed, backend, state } = record;
  const compared = comparedVariables(scenario);
  const methods = summary.results(record.methods);
  const { diverged = [] } = record;
  const cycles = new Map(diverged.map(({ method, cycle }) => [method, cycle]));
  const comparisons = summary.comparisons(record.methods, cycles);
  context.terminal.print(formatResults(methods, compared, cycles));
  const differences = formatComparisons(comparisons, compared, 'cycles');
  if (differences !== '') context.terminal.print(differences);
  context.terminal.print(`run folder: ${folder}`);
  context.terminal.printJson({
    scenario: scenario.name,
    seed,
    backend,
    compared,
    methods,
    comparisons: inWords(comparisons, 'cycles'),
    diverged,
    folder,
    state,
  });
}

/** A continued run stays on its backend unless another is asked for, which is then refused by name. */
function backendChoice(asked: BackendChoice, stored: RunRecord | undefined): BackendChoice {
  return asked === 'auto' && stored ? stored.backend.name : asked;
}

const EXIT_CODES: Readonly<Record<Ending['state'], ExitCode>> = {
  complete: EXIT.done,
  diverged: EXIT.failed,
  stopped: EXIT.interrupted,
};

/** A run whose methods did not all come through has come to its end, and not well. */
function exitCodeOf(state: Ending['state'], { diverged = [] }: RunRecord): ExitCode {
  return state === 'complete' && diverged.length > 0 ? EXIT.failed : EXIT_CODES[state];
}

/** Says that a run is complete, once its rows and its last state were found to be there. @throws ScenarioError */
function reportComplete(context: Context, { path, kept }: ClaimedFolder & { readonly kept: KeptRun }): ExitCode {
  const { record, checkpoint, summary } = kept;
  if (checkpoint?.cycle !== record.cycles) {
    const found = checkpoint ? `ends at cycle ${checkpoint.cycle} of ${record.cycles}` : 'has no checkpoint';
    const message = `found "complete", but the run ${found}`;
    throw new ScenarioError([{ file: join(path, 'run.json'), path: ['state'], message }]);
  }
  context.terminal.note(`${path}: this run is complete, nothing is left to do`);
  report(context, record, summary, path);
  return exitCodeOf('complete', record);
}

/** A run that is ready to be carried out, on its backend and in its folder. */
interface PreparedRun {
  readonly backend: Backend;
  readonly identity: RunIdentity;
  readonly claimed: ClaimedFolder;
  /** Of the scenario. */
  readonly path: string;
  /** Whose states are kept. */
  readonly fields: RunRecord['fields'] | undefined;
}

/**
 * @param stored of the run that goes on: it keeps what it began with
 * @throws UsageError where a run that goes on is asked for something else
 */
function fieldsOf({ fields, every }: RunOptions, stored: RunRecord | undefined): RunRecord['fields'] | undefined {
  if (every !== undefined && fields !== 'mean') throw new UsageError('--every: goes with --fields mean');
  const asked = fields === 'mean' ? { every: every ?? 1 } : undefined;
  if (!stored || fields === undefined) return stored ? stored.fields : asked;
  if (stored.fields?.every === asked?.every) return asked;
  const found = stored.fields ? `--fields mean --every ${stored.fields.every}` : '--fields none';
  throw new UsageError(`cannot be resumed: the run began with ${found}`);
}

/** @returns the contents of the files that a scenario names, by those names. @param path of the scenario file */
async function filesBeside(scenario: Scenario, path: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const read = scenarioFileReader(scenario, path);
  const files: Record<string, Uint8Array> = {};
  for (const name of filesNamedBy(scenario)) files[name] = await read(name);
  return files;
}

async function carryOutPrepared(
  context: Context,
  { backend, identity, claimed, path, fields }: PreparedRun,
  threads: number | undefined,
): Promise<{ readonly ending: Ending; readonly folder: RunFolder }> {
  const { terminal, installation } = context;
  const { scenario, selected } = identity;
  const { kept, storage, absolutePath } = claimed;
  terminal.note(describeRequirements(scenario, backend, selected));
  const versions = versionsOf(installation);
  const hasCopies = kept?.record.scenarioFiles !== undefined;
  const folder = createRunFolder(storage, {
    identity,
    versions,
    now: () => new Date(),
    fields,
    ...(kept && { continued: kept }),
    ...(!hasCopies && { scenarioFiles: scenarioFileReader(scenario, path) }),
  });
  const { warning } = judgeVersions(kept?.record.versions ?? versions, versions);
  if (warning !== undefined) {
    terminal.note(`warning: ${warning}`);
    folder.listen({ type: 'warning', message: warning });
  }
  // What is run is what the folder keeps.
  const copies = join(absolutePath, SCENARIO_FILES_FOLDER, basename(path));
  const ending = await carryOut(terminal, claimed, folder, async (options) => {
    const job = {
      scenario,
      files: await filesBeside(scenario, copies),
      source: copies,
      methods: selected,
      checkpoint: kept?.checkpoint,
      misfit: 'refuse',
      ceilings: 'before',
    } as const;
    const place = { bundleFolder: installation.bundleFolder, threads };
    if (estimateSeconds(estimateEffort(scenario, selected), backend.name) > WORTH_TUNING_SECONDS) {
      await tuneForRun(backend, place, terminal);
    }
    return startRun(place, backend, job, options);
  });
  if (folder.record.fields) await writeNetcdf(terminal, claimed, folder.record);
  return { ending, folder };
}

/**
 * The files that the scenario names are read before there is a run folder, so that what is wrong with them is reported. A run that
 * goes on has its own, and those beside the scenario, where there are any, must be the same.
 */
async function checkScenarioFiles(scenario: Scenario, path: string, record: RunRecord | undefined): Promise<void> {
  const copies = record?.scenarioFiles;
  if (!copies) {
    await readScenarioFiles(scenario, path);
    return;
  }
  const read = scenarioFileReader(scenario, path);
  for (const name of filesNamedBy(scenario)) {
    const beside = await read(name).catch(() => undefined);
    if (beside === undefined || !Object.hasOwn(copies, name)) continue;
    if ((await extentOf(beside)).sha256 === copies[name].sha256) continue;
    throw new UsageError(
      `${join(dirname(path), name)}: cannot be resumed: the run began with another content of this file`,
    );
  }
}

/** @throws ScenarioError, UsageError, BackendError, LimitError, WriteError */
export async function run(context: Context, given: string, options: RunOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  const path = await scenarioPath(installation.root, given);
  const { scenario, warnings, notes } = await loadScenario(path, options);
  const methods = selectMethods(scenario, options.method);
  const found = await findFolder(scenario, options);
  const fields = fieldsOf(options, found.record);
  await checkScenarioFiles(scenario, path, found.record);
  for (const note of notes) terminal.note(`${path}: ${note}`);
  for (const warning of warnings) terminal.note(`warning: ${describeProblem(warning)}`);
  const backing = await decideBackend(backendChoice(options.backend, found.record), context);
  if (backing.kind === 'done') return backing.exitCode as ExitCode;
  // What it is says this one; a backend of the processor computes in a thread of its own.
  const backend = await openBackend(backing.name, { bundleFolder: context.installation.bundleFolder, threads: 1 });
  try {
    const identity: RunIdentity = {
      scenario,
      seed: scenario.seed,
      ...(methods && { selected: methods }),
      backend: { name: backend.name, adapter: backend.adapter },
    };
    if (found.record?.state !== 'complete') checkRequirements(scenario, backend, methods, options.allowLong ?? false);
    const claimed = await claimFolder(found, { identity, versions: versionsOf(installation), now: new Date() });
    try {
      const { kept } = claimed;
      if (kept?.record.state === 'complete') return reportComplete(context, { ...claimed, kept });
      if (kept?.record.scenarioFiles) await readScenarioCopies(claimed.storage, { ...kept.record, scenario });
      const { ending, folder } = await carryOutPrepared(
        context,
        { backend, identity, claimed, path, fields },
        options.threads,
      );
      report(context, folder.record, folder.summary, claimed.path);
      tellEnding(terminal, ending, folder.record, resumeCommand(given, claimed.path, options));
      return exitCodeOf(ending.state, folder.record);
    } finally {
      await claimed.lock.release();
    }
  } finally {
    backend.dispose();
  }
}

function tellEnding(terminal: Terminal, { state, reason }: Ending, record: RunRecord, resume: string): void {
  if (state === 'diverged') terminal.warn(`shoal: ${reason ?? 'the run diverged'}`);
  if (state !== 'stopped') return;
  terminal.warn(`stopped after ${record.completedCycles} of ${record.cycles} cycles; continue with:`);
  terminal.warn(`  ${resume}`);
}

export default (context: Context, [given]: readonly string[], options: RunOptions): Promise<ExitCode> =>
  run(context, given, options);
