/** What is done with many runs. */
import { Command } from 'commander';
import type { SweepOptions } from '../sweep/options.ts';
import type { TuneOptions } from '../commands/tune.ts';
import type { AddCommand } from './add-command.ts';
import { collect, parseChunk, parseCount, parsePositive, parseWorkers } from './arguments.ts';
import { backendOption } from './options.ts';

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
