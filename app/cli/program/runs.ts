/** What is done with runs and their folders. */
import { Command, Option } from 'commander';
import { EXPLANATION_KINDS, SEEDS_HELP, STATE_VARIABLES } from '../../../engine/index.ts';
import type { RunOptions } from '../run/options.ts';
import type { ExplainOptions } from '../commands/explain.ts';
import type { BundleOptions } from '../commands/bundle.ts';
import type { ReproduceOptions } from '../commands/reproduce.ts';
import type { ReportOptions } from '../commands/report.ts';
import type { AddCommand } from './add-command.ts';
import {
  collect,
  collectKind,
  parseCell,
  parseMembers,
  parsePositive,
  parseSeed,
  parseSeedList,
  parseValue,
  parseWorkers,
  wholeNumber,
} from './arguments.ts';
import { BACKENDS, backendOption, threadsOption } from './options.ts';

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
          'of the state in the cell, and of increments by iteration; the model’s first if omitted',
        ).choices(STATE_VARIABLES),
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
