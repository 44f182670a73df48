/** The command that repeats the run on screen. */
import type { PageRunInfo } from './page-run.ts';
import { commandLine, type RunCommand } from './command-line.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../run-view.ts';
import { catalogueOf } from '../scenario/bundled-scenarios.ts';

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
