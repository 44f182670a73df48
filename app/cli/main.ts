/**
 * The command line's entry: the commands with their examples, each loaded when it is called; runs one, and turns what comes back into
 * an exit code.
 */
import { CommanderError, Argument, Command } from 'commander';
import { EXIT, createTerminal, describeFailure, systemReason, isSystemError } from './context.ts';
import type { Installation, CommonOptions, Context, ExitCode } from './context.ts';
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

/** Nobody reads on: the reader of a pipe has ended, or the terminal was closed. */
const NOBODY_READS = new Set(['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

interface Stream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string): unknown;
}

/**
 * What becomes of a command when its words cannot be written any more: it continues, since its work is worth more than they are.
 * A reader that has seen enough (`| head`), or a terminal that was closed, is no failure; a result that was lost is one.
 *
 * Keeps errors of the two streams from ending the process. One line says that the result was lost, and the exit code is then
 * not 0.
 */
export function outliveOutput(
  stdout: Stream,
  stderr: Stream,
  ending: Pick<NodeJS.Process, 'exitCode'> & { on(event: 'exit', listener: () => void): unknown } = process,
): void {
  let isLost = false;
  stderr.on('error', () => undefined);
  stdout.on('error', (error) => {
    if (isLost || NOBODY_READS.has(error.code ?? '')) return;
    isLost = true;
    const why = isSystemError(error) ? systemReason(error) : error.message;
    stderr.write(`shoal: the result was lost: standard output: ${why}\n`);
  });
  // The command sets its own code when it is done, before or after an error comes.
  ending.on('exit', () => {
    if (isLost && (ending.exitCode === undefined || ending.exitCode === EXIT.done)) ending.exitCode = EXIT.failed;
  });
}

/**
 * npm prints two lines on stdout before a script begins, which make one document of JSON two things.
 *
 * @param isTerminal whether people read stdout
 * @returns what to say about that; undefined if nothing
 */
export function npmBanner(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): string | undefined {
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = environment;
  if (isTerminal || script !== 'shoal' || level === 'silent' || !argv.includes('--json')) return undefined;
  return 'shoal: npm has printed two lines before the JSON document; npm run --silent shoal -- … leaves them off';
}

/**
 * @param argv the arguments after the program's name
 * @returns when the command is done; the exit code is in process.exitCode
 */
export async function main(argv: readonly string[], installation: Installation): Promise<void> {
  outliveOutput(process.stdout, process.stderr);
  const verbose = argv.includes('--verbose');
  const banner = npmBanner(argv, process.env, process.stdout.isTTY);
  if (banner !== undefined) process.stderr.write(`${banner}\n`);
  if (verbose) process.setSourceMapsEnabled(true);
  try {
    process.exitCode = await createProgram(argv, installation).run();
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      process.exitCode = EXIT.done;
      return;
    }
    const { lines, exitCode } = describeFailure(error);
    for (const line of lines) process.stderr.write(`shoal: ${line}\n`);
    if (verbose && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = exitCode;
  }
}
