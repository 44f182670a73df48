/** What `shoal run` does once its thread was started: from the scenario to the lines that are run, one after the other. */
import { dirname, join } from 'node:path';
import { extentOf, filesNamedBy, warningTexts, waterOf } from '../../../engine/index.ts';
import type { Backend, BackendChoice, OpenHdf5, RunRecord, Scenario } from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, UsageError } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { checkFieldsRoom, fieldsOf } from './fields.ts';
import { foldersOf, linesOf, type RunLine, checkRequirements, selectMethods, type RunOptions } from './options.ts';
import { runLine, type AskedRun, type Result } from './run-line.ts';
import { loadScenario, readScenarioFiles, scenarioFileReader, scenarioPath } from '../scenario-source.ts';
import { openBackend } from '../open-backend.ts';
import { decideBackend, type Selection } from '../select-backend.ts';
import type { EarlyThread } from './early-thread.ts';

/** A continued run stays on its backend unless another is asked for, which is then refused by name. */
function backendChoice(asked: BackendChoice, stored: RunRecord | undefined): BackendChoice {
  return asked === 'auto' && stored ? stored.backend.name : asked;
}

/**
 * The files that the scenario names are read before there is a run folder, so that what is wrong with them is reported. A run that
 * continues has its own, and those beside the scenario, if there are any, must be the same.
 */
async function checkScenarioFiles(
  scenario: Scenario,
  path: string,
  record: RunRecord | undefined,
  openHdf5: OpenHdf5,
): Promise<void> {
  const copies = record?.scenarioFiles;
  if (!copies) {
    await readScenarioFiles(scenario, path, openHdf5);
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

/** Runs line after line until one is stopped. @returns what came of each */
async function runLines(
  context: Context,
  backend: Backend,
  runs: readonly AskedRun[],
): Promise<readonly (Result & Pick<RunLine, 'branch'>)[]> {
  const results: (Result & Pick<RunLine, 'branch'>)[] = [];
  for (const asked of runs) {
    const { branch } = asked.line;
    if (runs.length > 1) context.terminal.print(branch === undefined ? 'main line' : `branch: ${branch}`);
    const result = await runLine(context, backend, asked);
    results.push({ ...result, branch });
    if (result.exitCode === EXIT.interrupted) break;
  }
  return results;
}

/** What was begun before the scenario is read. A run that continues has its backend, and begins neither. */
export interface Begun {
  readonly selecting: Promise<Selection> | undefined;
  readonly early: EarlyThread | undefined;
}

/** @throws ScenarioError, UsageError, BackendError, LimitError, WriteError */
export async function runHere(
  context: Context,
  given: string,
  options: RunOptions,
  { selecting, early }: Begun,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  const path = await scenarioPath(installation.root, given);
  const { scenario, warnings, notes } = await loadScenario(path, options);
  const lines = linesOf(scenario, options);
  selectMethods(scenario, options.method);
  const folders = await foldersOf(lines, options);
  const fields = lines.map((line, index) => fieldsOf(options, line.scenario, folders[index].record));
  if (fields.some((each) => each !== undefined) && !waterOf(scenario.model)) {
    throw new UsageError(
      `--fields ${options.fields}: fields.nc holds water, in metres and seconds, which this model does not have`,
    );
  }
  const openHdf5 = hdf5In(installation.bundleFolder);
  for (const [index, line] of lines.entries()) {
    await checkScenarioFiles(line.scenario, path, folders[index].record, openHdf5);
  }
  const stored = folders.find(({ record }) => record)?.record;
  const backing = await decideBackend(backendChoice(options.backend, stored), context, selecting);
  if (backing.kind === 'done') return backing.exitCode;
  for (const note of notes) terminal.note(`${path}: ${note}`);
  const warned = warningTexts(warnings);
  for (const warning of warned) terminal.note(`warning: ${warning}`);
  // What it is says this one; a backend of the processor computes in a thread of its own.
  const backend = await openBackend(backing.name, { bundleFolder: context.installation.bundleFolder, threads: 1 });
  try {
    for (const [index, line] of lines.entries()) {
      if (folders[index].record?.state === 'complete') continue;
      checkRequirements(
        line.scenario,
        backend,
        selectMethods(line.scenario, options.method),
        options.allowLong ?? false,
      );
      const kept = fields[index];
      const methods = selectMethods(line.scenario, options.method);
      // A run that continues is judged when its checkpoint is read.
      if (kept && !folders[index].record) {
        await checkFieldsRoom(line.scenario, kept, { methods, folder: options.out ?? '.' });
      }
    }
    const runs = lines.map((line, index): AskedRun => ({
      path,
      given,
      line,
      folder: folders[index],
      options,
      warnings: warned,
      early,
    }));
    const results = await runLines(context, backend, runs);
    const documents = results.map(({ document, branch = null }) => ({ branch, ...document }));
    terminal.printJson(options.branches ? documents : results[0].document);
    const worst = [EXIT.interrupted, EXIT.failed].find((code) => results.some(({ exitCode }) => exitCode === code));
    return worst ?? EXIT.done;
  } finally {
    backend.dispose();
  }
}
