/** One run of `shoal run`: the scenario's own or a branch, from its folder to its table. */
import { basename, dirname, join } from 'node:path';
import {
  FIELDS_FILE,
  SCENARIO_FILES_FOLDER,
  ScenarioError,
  comparedVariables,
  createRunFolder,
  estimateEffort,
  estimateSeconds,
  filesNamedBy,
  judgeVersions,
  readScenarioCopies,
  worseInShort,
  worseThanFreeRun,
} from '../../../engine/index.ts';
import type { Backend, KeptRun, RunFolder, RunIdentity, RunRecord, Scenario } from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, type Installation, type Terminal } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { programWords, versionsOf } from '../installation.ts';
import { scenarioFileReader } from '../scenario-source.ts';
import { shellWords } from '../../format/paths.ts';
import { WORTH_TUNING_SECONDS, tuneForRun } from '../tuning/report.ts';
import { execute, type Ending } from './execute.ts';
import { formatComparisons, inWords, formatResults } from './comparison-table.ts';
import { describeFields, fieldsOf, checkFieldsRoom, writeNetcdf } from './fields.ts';
import { claimFolder, type ClaimedFolder } from './folder.ts';
import { type LineFolder, type RunLine, describeRequirements, selectMethods, type RunOptions } from './options.ts';
import type { EarlyThread } from './early-thread.ts';
import { startRun } from './start-run.ts';

/** The command that continues a run, to be copied from the terminal. */
function resumeCommand(
  installation: Installation,
  path: string,
  folder: string,
  { method = [], set = [], seed, allowLong, threads, branch, branches, fields, every, members }: RunOptions,
): string {
  const words = [
    path,
    ...(branch === undefined ? [] : ['--branch', branch]),
    ...(branches ? ['--branches'] : []),
    ...method.flatMap((name) => ['--method', name]),
    ...set.flatMap((assignment) => ['--set', assignment]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(allowLong ? ['--allow-long'] : []),
    ...(threads === undefined ? [] : ['--threads', String(threads)]),
    ...(fields === undefined ? [] : ['--fields', fields]),
    ...(every === undefined ? [] : ['--every', String(every)]),
    ...(members === undefined ? [] : ['--members', members.join(',')]),
    '--resume',
    '--out',
    folder,
  ];
  return `${programWords(installation)} run ${shellWords(words)}`;
}

function formatWarnings(warnings: readonly string[]): string {
  return ['warnings:', ...warnings.map((warning) => `- ${warning}`)].join('\n');
}

/** A run whose results are reported. */
interface Reported {
  readonly record: RunRecord;
  readonly summary: RunFolder['summary'];
  readonly folder: string;
  /** The scenario before any change. */
  readonly given: string;
}

/** The command that compares the methods of a run over seeds. */
function seedsCommand(installation: Installation, given: string): string {
  return `${programWords(installation)} run ${shellWords([given])} --seeds 10`;
}

/** Prints the results of a run. @returns them as `--json` has them */
function report(context: Context, { record, summary, folder, given }: Reported): object {
  const { scenario, seed, backend, state } = record;
  const compared = comparedVariables(scenario);
  const methods = summary.results(record.methods);
  const { diverged = [] } = record;
  const cycles = new Map(diverged.map(({ method, cycle }) => [method, cycle]));
  const found = { over: 'cycles', comparisons: summary.comparisons(record.methods, cycles) } as const;
  context.terminal.print(formatResults(methods, compared, cycles, summary.headline));
  const differences = formatComparisons(found, compared, seedsCommand(context.installation, given));
  if (differences !== '') context.terminal.print(differences);
  const worse = worseThanFreeRun(scenario, record.methods, summary, diverged);
  for (const { words } of worse) context.terminal.print(`! ${words}`);
  if (record.warnings.length > 0) context.terminal.print(formatWarnings(record.warnings));
  context.terminal.print(`run folder: ${folder}`);
  for (const line of worseInShort(worse)) context.terminal.warn(`warning: ${line}`);
  return {
    scenario: scenario.name,
    seed,
    backend,
    compared,
    headline: summary.headline,
    methods,
    comparisons: inWords(found),
    worseThanFreeRun: worse,
    diverged,
    warnings: record.warnings,
    folder,
    state,
  };
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

/** What came of a run; the document is what `--json` has of it. */
export interface Result {
  readonly exitCode: ExitCode;
  readonly document: object;
}

/** Says that a run is complete, once its rows and its last state were found to be there. @throws ScenarioError */
function reportComplete(
  context: Context,
  { path, kept, given }: ClaimedFolder & { readonly kept: KeptRun; readonly given: string },
): Result {
  const { record, checkpoint, summary } = kept;
  if (checkpoint?.cycle !== record.cycles) {
    const found = checkpoint ? `ends at cycle ${checkpoint.cycle} of ${record.cycles}` : 'has no checkpoint';
    const message = `found "complete", but the run ${found}`;
    throw new ScenarioError([{ file: join(path, 'run.json'), path: ['state'], message }]);
  }
  context.terminal.note(`${path}: this run is complete, nothing is left to do`);
  return {
    document: report(context, { record, summary, folder: path, given }),
    exitCode: exitCodeOf('complete', record),
  };
}

/** A run that is ready to be carried out, on its backend and in its folder. */
interface PreparedRun {
  readonly backend: Backend;
  readonly identity: RunIdentity;
  readonly claimed: ClaimedFolder;
  /** Path of the scenario. */
  readonly path: string;
  /** About the scenario's settings. */
  readonly warnings: readonly string[];
  /** Whose states are kept. */
  readonly fields: RunRecord['fields'] | undefined;
}

/** @returns the contents of the files that a scenario names, by those names. @param path of the scenario file */
async function filesBeside(scenario: Scenario, path: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const read = scenarioFileReader(scenario, path);
  const files: Record<string, Uint8Array> = {};
  for (const name of filesNamedBy(scenario)) files[name] = await read(name);
  return files;
}

async function executePrepared(
  context: Context,
  { backend, identity, claimed, path, warnings, fields }: PreparedRun,
  { threads, early }: { readonly threads: number | undefined; readonly early: EarlyThread | undefined },
): Promise<{ readonly ending: Ending; readonly folder: RunFolder }> {
  const { terminal, installation } = context;
  const { scenario, selected } = identity;
  const { kept, storage, absolutePath } = claimed;
  terminal.note(describeRequirements(scenario, backend, selected));
  if (fields) {
    const completed = kept?.checkpoint?.cycle ?? 0;
    const { size, warning } = await checkFieldsRoom(scenario, fields, {
      methods: selected,
      folder: absolutePath,
      completed,
    });
    terminal.note(describeFields(size));
    if (warning !== undefined) terminal.note(`warning: ${warning}`);
  }
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
  for (const message of warnings) folder.listen({ type: 'warning', message });
  const { warning } = judgeVersions(kept?.record.versions ?? versions, versions);
  if (warning !== undefined) {
    terminal.note(`warning: ${warning}`);
    folder.listen({ type: 'warning', message: warning });
  }
  // What is run is what the folder keeps.
  const copies = join(absolutePath, SCENARIO_FILES_FOLDER, basename(path));
  const ending = await execute(terminal, claimed, folder, async (options) => {
    const job = {
      scenario,
      files: await filesBeside(scenario, copies),
      source: copies,
      methods: selected,
      checkpoint: kept?.checkpoint,
      misfit: 'refuse',
      ceilings: 'between',
    } as const;
    const place = { bundleFolder: installation.bundleFolder, threads };
    if (estimateSeconds(estimateEffort(scenario, selected), backend.name) > WORTH_TUNING_SECONDS) {
      // Its backend is open, with the kernels that were chosen before.
      early?.close();
      await tuneForRun(backend, place, terminal);
    }
    return startRun(place, backend, job, options, early);
  });
  if (folder.record.fields) await writeNetcdf(terminal, claimed, folder.record, hdf5In(installation.bundleFolder));
  return { ending, folder };
}

/** A run that is asked for, and where its results go. */
export interface AskedRun {
  /** Path of the scenario file, as it was given. */
  readonly path: string;
  readonly given: string;
  readonly line: RunLine;
  readonly folder: LineFolder;
  readonly options: RunOptions;
  /** About the scenario's settings, for the run's record. */
  readonly warnings: readonly string[];
  /** The thread of the first of several runs. */
  readonly early?: EarlyThread | undefined;
}

/** Carries out a run, to its end or until it is stopped. @throws ScenarioError, UsageError, BackendError, LimitError, WriteError */
export async function runLine(context: Context, backend: Backend, asked: AskedRun): Promise<Result> {
  const { path, given, line, folder: found, options, warnings, early } = asked;
  const { scenario } = line;
  const { terminal, installation } = context;
  const methods = selectMethods(scenario, options.method);
  const identity: RunIdentity = {
    scenario,
    seed: scenario.seed,
    ...(methods && { selected: methods }),
    backend: { name: backend.name, adapter: backend.adapter },
  };
  const claimed = await claimFolder(await found.place(), {
    identity,
    versions: versionsOf(installation),
    now: new Date(),
  });
  try {
    const { kept } = claimed;
    if (kept?.record.state === 'complete') {
      const result = reportComplete(context, { ...claimed, kept, given });
      // States that are still there have not become `fields.nc`: writing it went wrong.
      const left = kept.record.fields && (await claimed.storage.read(FIELDS_FILE, { from: 0, bytes: 1 }));
      if (left) await writeNetcdf(terminal, claimed, kept.record, hdf5In(installation.bundleFolder));
      return result;
    }
    if (kept?.record.scenarioFiles) await readScenarioCopies(claimed.storage, { ...kept.record, scenario });
    const fields = fieldsOf(options, scenario, kept?.record);
    const prepared = { backend, identity, claimed, path, warnings, fields };
    const { ending, folder } = await executePrepared(context, prepared, { threads: options.threads, early });
    const document = report(context, { record: folder.record, summary: folder.summary, folder: claimed.path, given });
    const resumed = options.branches ? dirname(claimed.path) : claimed.path;
    tellEnding(terminal, ending, folder.record, resumeCommand(installation, given, resumed, options));
    return { document, exitCode: exitCodeOf(ending.state, folder.record) };
  } finally {
    await claimed.lock.release();
  }
}

function tellEnding(terminal: Terminal, { state, reason }: Ending, record: RunRecord, resume: string): void {
  if (state === 'diverged') terminal.warn(`shoal: ${reason ?? 'the run diverged'}`);
  if (state !== 'stopped') return;
  terminal.warn(`stopped after ${record.completedCycles} of ${record.cycles} cycles; continue with:`);
  terminal.warn(`  ${resume}`);
}
