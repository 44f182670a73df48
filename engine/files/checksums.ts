/** Checksums: CRC-32, and those of planes and series in HDF5 files. */
import { CaseError } from '../errors.ts';
import type { Hdf5Reader, Range, StoredNumbers } from './hdf5-reader.ts';

/** CRC-32 of ISO 3309, as PNG, zip and gzip have it: the polynomial 0xEDB88320, bits reversed. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

/**
 * @param before of the bytes before these; 0 if there are none
 * @returns the checksum of the bytes, from 0 to 2³² − 1
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (let i = 0; i < bytes.length; i++) value = REMAINDERS[(value ^ bytes[i]) & 0xff] ^ (value >>> 8);
  return ~value >>> 0;
}

/**
 * Checksums of planes, in a group beside them. HDF5 has one of what is packed in a chunk, and none of its list of where the chunks
 * are: a damaged list gives another plane, or zeros, and nobody would see it.
 *
 * The group that has them, each under its variable's name and with its dimensions but the last two.
 */
export const CHECKSUMS = 'checksums';

/**
 * @param before of the numbers before these; 0 if there are none
 * @returns CRC-32 of numbers as they are stored, little-endian; as a whole number of 32 bits with a sign, which NetCDF has
 */
export function numbersChecksum(values: StoredNumbers, before = 0): number {
  return crc32(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), before) | 0;
}

/**
 * Holds planes against their checksums, where the file has such.
 *
 * @param leading lengths of the variable's dimensions before the planes' own
 * @param places along them, of one plane
 * @throws CaseError where the plane is not the one that was written
 */
export async function verifyPlane(
  file: Hdf5Reader,
  {
    variable,
    leading,
    places,
    where,
  }: {
    readonly variable: string;
    readonly leading: readonly number[];
    readonly places: readonly Range[];
    readonly where: string;
  },
  values: StoredNumbers,
): Promise<void> {
  if (leading.length === 0 || !(values instanceof Float32Array)) return;
  const path = `${CHECKSUMS}/${variable}`;
  const facts = await file.variable(path);
  // A file of somebody else may have a group of that name.
  if (!facts || facts.holds !== 'whole numbers') return;
  const { shape } = facts;
  if (shape.length === leading.length && shape.every((length, i) => length === leading[i])) {
    const [stated] = await file.numbers(path, places);
    if (stated === numbersChecksum(values)) return;
  }
  throw new CaseError(
    `${where}: the plane is not the one that was written (checksum); the file is damaged: take a copy of it that is whole, or write it again`,
  );
}

/**
 * Checksums of series, numbers that follow each other along the last dimension of a variable, in a group beside them: one of each
 * stretch, which is a chunk of it. As of planes, a damaged list of chunks gives other numbers, and nobody would see it.
 *
 * Places along a series that have one checksum together.
 */
export const STRETCH = 1024;

/** A part of a series. */
interface SeriesPart {
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
 * Reads a part of a series, and checks the stretches that contain it against their checksums, if the file has any.
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
