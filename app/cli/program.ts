/** The commands with their arguments and options. Each command's code is loaded when it is called. */
import { Argument, Command } from 'commander';
import { SHELLS } from './completion/script.ts';
import { EXIT } from './context.ts';
import type { CommonOptions, Context, ExitCode, Installation } from './context.ts';
import type { AddCommand, Load } from './program/add-command.ts';
import { helpAfter } from './program/examples.ts';
import { addMachine } from './program/machine.ts';
import { addCommon } from './program/options.ts';
import { addRuns } from './program/runs.ts';
import { addScenarios } from './program/scenarios.ts';
import { addSweeps } from './program/sweeps.ts';
import { createTerminal } from './terminal.ts';
import { packageOf } from './installation.ts';

interface CommandLine {
  /** Parses and runs. @throws CommanderError for bad usage, and for --help with exit code 0 */
  run(): Promise<ExitCode>;
}

export function createProgram(argv: readonly string[], installation: Installation): CommandLine {
  let exitCode: ExitCode = EXIT.done;
  const program = addCommon(new Command('shoal'))
    .description('Twin experiments of data assimilation on shallow water: 3D-Var, LETKF and the EnKF side by side.')
    .version(packageOf(installation).version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText('after', helpAfter('shoal'));

  const add: AddCommand = <Options extends CommonOptions>(command: Command, load: Load<Options>): void => {
    addCommon(command)
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .addHelpText('after', helpAfter(command.name()))
      .action(async () => {
        const options = command.optsWithGlobals<Options>();
        const context: Context = {
          terminal: createTerminal(options, process.stdout, process.stderr),
          installation,
          argv,
        };
        const { default: action } = await load();
        exitCode = await action(context, command.args, options);
      });
    program.addCommand(command);
  };

  for (const addGroup of [addRuns, addScenarios, addSweeps, addMachine]) addGroup(add);
  add(
    new Command('completion')
      .description('print a script with which a shell completes commands, options and names of scenarios')
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS)),
    async () => {
      const { completion } = await import('./commands/completion.ts');
      return { default: (context, given) => completion(context, given, program.commands) };
    },
  );

  return {
    async run() {
      if (argv.length === 0) {
        program.outputHelp();
        return EXIT.badInput;
      }
      await program.parseAsync([...argv], { from: 'user' });
      return exitCode;
    },
  };
}
