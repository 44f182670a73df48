/** Options that several commands have. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { collect, parseThreads } from './arguments.ts';

export const BACKENDS = ['auto', 'webgpu', 'wasm', 'reference'] as const;

/** A backend among several. */
export function collectBackend(value: string, before: readonly string[] = []): readonly string[] {
  if (BACKENDS.some((name) => name === value)) return collect(value, before);
  throw new InvalidArgumentError(`Allowed choices are ${BACKENDS.join(', ')}.`);
}

export function backendOption(): Option {
  return new Option('--backend <name>', 'where the numbers are computed; auto: webgpu on a real GPU, else wasm')
    .choices(BACKENDS)
    .default('auto');
}

export function threadsOption(): Option {
  return new Option(
    '--threads <number>',
    'of the wasm backend (default: as many as the machine has); the numbers do not depend on it',
  ).argParser(parseThreads);
}

const JSON_OPTION = new Option('--json', 'print one JSON document on stdout and nothing else there');

export function addCommon(command: Command): Command {
  const hasJson = command.options.some(({ long }) => long === JSON_OPTION.long);
  return (hasJson ? command : command.addOption(JSON_OPTION))
    .option('-q, --quiet', 'no progress and no notes on stderr')
    .option('--verbose', 'more detail; errors show where they arose');
}
