/** The commands: their arguments and options, and the module that carries each out, loaded when it is called. */
import { Command, Option } from 'commander';
import type { ApplyOptions } from '../commands/apply.ts';
import type { BenchOptions } from '../commands/bench.ts';
import type { CheckOptions } from '../commands/check.ts';
import type { AddCommand } from './options.ts';
import {
  backendOption,
  collectBackend,
  threadsOption,
  collect,
  parseChunk,
  parseCount,
  parsePositive,
  parseWorkers,
  BACKENDS,
  collectKind,
  parseCell,
  parseTimes,
  parseMembers,
  parseSeed,
  parseSeedList,
  parseValue,
  wholeNumber,
} from './options.ts';
import type { SweepOptions } from '../sweep/definition-source.ts';
import type { TuneOptions } from '../commands/tune.ts';
import type { StartOptions } from '../commands/start.ts';
import type { SchemaOptions, NewOptions } from '../commands/scenarios.ts';
import { EXPLANATION_KINDS, MOST_LEAD, SEEDS_HELP } from '../../../engine/index.ts';
import type { RunOptions } from '../run/options.ts';
import type { ExplainOptions } from '../commands/explain.ts';
import type { BundleOptions } from '../commands/bundle.ts';
import type { ReproduceOptions } from '../commands/reproduce.ts';
import type { ReportOptions } from '../commands/report.ts';

/** What is done with runs and their folders. */
export function addRuns(add: AddCommand): void {
  add<RunOptions>(
    new Command('run')
      .description('run a twin experiment for each method, print one table, write a run folder')
      .argument('<scenario.json>', 'a scenario file, the name of one that ships, or - for standard input')
      .option('--method <name>', 'only this method, by label or kind; may be repeated', collect)
      .addOption(backendOption())
      .addOption(threadsOption())
      .option('-o, --out <folder>', 'the run folder (default: runs/<scenario>-<seed>-<time>)')
      .option('--set <path=value>', 'change the scenario, e.g. grid.nx=128; may be repeated', collect)
      .option('--seed <number>', 'the seed, in place of the scenario’s', parseSeed)
      .addOption(
        new Option(
          '--seeds <seeds>',
          `run with several seeds, and say which method is better over them: ${SEEDS_HELP}; a sweep, in --out (default: sweeps/<scenario>-<n>-seeds-<settings>)`,
        )
          .argParser(parseSeedList)
          .conflicts(['seed', 'branch', 'branches', 'fields', 'members', 'every']),
      )
      .option('--workers <number>', 'processes, with --seeds (default: one for each core)', parseWorkers)
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
      .addOption(
        new Option(
          '--impact <cycles>',
          `record what the observations of each cycle change about the forecast so many cycles later, 0 (the analysis) to ${MOST_LEAD}: by network in diagnostics.csv and the report, each in fields.nc`,
        ).argParser(wholeNumber('A number of cycles', MOST_LEAD)),
      )
      .option('--allow-long', 'start also what is estimated to take more than a day')
      .option('--resume', 'continue the run in --out, or the latest unfinished one of this scenario'),
    () => import('../commands/run.ts'),
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
          '--times <field,cell>',
          'with --at, of 4D-Var: when the covariance field is, and when the cell, as shares of the window',
        ).argParser(parseTimes),
      )
      .addOption(
        new Option(
          '--observation <number>',
          'the observation of the cycle that is asked about, counted from 0',
        ).argParser(wholeNumber('An observation')),
      )
      .addOption(
        new Option('--value <number>', 'what that observation is taken to have read instead').argParser(parseValue),
      )
      .option('--minimisation', 'how a variational method found its increment, iteration by iteration')
      .addOption(
        new Option(
          '--impact <cycles>',
          `what each observation changes about the forecast so many cycles later, 0 (the analysis) to ${MOST_LEAD}; with --out a table as .csv`,
        ).argParser(wholeNumber('A number of cycles', MOST_LEAD)),
      )
      .addOption(
        new Option(
          '--against <what>',
          'with --impact: what that forecast is compared with, the truth (the default) or the method’s own analysis',
        ).choices(['truth', 'analysis']),
      )
      .addOption(
        new Option(
          '--since <number>',
          'with --impact: also means over the cycles from this one to --cycle, by network and by region, with standard errors',
        ).argParser(wholeNumber('A cycle')),
      )
      .option(
        '--variable <name>',
        'of the state in the cell, and of increments by iteration; the model’s first if omitted',
      )
      .option('--method <name>', 'only this method, by label or kind; may be repeated', collect)
      .option(
        '--kind <kind>',
        `only this kind of question; may be repeated: ${EXPLANATION_KINDS.join(', ')}`,
        collectKind,
      )
      .option(
        '-o, --out <folder>',
        'write fields as .npy, [variable][y][x]; increments by iteration, [iteration][y][x]',
      )
      .addOption(
        new Option('--backend <name>', 'where the cycle is computed again; auto: where the run was')
          .choices(BACKENDS)
          .default('auto'),
      )
      .addOption(threadsOption()),
    () => import('../commands/explain.ts'),
  );
  add(
    new Command('compare')
      .description('put finished runs in one table, and say which differences are more than chance')
      .argument('<folder...>', 'folders of runs, or of cases of a sweep; two or more'),
    () => import('../commands/compare.ts'),
  );
  add<BundleOptions>(
    new Command('bundle')
      .description('make one file of a run that reproduces it: scenario, files, seed, versions, expected numbers')
      .argument('<run folder>', 'a folder that `shoal run` wrote, or the window saved')
      .option('-o, --out <file.shoal>', 'the file (default: the folder’s name with .shoal)'),
    () => import('../commands/bundle.ts'),
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
    () => import('../commands/reproduce.ts'),
  );
  add<ReportOptions>(
    new Command('report')
      .description('write runs as one page that needs nothing beside it: setup, verdict, maps, curves, kernels')
      .argument('<run folder...>', 'folders that `shoal run` wrote; several are put beside each other')
      .option('-o, --out <file>', 'the page', 'report.html'),
    () => import('../commands/report.ts'),
  );
}

/** What is done with scenario files, in a window or without running them. */
export function addScenarios(add: AddCommand): void {
  add<StartOptions>(
    new Command('start')
      .description('open the desktop application: in Electron where it is installed, otherwise in the browser')
      .argument('[scenario.json]', 'a scenario file, or the name of one that ships (default: one-stone)')
      .option('--no-open', 'print the address and open no window')
      .option('--stage', 'open in stage mode: the basins fill the screen')
      .option('--demo', 'play the lessons of all scenarios, one after the other, without end')
      .option('--headless', 'run the scenario in the terminal instead')
      .addOption(backendOption()),
    () => import('../commands/start.ts'),
  );
  add(
    new Command('validate')
      .description('check scenario files, without running')
      .argument('<scenario.json...>', 'scenario files, names of those that ship, or - for standard input'),
    () => import('../commands/validate.ts'),
  );
  add(new Command('list').description('list the scenarios and sweeps that ship, with a line about each'), async () => ({
    default: (await import('../commands/scenarios.ts')).list,
  }));
  add<SchemaOptions>(
    new Command('schema')
      .description('print the JSON Schema of scenario files')
      .option('--sweep', 'that of the files of sweeps instead'),
    async () => ({ default: (await import('../commands/scenarios.ts')).schema }),
  );
  add<NewOptions>(
    new Command('new')
      .description('write a scenario file to start from')
      .argument('<file>', 'the file to write; it must not exist')
      .option('--from <name>', 'the scenario to copy, of those that ship'),
    async () => ({ default: (await import('../commands/scenarios.ts')).newScenario }),
  );
}

/** What is done with many runs. */
export function addSweeps(add: AddCommand): void {
  add<SweepOptions>(
    new Command('sweep')
      .description('run a scenario over values of its settings and over seeds, in processes beside each other')
      .argument('<sweep.json>', 'scenario, grid or cases, seeds, measures; or the name of one that ships')
      .addOption(backendOption())
      .option('-o, --out <folder>', 'the sweep’s folder (default: sweeps/<name>); what is done there is not run again')
      .option('--workers <number>', 'processes (default: one for each core)', parseWorkers)
      .option('--resume', 'continue the sweep in the folder; an error if there is none')
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
    () => import('../commands/sweep.ts'),
  );
  add<TuneOptions>(
    new Command('tune')
      .description('find the best settings of a method of a scenario, over seeds, and write a scenario that has them')
      .argument('<scenario.json>', 'a scenario file, the name of one that ships, or - for standard input')
      .option('--method <name>', 'the method, by label or kind')
      .option(
        '--parameter <path=values>',
        'a setting of the method to tune, as path, path=1,2,4 or path=from:to:count; may be repeated (default: what its kind suggests)',
        collect,
      )
      .option('--measure <name>', 'what is judged by (default: skill, or rmse_analysis_h without a free run)')
      .option('--seeds <number>', 'with how many each setting is run (default: 6)', parseCount)
      .option('--levels <number>', 'how often the steps around the best are halved (default: 2)', parseCount)
      .option('--set <path=value>', 'change the scenario first; may be repeated', collect)
      .addOption(backendOption())
      .option('--workers <number>', 'processes (default: one for each core)', parseWorkers)
      .option(
        '--folder <folder>',
        'of the cases; what is done there is not run again (default: runs/tune-<scenario>-<method>)',
      )
      .option('-o, --out <file>', 'the scenario that is written (default: <scenario>-<method>-tuned.json)')
      .option('--overwrite', 'write the scenario also where the file exists'),
    () => import('../commands/tune.ts'),
  );
}

export function addMachine(add: AddCommand): void {
  add<ApplyOptions>(
    new Command('apply')
      .description('apply operators to arrays in .npy or CSV files and compare with expected ones')
      .argument('<folder...>', 'case folders, each with a case.json')
      .addOption(backendOption())
      .addOption(threadsOption())
      .option('-o, --out <folder>', 'write each output as <folder>/<case>/<name>.npy')
      .addOption(new Option('--format <format>', 'how outputs are written').choices(['npy', 'csv']).default('npy')),
    () => import('../commands/apply.ts'),
  );
  add<BenchOptions>(
    new Command('bench')
      .description('time the kernels and a whole cycle, beside the published figures and what this machine can reach')
      .argument(
        '[suite...]',
        'recursive-filter, convolution, letkf, gain-covariance, shallow-water, cycle, answer (default: all, with --papers those four of the papers); or stage by itself',
      )
      .option(
        '--backend <name>',
        'where; may be repeated: auto, webgpu, wasm, reference (default: auto)',
        collectBackend,
      )
      .addOption(threadsOption())
      .option('--quick', 'small sizes, over in seconds')
      .option('--png <file>', 'of stage: write what it drew')
      .option(
        '--papers',
        'every row of the published tables that can be run here: within twenty minutes, with --quick within two',
      )
      .option('--resume', 'continue a call with the same --json that was stopped')
      .option('--markdown <file>', 'write tables in Markdown, one for each published one')
      .option(
        '--from <file>',
        'instead, with --papers and --markdown: write the papers’ tables with results of --json; may be repeated, a file a machine',
        collect,
      )
      .option(
        '--tune',
        'instead: pick again among the variants of the kernels, print what each took, and keep the choices in the cache folder; ' +
          'the numbers do not depend on them',
      )
      .option('--json [file]', 'write one JSON document to a file; "-": JSON only, to stdout'),
    () => import('../commands/bench.ts'),
  );
  add<CheckOptions>(
    new Command('check')
      .description('whether what is installed here computes what it should, with the evidence; under a minute')
      .addOption(backendOption())
      .addOption(threadsOption())
      .option('-o, --out <file.html>', 'write a page that can be shared: one file, nothing from the network'),
    () => import('../commands/check.ts'),
  );
  add(
    new Command('doctor').description('what this machine offers, what is missing, and what adds it'),
    () => import('../commands/doctor.ts'),
  );
}
