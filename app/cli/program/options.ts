/** Options that several commands have, and how values of arguments and options are read and checked. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommonOptions, Context, ExitCode } from '../context.ts';
import { EXPLANATION_KINDS, parseMemberList, parseSeeds, type CovarianceTimes } from '../../../engine/index.ts';
import type { Chunk } from '../sweep/definition-source.ts';

/** The shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** As many as the backend uses. */
const MOST_THREADS = 16;
/** Processes that a machine may be asked for. */
const MOST_WORKERS = 1024;

/** @param what it is, as the message begins */
function wholeBetween(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`${what} a whole number from ${least} to ${most}.`);
  };
}

/** Values of arguments and options, read and checked. */
export const parseSeed = wholeBetween('A seed is', 0, Number.MAX_SAFE_INTEGER);
const parseThreads = wholeBetween('Threads are', 1, MOST_THREADS);
export const parseWorkers = wholeBetween('Workers are', 1, MOST_WORKERS);

export function parseCount(text: string): number {
  const count = Number(text);
  if (text.trim() === '' || !Number.isInteger(count) || count < 0)
    throw new InvalidArgumentError('A whole number is needed.');
  return count;
}

/** A whole number of at least 1. */
export function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Allowed are whole numbers from 1 to 999999.');
  return Number(text);
}

/** @returns the members of a list such as 0,4-7, ascending, each once */
export function parseMembers(text: string): readonly number[] {
  const members = parseMemberList(text);
  if (members) return members;
  throw new InvalidArgumentError('Allowed are members and ranges of them, from 0, for example 0,4-7.');
}

/** @returns the seeds of a count, a range or a list: 10, 3-12, 1,5,9 */
export function parseSeedList(text: string): readonly number[] {
  const seeds = parseSeeds(text);
  if (typeof seeds !== 'string') return seeds;
  throw new InvalidArgumentError(`${seeds[0].toUpperCase()}${seeds.slice(1)}.`);
}

export function parseChunk(text: string): Chunk {
  const [, part, of] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  if (part === undefined) throw new InvalidArgumentError('A chunk is I/N, the I-th of N parts, for example 3/16.');
  return { part: Number(part), of: Number(of) };
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** @param what it is, as the message begins */
export function wholeNumber(what: string, most?: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) <= (most ?? Infinity)) return Number(text);
    throw new InvalidArgumentError(`${what} is a whole number, ${most === undefined ? 'from 0 on' : `0 to ${most}`}.`);
  };
}

export function parseCell(text: string): { readonly x: number; readonly y: number } {
  const [, x, y] = /^(\d{1,9}),(\d{1,9})$/.exec(text) ?? [];
  if (x !== undefined && y !== undefined) return { x: Number(x), y: Number(y) };
  throw new InvalidArgumentError('A cell is x,y: two whole numbers, from 0 on.');
}

/** Two shares of a window. */
export function parseTimes(text: string): CovarianceTimes {
  const [field, cell, more] = text.split(',').map((share) => (share.trim() === '' ? NaN : Number(share)));
  if (more === undefined && field >= 0 && field <= 1 && cell >= 0 && cell <= 1) return { field, cell };
  throw new InvalidArgumentError('Times are field,cell: two shares of the window, 0 to 1.');
}

export function parseValue(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('A value is a number.');
}

/** A kind of question among several. */
export function collectKind(value: string, before: readonly string[] = []): readonly string[] {
  if (EXPLANATION_KINDS.some((kind) => kind === value)) return collect(value, before);
  throw new InvalidArgumentError(`Allowed choices are ${EXPLANATION_KINDS.join(', ')}.`);
}

type Action<Options> = (context: Context, given: readonly string[], options: Options) => Promise<ExitCode>;

/** Loads what carries a command out. */
export type Load<Options> = () => Promise<{ readonly default: Action<Options> }>;

/** Adds a command whose action gets its arguments as one list. */
export type AddCommand = <Options extends CommonOptions>(command: Command, load: Load<Options>) => void;

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
