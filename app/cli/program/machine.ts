/** What is done with kernels, and with the machine. */
import { Command } from 'commander';
import type { ApplyOptions } from '../commands/apply.ts';
import type { BenchOptions } from '../commands/bench.ts';
import type { CheckOptions } from '../commands/check.ts';
import type { AddCommand } from './add-command.ts';
import { backendOption, collectBackend, threadsOption } from './options.ts';

export function addMachine(add: AddCommand): void {
  add<ApplyOptions>(
    new Command('apply')
      .description('apply operators to .npy arrays and compare with expected ones')
      .argument('<folder...>', 'case folders, each with a case.json')
      .addOption(backendOption())
      .addOption(threadsOption())
      .option('-o, --out <folder>', 'write each output as <folder>/<case>/<name>.npy'),
    () => import('../commands/apply.ts'),
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
