/** What can be done with a run of the list: run it again, take its settings, copy its command, take it away. */
import { formatScenario } from '../../../engine/index.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { copyRunCommand } from '../../document/run/run-command.ts';
import type { RunView } from '../../document/run-view.ts';
import { runTitle } from './kept-run.ts';
import type { KeptRun } from './kept-run.ts';
import { openingOf } from '../opening/open-scenario.ts';
import { runsOf } from './runs-state.ts';

/** The name that its file would have. */
function fileNameOf({ scenario }: KeptRun): string {
  return `${scenario.name}.shoal.json`;
}

/** Computes the run again, from its scenario and its files. @returns whether it was opened */
export async function runAgain(run: RunView, kept: KeptRun): Promise<boolean> {
  const file = {
    name: fileNameOf(kept),
    bytes: new TextEncoder().encode(formatScenario(kept.raw)),
    siblings: (name: string) => Promise.resolve(kept.files[name]),
  };
  return openingOf(run).openFile(file, 'run');
}

/** Whether its settings can be those of the draft: not if they name files, which are beside another scenario. */
export function hasOwnSettings({ files }: KeptRun): boolean {
  return Object.keys(files).length === 0;
}

/** Puts its settings into the draft, as one step that can be undone; what was changed while it ran is not among them. */
export function takeSettings(
  { frame }: Pick<Laboratory, 'frame'>,
  { scenario }: Pick<RunView, 'scenario'>,
  kept: KeptRun,
): void {
  const { interventions: _interventions, ...settings } = kept.raw;
  scenario.editDraft(settings, `take the settings of run ${kept.number}`);
  frame.showPane('settings');
}

/** Copies the line that repeats it on the command line. */
export async function copyKeptCommand(laboratory: Pick<Laboratory, 'host' | 'notices'>, kept: KeptRun): Promise<void> {
  const { host, notices } = laboratory;
  const save = async (): Promise<void> => {
    try {
      const bytes = new TextEncoder().encode(formatScenario(kept.raw));
      const name = await host.save(fileNameOf(kept), 'application/json', bytes);
      if (name !== undefined) notices.notify('information', `Saved ${name}`);
    } catch (error) {
      notices.notify('error', 'Saving failed', { lines: [error instanceof Error ? error.message : String(error)] });
    }
  };
  await copyRunCommand(laboratory, kept.command, () => void save());
}

/** Takes it out of the list, and says how it comes back. */
export function removeRun(laboratory: Laboratory, kept: KeptRun): void {
  const { notices } = laboratory;
  const runs = runsOf(laboratory);
  runs.remove(kept.id);
  notices.notify('information', `Removed run ${kept.number}`, {
    lines: [runTitle(kept)],
    actions: [{ title: 'Undo', run: () => void runs.bringBack() }],
  });
}
