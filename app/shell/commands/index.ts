/** What can be done with the whole window, as commands. The stage adds its own. */
import { branchCommands, forkCommands } from '../../features/branches/branch-strip.tsx';
import { differenceCommands } from '../../features/difference/index.ts';
import { evidenceCommands } from '../evidence/index.tsx';
import { aboutCommands } from '../../features/about/index.tsx';
import { lessonCommands } from '../../features/lessons/lesson-edits.ts';
import { courseCommands } from '../../features/course/index.tsx';
import { draftCommands } from '../settings/index.tsx';
import { keptRunCommands, runListCommands } from '../../features/runs/run-commands.ts';
import { presentingCommands } from '../../features/presenting/index.tsx';
import { seedsCommands } from '../../features/seeds/seeds-state.ts';
import { worldCommands } from '../../features/world/world-bar.tsx';
import { xrayCommands } from '../../features/x-ray/xray-bar.tsx';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { editCommands, runCommands } from './run.ts';
import { fileCommands, scenarioCommands, linkCommands } from './file.ts';
import { helpCommands, viewCommands } from './view.ts';
import { stageCommands } from '../stage/stage-commands.ts';

/** Registers all that can be done with the page and a run. @returns what takes them away again */
export function registerAppCommands(laboratory: Laboratory, run: RunView): () => void {
  const { registerCommands, registerCommandSource } = laboratory.commands;
  const withdrawals = [
    registerCommandSource(() => draftCommands(laboratory, run)),
    registerCommandSource(() => scenarioCommands(laboratory, run)),
    registerCommandSource(() => branchCommands(run)),
    registerCommandSource(() => differenceCommands(run)),
    registerCommandSource(() => keptRunCommands(laboratory, run)),
    registerCommands([
      ...aboutCommands(laboratory),
      ...evidenceCommands(laboratory, run),
      ...fileCommands(laboratory, run),
      ...linkCommands(laboratory, run),
      ...editCommands(run),
      ...lessonCommands(laboratory, run),
      ...courseCommands(laboratory, run),
      ...runCommands(run),
      ...seedsCommands(laboratory, run),
      ...forkCommands(laboratory, run),
      ...viewCommands(laboratory),
      ...presentingCommands(run),
      ...runListCommands(laboratory),
      ...stageCommands(run),
      ...worldCommands(run),
      ...xrayCommands(laboratory, run),
      ...helpCommands(laboratory),
    ]),
  ];
  return () => {
    for (const withdraw of withdrawals) withdraw();
  };
}
