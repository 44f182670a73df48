/** The command that gives what is on screen, for "copy as command". */
import type { PageRunInfo } from './page-run.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../run-view.ts';
import { catalogueOf } from '../scenario/bundled-scenarios.ts';
import { changesBetween, type Scenario } from '../../../engine/index.ts';
import type { ScenarioOrigin } from '../scenario/run-document.ts';

interface Shown {
  /** What ships under that name, or a file of that name; of a run, the file that its scenario would be saved as. */
  readonly origin: Pick<ScenarioOrigin, 'name' | 'kind'>;
  /** As the origin has it. */
  readonly original: Scenario;
  /** As it runs. */
  readonly running: Scenario;
  readonly backend: string | undefined;
  /** As `--seeds` has them, in place of the seed. */
  readonly seeds?: string;
}

/** How a run is repeated: a line for a shell. */
export interface RunCommand {
  readonly line: string;
  /** The file that the scenario has to be saved as first; undefined where it ships or has a file. */
  readonly needs: string | undefined;
}

/** @returns a word as a POSIX shell takes it, in quotes where it needs them */
export function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** @returns one line for a shell; settings that were changed come as `--set`, in the scenario's order */
export function commandLine({ origin, original, running, backend, seeds }: Shown): string {
  const scenario = origin.kind === 'bundled' ? origin.name.replace(/\.json$/, '') : origin.name;
  const sets = changesBetween(original, running)
    .filter(({ effect, path }) => effect !== 'label' && (seeds === undefined || path !== 'seed'))
    .flatMap(({ path, after }) => ['--set', `${path}=${typeof after === 'string' ? after : JSON.stringify(after)}`]);
  const where = backend === undefined ? [] : ['--backend', backend];
  const over = seeds === undefined ? [] : ['--seeds', seeds];
  return ['npm', 'run', 'shoal', '--', 'run', scenario, ...over, ...sets, ...where].map(quoteWord).join(' ');
}

/** A shell takes no longer word: Linux no more than 128 KiB. */
const LONGEST_COMMAND = 100_000;

/** @returns undefined while there is no scenario */
export function commandOfRun(
  laboratory: Laboratory,
  { course, scenario: { appliedScenario, origin, openedScenario } }: Pick<RunView, 'course' | 'scenario'>,
  info: PageRunInfo | undefined = course.info.value,
): RunCommand | undefined {
  const running = info?.scenario ?? appliedScenario.value;
  if (!running) return undefined;
  const { name, kind } = origin.value;
  const original =
    kind === 'bundled'
      ? catalogueOf(laboratory).bundledScenario(name.replace(/\.json$/, '')).scenario
      : openedScenario.value;
  const backend = info?.backend.name;
  const line = commandLine({ origin: { name, kind }, original: original ?? running, running, backend });
  // A run folder has no file of its scenario that a command could name.
  return { line, needs: kind === 'run' ? name : undefined };
}

/** Copies a command, and says what it needs. @param saving saves the scenario as a file; undefined where that cannot be done here */
export async function copyRunCommand(
  { host, notices: { notify } }: Pick<Laboratory, 'host' | 'notices'>,
  { line, needs }: RunCommand,
  saving: (() => void) | undefined,
): Promise<void> {
  const save = saving ? [{ title: 'Save scenario…', run: saving }] : [];
  if (line.length > LONGEST_COMMAND) {
    notify('warning', 'The command would be too long', {
      lines: [`Found ${line.length} characters, allowed: ${LONGEST_COMMAND}: save the scenario and run the file.`],
      actions: save,
    });
    return;
  }
  const lines = needs === undefined ? [line] : [`It needs the scenario as a file: save it as ${needs} first.`, line];
  const actions = needs === undefined ? [] : save;
  try {
    await host.copyText(line);
    notify(needs === undefined ? 'information' : 'warning', 'Copied the command', { lines, actions });
  } catch {
    // Without leave to write to the clipboard the line can still be copied by hand.
    notify('warning', 'The clipboard cannot be written; the command is', { lines, actions });
  }
}
