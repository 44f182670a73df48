/** `shoal tune`: the best settings of a method of a scenario, over seeds, with a scenario that has them and records how. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  describeProblem,
  durationText,
  estimateMemory,
  estimateTuning,
  evaluateAsSweep,
  filesNamedBy,
  formatScenario,
  lookAt,
  planSweep,
  planTuning,
  StoppedError,
  sweepOf,
  tunedScenario,
  tuneMethod,
  validateSweepDefinition,
} from '../../../engine/index.ts';
import type { BackendChoice, NumbersOrigin, Scenario, TuningPlan, TuningResult } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode, UsageError } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { programWords } from '../installation.ts';
import { listenForInterruption } from '../run/progress.ts';
import { loadScenario, readBeside, scenarioFileReader, scenarioPath, type LoadedScenario } from '../scenario-source.ts';
import { openBackend } from '../open-backend.ts';
import { decideBackend } from '../select-backend.ts';
import { shellWords } from '../../format/paths.ts';
import { slowdown, originOf, workersOf } from '../sweep/pool.ts';
import { createCaseRunner, claimTuningFolder } from '../tune/case-runner.ts';
import { parseParameter, formatTuning, tuningDocument } from '../tune/report.ts';

export interface TuneOptions extends CommonOptions {
  readonly backend: BackendChoice;
  readonly method?: string;
  readonly parameter?: readonly string[];
  readonly measure?: string;
  readonly seeds?: number;
  readonly levels?: number;
  readonly set?: readonly string[];
  /** The scenario that is written. */
  readonly out?: string;
  readonly overwrite?: boolean;
  /** Folder of the cases. */
  readonly folder?: string;
  /** Processes; as many as the machine has cores if omitted. */
  readonly workers?: number;
}

/** Bytes of a real where the model steps on the host. */
const LARGEST_REAL = 8;

/** @returns the label of the method. @throws UsageError where it is not said which of several */
function labelOf({ methods }: Scenario, name: string | undefined): string {
  const labels = methods.map(({ label }) => label);
  if (name === undefined) throw new UsageError(`--method is missing; the scenario has ${labels.join(', ')}`);
  // A name that is no label may be a kind; the plan reports anything else.
  return methods.find(({ label }) => label === name)?.label ?? methods.find(({ kind }) => kind === name)?.label ?? name;
}

/** @throws UsageError where the file is there and was not meant to be written over */
function outputOf(name: string, label: string, { out, overwrite = false }: TuneOptions): string {
  const words =
    label
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? 'method';
  const path = out ?? `${name}-${words}-tuned.json`;
  if (!overwrite && existsSync(path)) {
    throw new UsageError(`${path} exists already; name another file by --out, or write over it with --overwrite`);
  }
  return path;
}

/** Contents of the files that the scenario names. */
async function filesOf({ scenario, path }: LoadedScenario): Promise<Readonly<Record<string, Uint8Array>>> {
  const read = scenarioFileReader(scenario, path);
  const entries = await Promise.all(filesNamedBy(scenario).map(async (name) => [name, await read(name)] as const));
  return Object.fromEntries(entries);
}

function describePlan(
  { name, method, parameters, seeds, cases }: TuningPlan,
  seconds: number,
  workers: number,
): string {
  const ranges = parameters.map((each) => `${each.name} ${each.values.join(', ')}`);
  const count = cases.least === cases.most ? String(cases.most) : `${cases.least} to ${cases.most}`;
  return (
    `${name}, ${method}: ${ranges.join('; ')}; ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}, ${count} cases, ` +
    `${workers} ${workers === 1 ? 'process' : 'processes'}; ${durationText(seconds / workers)}`
  );
}

/** Writes the scenario, and says where everything is. @throws WriteError */
async function deliver(
  { terminal }: Context,
  loaded: LoadedScenario,
  plan: TuningPlan,
  result: TuningResult,
  { file, folder }: { readonly file: string; readonly folder: string },
): Promise<ExitCode> {
  terminal.print(formatTuning(plan, result));
  if (result.found) {
    await disk.writeWhole(resolve(file), formatScenario(tunedScenario(loaded.raw, result)));
    terminal.print(`wrote ${file}, which has the best settings and the record of how they were found`);
  }
  terminal.print(`cases, sweep.json and sweep.csv: ${folder}`);
  terminal.printJson({ ...tuningDocument(plan, result), file: result.found ? file : null, folder });
  return result.found ? EXIT.done : EXIT.failed;
}

/** @throws ScenarioError, UsageError, BackendError, WriteError */
export default async function tune(
  context: Context,
  [given]: readonly string[],
  options: TuneOptions,
): Promise<ExitCode> {
  const { terminal, installation, argv } = context;
  const { parameter = [], measure, seeds, levels, set = [] } = options;
  const loaded = await loadScenario(await scenarioPath(installation.root, given), { set });
  for (const note of loaded.notes) terminal.note(note);
  const label = labelOf(loaded.scenario, options.method);
  const plan = planTuning(loaded.raw, {
    method: label,
    parameters: parameter.map(parseParameter),
    ...(measure !== undefined && { measure }),
    ...(seeds !== undefined && { seeds }),
    ...(levels !== undefined && { levels }),
  });
  const file = outputOf(plan.name, label, options);
  const backing = await decideBackend(options.backend, context);
  if (backing.kind === 'done') return backing.exitCode;
  const origin: NumbersOrigin = await originOf(context, backing.name);
  const path = options.folder ?? join('runs', `tune-${plan.name}-${label.replaceAll(/[^\w.-]+/g, '-')}`);
  const bytes = estimateMemory(loaded.scenario, LARGEST_REAL);
  const workers = workersOf(options.workers, { origin, bytes });
  const seconds = slowdown(backing.name, workers) * estimateTuning(plan, backing.name).most;
  terminal.note(describePlan(plan, seconds, workers));
  for (const warning of loaded.warnings) terminal.note(`warning: ${describeProblem(warning)}`);

  const folder = await claimTuningFolder(path);
  const stopping = new AbortController();
  const beside = dirname(resolve(loaded.path));
  const openHdf5 = hdf5In(installation.bundleFolder);
  const readFile = (name: string, most: number): Promise<Uint8Array> => readBeside(join(beside, name), most);
  const base = { file: loaded.path, readFile, openHdf5 };
  const runner = createCaseRunner(terminal, plan.cases.most, {
    folder: folder.cases,
    workers,
    start: {
      backend: backing.name,
      threads: workers > 1 ? 1 : undefined,
      bundleFolder: installation.bundleFolder,
      source: loaded.path,
    },
    signal: stopping.signal,
  });
  const interruption = listenForInterruption(() => {
    runner.end();
    terminal.warn('stopping …');
    stopping.abort(new StoppedError('stopped'));
  });
  try {
    const result = await tuneMethod(plan, {
      evaluate: evaluateAsSweep(plan, base, origin, runner.run),
      async look(values) {
        const backend = await openBackend(backing.name, { bundleFolder: installation.bundleFolder });
        try {
          return await lookAt(backend, plan, values, {
            files: await filesOf(loaded),
            openHdf5,
            signal: stopping.signal,
          });
        } finally {
          backend.dispose();
        }
      },
    });
    runner.end();
    const runnable = result.points.filter(({ outcomes }) => outcomes.some(({ reason }) => reason === undefined));
    if (runnable.length > 0) {
      const tried = runnable.map(({ values }) => values);
      const sweep = validateSweepDefinition(sweepOf(plan, tried), 'tuning');
      const batch = await planSweep(sweep, { ...base, raw: plan.raw }, origin);
      await folder.write(batch, await runner.run(batch));
    }
    return await deliver(context, loaded, plan, result, { file, folder: path });
  } catch (error) {
    runner.end();
    if (!interruption.requested) throw error;
    terminal.warn(`stopped; the cases that are done are kept, continue with:`);
    terminal.warn(`  ${programWords(installation)} ${shellWords([...argv])}`);
    return EXIT.interrupted;
  } finally {
    runner.end();
    interruption.dispose();
    await folder.release();
  }
}
