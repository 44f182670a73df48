/** `shoal completion`: a script with which a shell completes commands, options, their choices, and names of scenarios. */
import type { Command } from 'commander';
import { completedCommands, completionScript } from '../completion.ts';
import type { Shell } from '../completion.ts';

import { EXIT } from '../context.ts';
import type { Context, ExitCode } from '../context.ts';
import { shippedScenarios } from '../scenario-source.ts';

/** @param commands of the program */
export async function completion(
  { terminal, installation }: Context,
  [shell]: readonly string[],
  commands: readonly Command[],
): Promise<ExitCode> {
  const scenarios = await shippedScenarios(installation.root);
  terminal.stdout.write(completionScript(shell as Shell, completedCommands(commands), scenarios));
  return EXIT.done;
}
