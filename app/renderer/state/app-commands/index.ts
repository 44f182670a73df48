/** What can be done with the whole window, as commands. Stage and charts add their own. */
import { registerCommands, registerCommandSource } from '../commands.ts';
import { EDIT_COMMANDS } from './edit.ts';
import { FILE_COMMANDS } from './file.ts';
import { HELP_COMMANDS } from './help.ts';
import { RUN_COMMANDS } from './run.ts';
import { scenarioCommands } from './scenarios.ts';
import { STAGE_COMMANDS } from './stage.ts';
import { VIEW_COMMANDS } from './view.ts';

/** Registers them all. @returns what takes them away again */
export function registerAppCommands(): () => void {
  const withdrawScenarios = registerCommandSource(scenarioCommands);
  const withdraw = registerCommands([
    ...FILE_COMMANDS,
    ...EDIT_COMMANDS,
    ...RUN_COMMANDS,
    ...VIEW_COMMANDS,
    ...STAGE_COMMANDS,
    ...HELP_COMMANDS,
  ]);
  return () => {
    withdrawScenarios();
    withdraw();
  };
}
