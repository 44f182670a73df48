/**
 * Where a run folder keeps its files, the checksums of what is in it, and its files, which may have been cut off or changed by hand: JSON
 * that is checked, and files that only grow.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { assertShallow, isRecord, MAXIMUM_SCENARIO_BYTES, parseJsonText, parseWrittenJson } from '../scenario/index.ts';
import { describeValue, scenarioError, type Problem } from '../settings/index.ts';
import { ScenarioError } from '../errors.ts';

/**
 * SHA-256 of the files of a run folder, as lower-case hexadecimal digits: `sha256sum` gives the same. It finds damage and
 * careless edits; somebody who writes a new checksum as well is not kept from anything.
 *
 * Where a file ends and what it holds up to there.
 */
export interface Extent {
  readonly bytes: number;
  readonly sha256: string;
}

/** The checksum of something that grows. */
export interface RunningChecksum {
  add(bytes: Uint8Array): void;
  /** Extent of all that was added so far. */
  readonly extent: Extent;
  /** Another one that continues from here by itself. */
  fork(): RunningChecksum;
}

function runningFrom(hash: ReturnType<typeof sha256.create>, before: number): RunningChecksum {
  let bytes = before;
  return {
    add(more) {
      hash.update(more);
      bytes += more.byteLength;
    },
    get extent() {
      return { bytes, sha256: bytesToHex(hash.clone().digest()) };
    },
    fork: () => runningFrom(hash.clone(), bytes),
  };
}

export function createRunningChecksum(): RunningChecksum {
  return runningFrom(sha256.create(), 0);
}

/** @returns the extent of a whole file; by the platform's own code, which is faster for what is large, where it is offered */
export async function extentOf(bytes: Uint8Array): Promise<Extent> {
  // A page has it only where it was served securely.
  const subtle: Pick<typeof crypto.subtle, 'digest'> | undefined = globalThis.crypto?.subtle;
  const view = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', view)) : sha256(view);
  return { bytes: bytes.byteLength, sha256: bytesToHex(digest) };
}

/** @returns what is wrong with a file's content, or undefined where it is what it was */
export function extentProblem(found: Extent, written: Extent): string | undefined {
  if (found.bytes !== written.bytes) return `found ${found.bytes} bytes, ${written.bytes} were written`;
  return found.sha256 === written.sha256 ? undefined : 'its content is not what was written (checksum)';
}

/**
 * What the engine needs from the place where files are. Node, Electron and the browser each provide it; a test provides one
 * in memory. Paths are relative, with forward slashes. What was written is on the disk when the call returns; what could not
 * be written is an error, and leaves the file as it was.
 */
export interface Storage {
  /**
   * @param part bytes from a place on; fewer where the file ends before. The whole file if omitted.
   * @returns undefined when there is no such file
   */
  read(path: string, part?: FilePart): Promise<Uint8Array | undefined>;
  /** Writes a file, with its folder, whole or not at all: a reader sees the old content or the new. */
  writeWhole(path: string, content: Uint8Array | string): Promise<void>;
  /**
   * Writes after the first bytes of a file, which is made if there is none; what was behind them is cut off.
   * @param after how many bytes stay; the file has as many
   */
  append(path: string, after: number, content: Uint8Array): Promise<void>;
  /** @returns names of the files and folders in a folder, sorted; none when the folder does not exist */
  list(path: string): Promise<readonly string[]>;
  /** Removes a file, or a folder with all that it holds; nothing happens when there is none. */
  remove(path: string): Promise<void>;
}

interface FilePart {
  readonly from: number;
  readonly bytes: number;
}

/** @returns the file as text, or undefined when there is none */
export async function readText(storage: Storage, path: string): Promise<string | undefined> {
  const bytes = await storage.read(path);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

function inside(folder: string): (path: string) => boolean {
  return (path) => folder === '' || path.startsWith(`${folder}/`);
}

/** A file in memory that may grow: there is room behind its end, so that growing does not copy it each time. */
interface GrowingBytes {
  room: Uint8Array;
  length: number;
}

function appendTo(file: GrowingBytes, after: number, content: Uint8Array): void {
  if (after > file.length) throw new RangeError(`a file of ${file.length} bytes cannot be written after ${after}`);
  const length = after + content.byteLength;
  if (length > file.room.byteLength) {
    const room = new Uint8Array(Math.max(length, 2 * file.room.byteLength));
    room.set(file.room.subarray(0, after));
    file.room = room;
  }
  file.room.set(content, after);
  file.length = length;
}

/** A storage in memory: for tests, and for a run folder that is handed on as a whole. */
export function createMemoryStorage(): Storage & { readonly files: ReadonlyMap<string, Uint8Array> } {
  const stored = new Map<string, GrowingBytes>();
  const bytesOf = ({ room, length }: GrowingBytes): Uint8Array => room.subarray(0, length);
  return {
    get files() {
      return new Map([...stored].map(([path, file]) => [path, bytesOf(file).slice()]));
    },
    read: (path, part) => {
      const file = stored.get(path);
      const end = part === undefined ? undefined : part.from + part.bytes;
      return Promise.resolve(file && bytesOf(file).slice(part?.from, end));
    },
    writeWhole: (path, content) => {
      const room = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
      stored.set(path, { room, length: room.byteLength });
      return Promise.resolve();
    },
    append: async (path, after, content) => {
      const file = stored.get(path) ?? { room: new Uint8Array(0), length: 0 };
      appendTo(file, after, content);
      stored.set(path, file);
    },
    list: (folder) => {
      const start = folder === '' ? 0 : folder.length + 1;
      const names = [...stored.keys()].filter(inside(folder)).map((path) => path.slice(start).split('/')[0]);
      return Promise.resolve([...new Set(names)].sort());
    },
    remove: (path) => {
      for (const file of [...stored.keys()].filter((name) => name === path || inside(path)(name))) stored.delete(file);
      return Promise.resolve();
    },
  };
}

/** Bytes that are read at a time: a file may be larger than memory, or than the longest text there can be. */
const PART_BYTES = 2 ** 20;
const NEWLINE = 10;
/** No line of a run folder is nearly as long. */
const LONGEST_LINE_BYTES = 64 * PART_BYTES;

/**
 * A file of a run folder that only grows, by whole lines or records. How much of it counts is written elsewhere, in a commit
 * (`Extent`): those behind it were being written when the program ended, and are cut off by the next that is written.
 */
interface GrowingFile {
  /** Writes lines, each with its end, or records; when it fails the file is as it was, and the same may be tried again. */
  append(lines: string | Uint8Array): Promise<void>;
  /** Extent of what was written so far. */
  readonly extent: Extent;
}

/** @param kept the beginning that stays of what there is; everything is cut off if omitted */
export function createGrowingFile(
  storage: Storage,
  path: string,
  kept: RunningChecksum = createRunningChecksum(),
): GrowingFile {
  let checksum = kept.fork();
  let { extent } = checksum;
  let isCut = false;
  return {
    async append(lines) {
      // Also without lines, once: what the file has behind its beginning belongs to no run any more.
      if (lines.length === 0 && isCut) return;
      const bytes = typeof lines === 'string' ? new TextEncoder().encode(lines) : lines;
      if (bytes.byteLength > 0 || extent.bytes > 0) await storage.append(path, extent.bytes, bytes);
      else await storage.remove(path);
      isCut = true;
      const next = checksum.fork();
      next.add(bytes);
      checksum = next;
      ({ extent } = next);
    },
    get extent() {
      return extent;
    },
  };
}

/**
 * Reads the lines of a growing file as far as they were committed.
 *
 * @param committed all of the file, unchecked, if omitted
 * @param take is given each line without its end, and its number from 1; false: this line and those behind it are not kept
 * @returns the checksum of the lines that are kept, from which the file can grow on
 * @throws ScenarioError when the file is shorter than what was committed or its content is another
 */
export async function readLines(
  storage: Storage,
  path: string,
  committed: Extent | undefined,
  take: (line: string, number: number) => boolean | void,
): Promise<RunningChecksum> {
  const decoder = new TextDecoder();
  const checksum = createRunningChecksum();
  const end = committed?.bytes ?? Infinity;
  let kept: RunningChecksum | undefined;
  let rest = new Uint8Array(0);
  let from = 0;
  let number = 0;
  const takeLine = (line: Uint8Array): void => {
    number += 1;
    const length = line.at(-1) === NEWLINE ? line.length - 1 : line.length;
    if (kept === undefined && take(decoder.decode(line.subarray(0, length)), number) === false) kept = checksum.fork();
    checksum.add(line);
  };
  while (from < end) {
    const part = (await storage.read(path, { from, bytes: Math.min(PART_BYTES, end - from) })) ?? new Uint8Array(0);
    if (part.byteLength === 0) break;
    from += part.byteLength;
    const bytes = joined(rest, part);
    let begin = 0;
    for (let stop = bytes.indexOf(NEWLINE); stop !== -1; stop = bytes.indexOf(NEWLINE, begin)) {
      takeLine(bytes.subarray(begin, stop + 1));
      begin = stop + 1;
    }
    rest = bytes.slice(begin);
    if (rest.length > LONGEST_LINE_BYTES) {
      throw new ScenarioError([
        { file: path, path: [], message: `line ${number + 1} has more than ${LONGEST_LINE_BYTES} bytes` },
      ]);
    }
  }
  // Only an unfinished line has no end, unless somebody removed it.
  if (rest.length > 0 && committed === undefined) takeLine(rest);
  else checksum.add(rest);
  const problem = committed && extentProblem(checksum.extent, committed);
  if (problem !== undefined) throw new ScenarioError([{ file: path, path: [], message: problem }]);
  return kept ?? checksum;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** What a value may be. */
export interface Rule {
  readonly allowed: string;
  readonly holds: (value: unknown) => boolean;
  /** The value may be omitted. */
  readonly optional?: boolean;
}

/** What the keys of an object may be; keys beyond them are passed over. */
export type Rules = Readonly<Record<string, Rule>>;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const text: Rule = { allowed: 'text', holds: (value) => typeof value === 'string' };
export const list: Rule = { allowed: 'a list', holds: Array.isArray };
export const object: Rule = { allowed: 'an object', holds: isRecord };
/** A time, an amount: 0 or more. */
export const amount: Rule = { allowed: 'a number of at least 0', holds: (value) => isNumber(value) && value >= 0 };
export const positive: Rule = { allowed: 'a number above 0', holds: (value) => isNumber(value) && value > 0 };

export function wholeFrom(least: number): Rule {
  return {
    allowed: `a whole number of at least ${least}`,
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= least,
  };
}

export function oneOf(words: readonly (string | number)[]): Rule {
  const allowed = words.map((word) => JSON.stringify(word)).join(' or ');
  return { allowed, holds: (value) => words.some((word) => word === value) };
}

export function optional(rule: Rule): Rule {
  return { ...rule, optional: true };
}

export function orNull({ allowed, holds }: Rule): Rule {
  return { allowed: `${allowed} or null`, holds: (value) => value === null || holds(value) };
}

/** @returns what is wrong with a list whose entries are all of one kind */
export function problemsInList(values: readonly unknown[], rule: Rule, path: Problem['path']): Problem[] {
  return values.flatMap((value, index) =>
    rule.holds(value)
      ? []
      : [{ path: [...path, index], message: `found ${describeValue(value)}, allowed: ${rule.allowed}` }],
  );
}

/** @returns what is wrong with an object, key by key */
export function problemsWith(value: unknown, rules: Rules, path: Problem['path'] = []): Problem[] {
  if (!object.holds(value)) return [{ path, message: `found ${describeValue(value)}, allowed: ${object.allowed}` }];
  const entries = new Map<string, unknown>(Object.entries(value as object));
  return Object.entries(rules).flatMap(([key, rule]) => {
    const found = entries.get(key);
    if ((found === undefined && rule.optional) || rule.holds(found)) return [];
    return [{ path: [...path, key], message: `found ${describeValue(found)}, allowed: ${rule.allowed}` }];
  });
}

/**
 * @param check says what is wrong with the value
 * @throws ScenarioError naming file, line and column
 */
export function parseStored(written: string, file: string, check: (value: unknown) => readonly Problem[]): unknown {
  const value = parseWrittenJson(written, file);
  const problems = check(value);
  if (problems.length === 0) return value;
  // Parsed again for the places, as far as that is read.
  const isShort = written.length <= MAXIMUM_SCENARIO_BYTES;
  throw scenarioError(problems, file, isShort ? parseJsonText(written, file).locate : undefined);
}

/**
 * Reads a line of JSON.
 *
 * @param number of the line, from 1
 * @throws ScenarioError naming file, line and key
 */
export function parseStoredLine(
  line: string,
  file: string,
  number: number,
  check: (value: unknown) => readonly Problem[],
): unknown {
  const refuse = (problems: readonly Problem[]): never => {
    throw scenarioError(
      problems.map((problem) => ({ ...problem, line: number })),
      file,
    );
  };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const message = `found ${describeValue(line)}, allowed: one JSON object a line`;
    return refuse([{ path: [], message }]);
  }
  assertShallow(line, file);
  const problems = check(value);
  if (problems.length > 0) refuse(problems);
  return value;
}
