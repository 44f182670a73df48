/** What is done with scenario files, in a window or without running them. */
import { Command } from 'commander';
import type { StartOptions } from '../commands/start.ts';
import type { SchemaOptions } from '../commands/schema.ts';
import type { NewOptions } from '../commands/new.ts';
import type { AddCommand } from './add-command.ts';
import { backendOption } from './options.ts';

export function addScenarios(add: AddCommand): void {
  add<StartOptions>(
    new Command('start')
      .description('open the desktop application: in Electron where it is installed, otherwise in the browser')
      .argument('[scenario.json]', 'a scenario file, or the name of one that ships (default: one-stone)')
      .option('--no-open', 'print the address and open no window')
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
  add(
    new Command('list').description('list the scenarios and sweeps that ship, with a line about each'),
    () => import('../commands/list.ts'),
  );
  add<SchemaOptions>(
    new Command('schema')
      .description('print the JSON Schema of scenario files')
      .option('--sweep', 'that of the files of sweeps instead'),
    () => import('../commands/schema.ts'),
  );
  add<NewOptions>(
    new Command('new')
      .description('write a scenario file to start from')
      .argument('<file>', 'the file to write; it must not exist')
      .option('--from <name>', 'the scenario to copy, of those that ship'),
    () => import('../commands/new.ts'),
  );
}
