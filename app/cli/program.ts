/** The commands with their arguments and options. Each command's code is loaded when it is called. */
import { Argument, Command } from 'commander';
import { EXIT, createTerminal, type CommonOptions, type Context, type ExitCode, type Installation } from './context.ts';
import { addCommon, SHELLS, type AddCommand, type Load } from './program/options.ts';
import { addMachine, addSweeps, addScenarios, addRuns } from './program/commands.ts';
import { packageOf } from './installation.ts';

/** By command, without the program's name. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  run: [
    'run one-stone',
    'run one-stone --seeds 10',
    'run my.json --set background.members=40 --method letkf -o runs/forty',
    'run one-stone --json -q > results.json',
    'new my.json && shoal run - < my.json',
  ],
  explain: [
    'explain runs/one-stone-7 --cycle 9 --at 20,30',
    'explain runs/one-stone-7 --cycle 9 --observation 4',
    'explain runs/one-stone-7 --cycle 9 --impact 1',
  ],
  compare: ['compare runs/one-stone-7 runs/one-stone-8'],
  bundle: ['bundle runs/one-stone-7 -o one-stone.shoal'],
  reproduce: ['reproduce one-stone.shoal'],
  report: ['report runs/one-stone-7 -o one-stone.html'],
  start: ['start', 'start my.json', 'start one-stone --no-open'],
  list: ['list', 'list --json'],
  validate: ['validate my.json other.json', 'validate one-stone --json', 'validate - < my.json'],
  schema: ['schema > scenario.schema.json', 'schema --sweep'],
  new: ['new my.json', 'new my.json --from sampling-error'],
  sweep: [
    'sweep first-light-letkf --dry-run',
    'sweep my-sweep.json --workers 4 -o sweeps/mine',
    'sweep my-sweep.json --slurm --slurm-option partition=short',
  ],
  tune: ['tune one-stone --method letkf', 'tune my.json --method letkf --parameter inflation=1,1.1,1.2 -o tuned.json'],
  apply: ['apply cases/letkf --backend reference -o computed'],
  bench: ['bench --quick', 'bench letkf cycle --backend wasm --json results.json'],
  check: ['check', 'check -o check.html'],
  doctor: ['doctor', 'doctor --json'],
  completion: ['completion bash > ~/.local/share/bash-completion/completions/shoal', 'completion fish | source'],
};

const EXIT_CODES = [
  'Exit codes:',
  '  0    done',
  '  1    a run or a check failed, or a method diverged',
  '  2    bad usage or bad input',
  '  130  stopped by Ctrl-C',
];

/** @returns what follows the options in a command's help */
export function helpAfter(command: string): string {
  const examples = (EXAMPLES[command] ?? []).map((words) => `  $ shoal ${words}`);
  return ['', ...(examples.length > 0 ? ['Examples:', ...examples, ''] : []), ...EXIT_CODES].join('\n');
}

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
