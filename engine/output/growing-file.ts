/**
 * A file of a run folder that only grows, by whole lines or records. How much of it counts is written elsewhere, in a commit
 * (`Extent`): those behind it were being written when the program ended, and are cut off by the next that is written.
 */
import { ScenarioError } from '../errors.ts';
import { createRunningChecksum, extentProblem } from './storage.ts';
import type { Extent, RunningChecksum, Storage } from './storage.ts';

/** Bytes that are read at a time: a file may be larger than memory, or than the longest text there can be. */
const PART_BYTES = 2 ** 20;
const NEWLINE = 10;
/** No line of a run folder is nearly as long. */
const LONGEST_LINE_BYTES = 64 * PART_BYTES;

export interface GrowingFile {
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
