/**
 * Checksums of series, numbers that follow each other along the last dimension of a variable, in a group beside them: one of each
 * stretch, which is a chunk of it. As of planes, a damaged list of chunks gives other numbers, and nobody would see it.
 */
import { CaseError } from '../errors.ts';
import { CHECKSUMS, numbersChecksum } from './plane-checksums.ts';
import type { Hdf5Reader, Range, StoredNumbers } from './hdf5-reader.ts';

/** Places along a series that have one checksum together. */
export const STRETCH = 1024;

/** A part of a series. */
export interface SeriesPart {
  readonly variable: string;
  readonly shape: readonly number[];
  /** One for each dimension, the last along the series; the others are of one place each. */
  readonly ranges: readonly Range[];
  /** For messages. */
  readonly where: string;
}

/** @returns the same of whole stretches */
function wholeStretches({ shape, ranges }: SeriesPart): Range {
  const [from, to] = ranges[ranges.length - 1];
  const length = shape[shape.length - 1];
  return [Math.floor(from / STRETCH) * STRETCH, Math.min(length, Math.ceil(to / STRETCH) * STRETCH)];
}

/** @returns the checksums of stretches; undefined where the file has none. @throws CaseError where they are of another series */
async function statedChecksums(
  file: Hdf5Reader,
  { variable, shape, ranges, where }: SeriesPart,
  [from, to]: Range,
): Promise<StoredNumbers | undefined> {
  const path = `${CHECKSUMS}/${variable}`;
  const facts = await file.variable(path);
  // A file of somebody else may have a group of that name.
  if (!facts || facts.holds !== 'whole numbers') return undefined;
  const needed = [...shape.slice(0, -1), Math.ceil(shape[shape.length - 1] / STRETCH)];
  if (facts.shape.length !== needed.length || facts.shape.some((length, i) => length !== needed[i])) refuse(where);
  return file.numbers(path, [...ranges.slice(0, -1), [from / STRETCH, Math.ceil(to / STRETCH)]]);
}

function refuse(where: string): never {
  throw new CaseError(
    `${where}: the numbers are not those that were written (checksum); the file is damaged: take a copy of it that is whole, or write it again`,
  );
}

/**
 * Reads a part of a series, and holds the stretches that it lies in against their checksums, where the file has such.
 *
 * @param read gives its numbers in a range along the series
 * @throws CaseError where they are not those that were written; what the reading throws
 */
export async function readSeries<Of extends StoredNumbers>(
  file: Hdf5Reader,
  part: SeriesPart,
  read: (range: Range) => Promise<Of>,
): Promise<Of> {
  const [from, to] = part.ranges[part.ranges.length - 1];
  const whole = wholeStretches(part);
  const stated = await statedChecksums(file, part, whole);
  if (!stated) return read([from, to]);
  const values = await read(whole);
  for (const [index, checksum] of stated.entries()) {
    const stretch = values.subarray(index * STRETCH, (index + 1) * STRETCH) as Of;
    if (checksum !== numbersChecksum(stretch)) refuse(part.where);
  }
  return values.slice(from - whole[0], to - whole[0]) as Of;
}
