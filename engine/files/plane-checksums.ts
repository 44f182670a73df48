/**
 * Checksums of planes, in a group beside them. HDF5 has one of what is packed in a chunk, and none of its list of where the chunks
 * are: a damaged list gives another plane, or zeros, and nobody would see it.
 */
import { CaseError } from '../errors.ts';
import { crc32 } from './crc32.ts';
import type { Hdf5Reader, Range, StoredNumbers } from './hdf5-reader.ts';

/** The group that has them, each under its variable's name and with its dimensions but the last two. */
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
