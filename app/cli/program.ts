/** The commands with their arguments and options. Each command's code is loaded when it is called. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from './context.ts';
import type { CommonOptions, Context, ExitCode, Installation } from './context.ts';
import type { ApplyOptions } from './commands/apply.ts';
import { EXPLANATION_KINDS, STATE_VARIABLES } from '../../engine/index.ts';
import type { BenchOptions } from './commands/bench.ts';
import type { BundleOptions } from './commands/bundle.ts';
import type { CheckOptions } from './commands/check.ts';
import type { ExplainOptions } from './commands/explain.ts';
import type { NewOptions } from './commands/new.ts';
import type { ReproduceOptions } from './commands/reproduce.ts';
import type { ReportOptions } from './commands/report.ts';
import type { RunOptions } from './run/options.ts';
import type { SchemaOptions } from './commands/schema.ts';
import type { StartOptions } from './commands/start.ts';
import type { TuneOptions } from './commands/tune.ts';
import type { Chunk } from './sweep/chunk.ts';
import type { SweepOptions } from './sweep/options.ts';
import { createTerminal } from './terminal.ts';
import { packageOf } from './versions.ts';

type Action<Options> = (context: Context, given: readonly string[], options: Options) => Promise<ExitCode>;

interface CommandLine {
  /** Parses and runs. @throws CommanderError for bad usage, and for --help with exit code 0 */
  run(): Promise<ExitCode>;
}

const BACKENDS = ['auto', 'webgpu', 'wasm', 'reference'] as const;
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;
/** As many as the backend uses. */
const MOST_THREADS = 16;

function parseSeed(text: string): number {
  const seed = Number(text);
  if (text.trim() === '' || !Number.isInteger(seed) || seed < 0 || seed > LARGEST_SEED) {
    throw new InvalidArgumentError(`A seed is a whole number from 0 to ${LARGEST_SEED}.`);
  }
  return seed;
}

function parseThreads(text: string): number {
  const threads = Number(text);
  if (text.trim() === '' || !Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS) {
    throw new InvalidArgumentError(`Threads are a whole number from 1 to ${MOST_THREADS}.`);
  }
  return threads;
}

/** Processes that a machine may be asked for. */
const MOST_WORKERS = 1024;

function parseWorkers(text: string): number {
  const workers = Number(text);
  if (text.trim() === '' || !Number.isInteger(workers) || workers < 1 || workers > MOST_WORKERS) {
    throw new InvalidArgumentError(`Workers are a whole number from 1 to ${MOST_WORKERS}.`);
  }
  return workers;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (text.trim() === '' || !Number.isInteger(count) || count < 0)
    throw new InvalidArgumentError('A whole number is needed.');
  return count;
}

/** A number of which there is one at least. */
function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Allowed are whole numbers from 1 to 999999.');
  return Number(text);
}

/** @returns the members of a list such as 0,4-7, ascending, each once */
function parseMembers(text: string): readonly number[] {
  const ranges = text.split(',').map((part) => /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part.trim()));
  const members = new Set<number>();
  for (const range of ranges) {
    const [first, last] = range ? [Number(range[1]), Number(range[2] ?? range[1])] : [1, 0];
    if (last < first)
      throw new InvalidArgumentError('Allowed are members and ranges of them, from 0, for example 0,4-7.');
    for (let member = first; member <= last; member++) members.add(member);
  }
  return [...members].sort((a, b) => a - b);
}

function parseChunk(text: string): Chunk {
  const [, part, of] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  if (part === undefined) throw new InvalidArgumentError('A chunk is I/N, the I-th of N parts, for example 3/16.');
  return { part: Number(part), of: Number(of) };
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** @param what it is, as the message begins */
function wholeNumber(what: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new InvalidArgumentError(`${what} is a whole number, from 0 on.`);
  };
}

function parseCell(text: string): { readonly x: number; readonly y: number } {
  const [, x, y] = /^(\d{1,9}),(\d{1,9})$/.exec(text) ?? [];
  if (x !== undefined && y !== undefined) return { x: Number(x), y: Number(y) };
  throw new InvalidArgumentError('A cell is x,y: two whole numbers, from 0 on.');
}

function parseValue(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('A value is a number.');
}

/** A kind of question among several. */
function collectKind(value: string, before: readonly string[] = []): readonly string[] {
  if (EXPLANATION_KINDS.some((kind) => kind === value)) return collect(value, before);
  throw new InvalidArgumentError(`Allowed choices are ${EXPLANATION_KINDS.join(', ')}.`);
}

/** A backend among several. */
function collectBackend(value: string, before: readonly string[] = []): readonly string[] {
  if (BACKENDS.some((name) => name === value)) return collect(value, before);
  throw new InvalidArgumentError(`Allowed choices are ${BACKENDS.join(', ')}.`);
}

function backendOption(): Option {
  return new Option('--backend <name>', 'where the numbers are computed; auto: webgpu on a real GPU, else wasm')
    .choices(BACKENDS)
    .default('auto');
}

function threadsOption(): Option {
  return new Option(
    '--threads <number>',
    'of the wasm backend (default: as many as the machine has); the numbers do not depend on it',
  ).argParser(parseThreads);
}

const JSON_OPTION = new Option('--json', 'print one JSON document on stdout and nothing else there');

function addCommon(command: Command): Command {
  const hasJson = command.options.some(({ long }) => long === JSON_OPTION.long);
  return (hasJson ? command : command.addOption(JSON_OPTION))
    .option('--quiet', 'no progress and no notes on stderr')
    .option('--verbose', 'more detail; errors show where they arose');
}

export function createProgram(argv: readonly string[], installation: Installation): CommandLine {
  let exitCode: ExitCode = EXIT.done;
  const program = addCommon(new Command('shoal'))
    .description('Twin experiments of data assimilation on shallow water: 3D-Var, LETKF and the EnKF side by side.')
    .version(packageOf(installation).version, '--version', 'print the version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });

  /** Adds a command whose action gets its arguments as one list. */
  const add = <Options extends CommonOptions>(
    command: Command,
    load: () => Promise<{ readonly default: Action<Options> }>,
  ): void => {
    addCommon(command)
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
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

  add<RunOptions>(
    new Command('run')
      .description('run a twin experiment for each method, print one table, write a run folder')
      .argument('<scenario.json>', 'a scenario file, or the name of one that ships')
      .option('--method <name>', 'only this method, by label or kind; may be repeated', collect)
      .addOption(backendOption())
      .addOption(threadsOption())
      .option('--out <folder>', 'the run folder (default: runs/<scenario>-<seed>-<time>)')
      .option('--set <path=value>', 'change the scenario, e.g. grid.nx=128; may be repeated', collect)
      .option('--seed <number>', 'the seed, in place of the scenario’s', parseSeed)
      .addOption(
        new Option(
          '--fields <what>',
          'write the states of the cycles as fields.nc (NetCDF-4): of the means, or of members as well',
        ).choices(['mean', 'members', 'none']),
      )
      .option(
        '--members <list>',
        'of these members alone, from 0, for example 0,4-7; with --fields members',
        parseMembers,
      )
      .option('--every <n>', 'of every n-th cycle, with --fields', parsePositive)
      .addOption(
        new Option(
          '--branch <name>',
          'run this branch of the scenario alone: its name, or its number from 1',
        ).conflicts('branches'),
      )
      .option('--branches', 'run the scenario and all of its branches, each into a folder inside of --out')
      .option('--allow-long', 'start also what is estimated to take more than a day')
      .option('--resume', 'continue the run in --out, or the latest unfinished one of this scenario'),
    () => import('./commands/run.ts'),
  );
  add<ExplainOptions>(
    new Command('explain')
      .description('why the analysis of one cycle is what it is: covariances, weights, and what each observation makes')
      .argument('<run folder>', 'a folder that `shoal run` wrote; the cycle is computed again from it')
      .addOption(
        new Option('--cycle <number>', 'the cycle, counted from 0')
          .argParser(wholeNumber('A cycle'))
          .makeOptionMandatory(),
      )
      .addOption(new Option('--at <x,y>', 'the cell of the grid that is asked about').argParser(parseCell))
      .addOption(
        new Option(
          '--observation <number>',
          'the observation of the cycle that is asked about, counted from 0',
        ).argParser(wholeNumber('An observation')),
      )
      .addOption(
        new Option('--value <number>', 'what that observation is taken to have read instead').argParser(parseValue),
      )
      .option('--minimisation', 'how 3D-Var or the hybrid found its increment, iteration by iteration')
      .addOption(
        new Option(
          '--variable <name>',
          'of the state in the cell, and of increments by iteration; the model’s first where left out',
        ).choices(STATE_VARIABLES),
      )
      .option('--method <name>', 'only this method, by label or kind; may be repeated', collect)
      .option(
        '--kind <kind>',
        `only this kind of question; may be repeated: ${EXPLANATION_KINDS.join(', ')}`,
        collectKind,
      )
      .option('--out <folder>', 'write fields as .npy, [variable][y][x]; increments by iteration, [iteration][y][x]')
      .addOption(
        new Option('--backend <name>', 'where the cycle is computed again; auto: where the run was')
          .choices(BACKENDS)
          .default('auto'),
      )
      .addOption(threadsOption()),
    () => import('./commands/explain.ts'),
  );
  add(
    new Command('compare')
      .description('put finished runs in one table, and say which differences are more than chance')
      .argument('<folder...>', 'folders of runs, or of cases of a sweep; two or more'),
    () => import('./commands/compare.ts'),
  );
  add<BundleOptions>(
    new Command('bundle')
      .description('make one file of a run that reproduces it: scenario, files, seed, versions, expected numbers')
      .argument('<run folder>', 'a folder that `shoal run` wrote, or the window saved')
      .option('--out <file.shoal>', 'the file (default: the folder’s name with .shoal)'),
    () => import('./commands/bundle.ts'),
  );
  add<ReproduceOptions>(
    new Command('reproduce')
      .description(
        'run a bundle again and hold it against its numbers: bit for bit, or within its statistics elsewhere',
      )
      .argument('<file.shoal>', 'a file that `shoal bundle` wrote, or a run folder')
      .addOption(
        new Option('--backend <name>', 'where it is computed; auto: where the run was')
          .choices(BACKENDS)
          .default('auto'),
      )
      .addOption(threadsOption())
      .option('--allow-long', 'start also what is estimated to take more than a day'),
    () => import('./commands/reproduce.ts'),
  );
  add<ReportOptions>(
    new Command('report')
      .description('write runs as one page that needs nothing beside it: setup, verdict, maps, curves, kernels')
      .argument('<run folder...>', 'folders that `shoal run` wrote; several are put beside each other')
      .option('--out <file>', 'the page', 'report.html'),
    () => import('./commands/report.ts'),
  );
  add<StartOptions>(
    new Command('start')
      .description('open the desktop application: in Electron where it is installed, otherwise in the browser')
      .argument('[scenario.json]', 'a scenario file, or the name of one that ships (default: one-stone)')
      .option('--no-open', 'print the address and open no window')
      .option('--headless', 'run the scenario in the terminal instead')
      .addOption(backendOption()),
    () => import('./commands/start.ts'),
  );
  add(
    new Command('validate')
      .description('check scenario files, without running')
      .argument('<scenario.json...>', 'scenario files'),
    () => import('./commands/validate.ts'),
  );
  add<SweepOptions>(
    new Command('sweep')
      .description('run a scenario over values of its settings and over seeds, in processes beside each other')
      .argument('<sweep.json>', 'scenario, grid or cases, seeds, measures; or the name of one that ships')
      .addOption(backendOption())
      .option('--out <folder>', 'the sweep’s folder (default: sweeps/<name>); what is done there is not run again')
      .option('--workers <number>', 'processes (default: one for each core)', parseWorkers)
      .option('--resume', 'continue the sweep in the folder; an error where there is none')
      .option('--retry', 'run again the cases that failed')
      .option('--dry-run', 'say how many cases there are and what they will take, and run none')
      .option('--chunk <I/N>', 'run the I-th of N parts, as a task of a cluster does; writes no tables', parseChunk)
      .option('--collect', 'write the tables of the cases that are there, and run none')
      .option('--slurm', 'run the cases as an array of tasks of Slurm, and watch it; with --dry-run print its script')
      .option(
        '--slurm-option <name=value>',
        'of sbatch, without dashes, e.g. partition=short; time, mem, cpus-per-task and gres in place of what is estimated; may be repeated',
        collect,
      )
      .option('--chunk-size <cases>', 'cases of one task (default: about five minutes of work)', parsePositive)
      .option('--at-once <tasks>', 'tasks that run at the same time, at most', parsePositive),
    () => import('./commands/sweep.ts'),
  );
  add<TuneOptions>(
    new Command('tune')
      .description('find the best settings of a method of a scenario, over seeds, and write a scenario that has them')
      .argument('<scenario.json>', 'a scenario file, or the name of one that ships')
      .option('--method <name>', 'the method, by label or kind')
      .option(
        '--parameter <path=values>',
        'a setting of the method to tune, as path, path=1,2,4 or path=from:to:count; may be repeated (default: what its kind suggests)',
        collect,
      )
      .option('--measure <name>', 'what is judged by (default: skill, or rmse.analysis.h without a free run)')
      .option('--seeds <number>', 'with how many each setting is run (default: 6)', parseCount)
      .option('--levels <number>', 'how often the steps around the best are halved (default: 2)', parseCount)
      .option('--set <path=value>', 'change the scenario first; may be repeated', collect)
      .addOption(backendOption())
      .option('--workers <number>', 'processes (default: one for each core)', parseWorkers)
      .option(
        '--folder <folder>',
        'of the cases; what is done there is not run again (default: runs/tune-<scenario>-<method>)',
      )
      .option('--out <file>', 'the scenario that is written (default: <scenario>-<method>-tuned.json)')
      .option('--overwrite', 'write the scenario also where the file exists'),
    () => import('./commands/tune.ts'),
  );
  add<SchemaOptions>(
    new Command('schema')
      .description('print the JSON Schema of scenario files')
      .option('--sweep', 'that of the files of sweeps instead'),
    () => import('./commands/schema.ts'),
  );
  add<NewOptions>(
    new Command('new')
      .description('write a scenario file to start from')
      .argument('<file>', 'the file to write; it must not exist')
      .option('--from <name>', 'the scenario to copy, of those that ship'),
    () => import('./commands/new.ts'),
  );
  add<ApplyOptions>(
    new Command('apply')
      .description('apply operators to .npy arrays and compare with expected ones')
      .argument('<folder...>', 'case folders, each with a case.json')
      .addOption(backendOption())
      .addOption(threadsOption())
      .option('--out <folder>', 'write each output as <folder>/<case>/<name>.npy'),
    () => import('./commands/apply.ts'),
  );
  add<BenchOptions>(
    new Command('bench')
      .description('time the kernels and a whole cycle, beside the published figures and what this machine can reach')
      .argument(
        '[suite...]',
        'recursive-filter, convolution, letkf, gain-covariance, shallow-water, cycle, answer (default: all); or stage by itself',
      )
      .option(
        '--backend <name>',
        'where; may be repeated: auto, webgpu, wasm, reference (default: auto)',
        collectBackend,
      )
      .addOption(threadsOption())
      .option('--quick', 'small sizes, over in seconds')
      .option('--png <file>', 'of stage: write what it drew')
      .option('--papers', 'every row of the published tables that can be run here: many minutes')
      .option('--markdown <file>', 'write tables in Markdown, one for each published one')
      .option(
        '--tune',
        'instead: pick anew among the variants of the kernels, print what each took, and keep the choices in the cache folder; ' +
          'the numbers do not depend on them',
      )
      .option('--json [file]', 'write one JSON document to a file; to stdout, and nothing else there, where it is -'),
    () => import('./commands/bench.ts'),
  );
  add<CheckOptions>(
    new Command('check')
      .description('whether what is installed here computes what it should, with the evidence; under a minute')
      .addOption(backendOption())
      .addOption(threadsOption())
      .option('--out <file.html>', 'write a page that can be shared: one file, nothing from the network'),
    () => import('./commands/check.ts'),
  );
  add(
    new Command('doctor').description('what this machine offers, what is missing, and what adds it'),
    () => import('./commands/doctor.ts'),
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
