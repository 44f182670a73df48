/** What a shell completes, read from the commands themselves. */
import type { Command, Option } from 'commander';

export interface CompletedOption {
  /** `--out`, and `-o` where it has one. */
  readonly names: readonly string[];
  readonly help: string;
  readonly takesValue: boolean;
  /** The only values that are allowed; empty if any is. */
  readonly choices: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly help: string;
  readonly options: readonly CompletedOption[];
  /** Whether its argument may be the name of a scenario that ships. */
  readonly takesScenario: boolean;
  /** The only values of its argument that are allowed; empty if any is. */
  readonly choices: readonly string[];
}

function completedOption({ long, short, description, required, optional, argChoices }: Option): CompletedOption {
  return {
    names: [long, short].filter((name) => name !== undefined && name !== null),
    help: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/** @returns the commands as data */
export function completedCommands(commands: readonly Command[]): readonly CompletedCommand[] {
  return commands.map((command) => {
    const [argument] = command.registeredArguments;
    return {
      name: command.name(),
      help: command.description(),
      options: command.createHelp().visibleOptions(command).map(completedOption),
      takesScenario: argument?.name().startsWith('scenario.json') ?? false,
      choices: argument?.argChoices ?? [],
    };
  });
}
