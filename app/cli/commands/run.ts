/** `shoal run`: one twin experiment with all its methods, one table, one run folder. */
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import {
  DEFAULT_MEMORY_BYTES,
  DivergenceError,
  checkMemory,
  createRunFolder,
  describeDifference,
  estimateMemory,
  nearest,
  readRunCheckpoint,
  summariseRun,
} from '../../../engine/index.ts';
import type {
  Backend,
  Checkpoint,
  RunFolder,
  RunIdentity,
  RunRecord,
  RunState,
  Scenario,
} from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { CommonOptions, Context, ExitCode } from '../context.ts';
import { UsageError } from '../failure.ts';
import { startHere, startInWorker } from '../run/engine-host.ts';
import { chooseFolder } from '../run/folder.ts';
import type { ChosenFolder } from '../run/folder.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { createProgress } from '../run/progress.ts';
import { formatResults } from '../run/results-table.ts';
import { loadScenario, readScenarioFiles, scenarioPath } from '../scenario-source.ts';
import { decideBackend, openBackend } from '../select-backend.ts';
import type { BackendChoice } from '../select-backend.ts';
import { versionsOf } from '../versions.ts';

export interface RunOptions extends CommonOptions {
  readonly backend: BackendChoice;
  readonly method?: readonly string[];
  readonly out?: string;
  readonly set?: readonly string[];
  readonly seed?: number;
  readonly resume?: boolean;
}

interface Ending {
  readonly state: Exclude<RunState, 'running'>;
  /** Why it ended early, for people. */
  readonly reason?: string;
}

/**
 * @returns labels of the methods that names select, in the scenario's order; undefined for all
 * @throws UsageError for a name that is neither label nor kind
 */
export function selectMethods({ methods }: Scenario, names: readonly string[] | undefined): string[] | undefined {
  if (!names) return undefined;
  for (const name of names) {
    if (methods.some(({ label, kind }) => name === label || name === kind)) continue;
    const known = [...new Set(methods.flatMap(({ label, kind }) => [label, kind]))];
    const near = nearest(name, known);
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new UsageError(`--method ${name}: the scenario has no such method; it has ${known.join(', ')}${hint}`);
  }
  return methods.filter(({ label, kind }) => names.includes(label) || names.includes(kind)).map(({ label }) => label);
}

/** The command that continues a run, to be copied from the terminal. */
function resumeCommand(path: string, folder: string, { method = [], set = [], seed }: RunOptions): string {
  const words = [
    path,
    ...method.flatMap((name) => ['--method', name]),
    ...set.flatMap((assignment) => ['--set', assignment]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    '--resume',
    '--out',
    folder,
  ];
  const quoted = words.map((word) =>
    /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  return `npm run shoal -- run ${quoted.join(' ')}`;
}

/** Runs until the end, a signal or an error, and leaves the folder in its last state. */
async function carryOut(
  context: Context,
  folder: RunFolder,
  start: (listener: Parameters<typeof startInWorker>[2]) => Promise<ReturnType<typeof startInWorker>>,
): Promise<Ending> {
  const { terminal } = context;
  const progress = createProgress(terminal);
  await folder.save();
  const host = await start({
    event: (event) => {
      folder.listen(event);
      progress.listen(event);
      if (event.type === 'warning') terminal.note(`warning: ${event.message}`);
    },
    checkpoint: (checkpoint) => folder.save(checkpoint),
  });
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    host.stop();
  });
  let ending: Ending = { state: 'stopped' };
  try {
    const outcome = await Promise.race([host.done, interruption.outOfPatience]);
    if (outcome === 'out-of-patience') await host.abandon();
    else ending = { state: outcome };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof DivergenceError)) {
      await folder.finish('stopped', reason);
      throw error;
    }
    ending = { state: 'diverged', reason };
  } finally {
    progress.end();
    interruption.dispose();
  }
  await folder.finish(ending.state, ending.reason);
  return ending;
}

function report(
  context: Context,
  { record, rows }: Pick<RunFolder, 'record' | 'rows'>,
  spinup: number,
  folder: string,
): void {
  const methods = summariseRun(record.methods, rows, spinup, record.cycles);
  const { scenario, seed, backend, state } = record;
  context.terminal.print(formatResults(methods));
  context.terminal.print(`run folder: ${folder}`);
  context.terminal.printJson({ scenario: scenario.name, seed, backend, methods, folder, state });
}

/** The checkpoint of a stored run. @throws UsageError when the run is not the one that is asked for */
async function checkpointFor(chosen: ChosenFolder, wanted: RunIdentity): Promise<Checkpoint | undefined> {
  if (!chosen.stored) return undefined;
  const difference = describeDifference(chosen.stored.record, wanted);
  if (difference !== undefined) throw new UsageError(`${chosen.path}: cannot be resumed: ${difference}`);
  return readRunCheckpoint(chosen.storage);
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

/** States what a run will need before it starts. @throws LimitError when this machine does not have it */
function announce({ terminal }: Context, scenario: Scenario, { name, elementBytes }: Backend, methods: number): void {
  const machine = totalmem();
  // How much a GPU has is not told: it is taken to have what a small one has, or as much as the machine.
  checkMemory(scenario, elementBytes, name === 'reference' ? machine : Math.max(machine, DEFAULT_MEMORY_BYTES));
  const { grid, background, experiment } = scenario;
  const mebibytes = Math.ceil(estimateMemory(scenario, elementBytes) / 2 ** 20);
  const members = `${background.members} members`;
  terminal.note(
    `${scenario.name}: ${grid.nx} × ${grid.ny} cells, ${members}, ${methods} ${methods === 1 ? 'method' : 'methods'}, ${experiment.cycles} cycles; about ${mebibytes} MiB`,
  );
}

/** @throws ScenarioError, UsageError, BackendError, LimitError */
export async function run(context: Context, given: string, options: RunOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  const path = await scenarioPath(installation.root, given);
  const { scenario, warnings } = await loadScenario(path, options);
  const methods = selectMethods(scenario, options.method);
  // The engine reads them again, where it runs; what is wrong with them is told before there is a run folder.
  await readScenarioFiles(scenario, path);
  const chosen = await chooseFolder(scenario, options, new Date());
  for (const warning of warnings) terminal.note(`warning: ${warning}`);
  const backing = await decideBackend(backendChoice(options.backend, chosen.stored?.record), context);
  if (backing.kind === 'done') return backing.exitCode as ExitCode;
  const backend = await openBackend(backing.name);
  try {
    const identity: RunIdentity = {
      scenario,
      seed: scenario.seed,
      ...(methods && { selected: methods }),
      backend: { name: backend.name, adapter: backend.adapter },
    };
    const checkpoint = await checkpointFor(chosen, identity);
    const { stored } = chosen;
    if (stored?.record.state === 'complete') {
      terminal.note(`${chosen.path}: this run is complete, nothing is left to do`);
      report(context, stored, scenario.experiment.spinup, chosen.path);
      return EXIT.done;
    }
    announce(context, scenario, backend, methods?.length ?? scenario.methods.length);
    const folder = createRunFolder(chosen.storage, {
      identity,
      versions: versionsOf(installation),
      now: () => new Date(),
      ...(stored && { continued: { stored, nextCycle: checkpoint?.cycle ?? 0 } }),
    });
    const job = {
      scenario,
      scenarioPath: resolve(path),
      ...(methods && { methods }),
      ...(checkpoint && { checkpoint }),
    };
    const ending = await carryOut(context, folder, async (listener) =>
      backend.name === 'reference'
        ? startInWorker(installation.bundleFolder, job, listener)
        : startHere(backend, job, listener),
    );
    report(context, folder, scenario.experiment.spinup, chosen.path);
    const { completedCycles, cycles } = folder.record;
    if (ending.state === 'diverged') terminal.warn(`shoal: ${ending.reason ?? 'the run diverged'}`);
    if (ending.state === 'stopped') {
      terminal.warn(`stopped after ${completedCycles} of ${cycles} cycles; continue with:`);
      terminal.warn(`  ${resumeCommand(given, chosen.path, options)}`);
    }
    return EXIT_CODES[ending.state];
  } finally {
    backend.dispose();
  }
}

export default (context: Context, [given]: readonly string[], options: RunOptions): Promise<ExitCode> =>
  run(context, given, options);
