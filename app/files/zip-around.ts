/**
 * A .zip of a folder with files that are larger than memory: they are stored as they are, which loses nothing where they are packed
 * already, and no more of them is in memory than is being read.
 */
import { zipSync } from 'fflate';
import { crc32 } from '../../engine/index.ts';
import { CENTRAL, END, LOCAL, PACKED_AT, packFolder } from './zip.ts';
import type { Files } from './zip.ts';

/** What the format has room for without its extension: bytes of all of an archive. */
export const LARGEST_ZIP_BYTES = 2 ** 32 - 1;
/** Bytes of a file that are read at a time. */
const PIECE_BYTES = 2 ** 22;

/** @returns the checksum of a file, read piece by piece */
async function checksumOf(file: Blob): Promise<number> {
  let sum = 0;
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    sum = crc32(new Uint8Array(await file.slice(from, from + PIECE_BYTES).arrayBuffer()), sum);
  }
  return sum;
}

/** The parts of an archive: its files, the directory of them, and how many they are. */
interface Parts {
  readonly files: Uint8Array;
  readonly directory: Uint8Array;
  readonly entries: number;
}

function partsOf(archive: Uint8Array): Parts {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  // An archive that was made here has no comment behind it.
  const end = archive.length - END.bytes;
  const directory = view.getUint32(end + END.directory, true);
  return {
    files: archive.subarray(0, directory),
    directory: archive.subarray(directory, end),
    entries: view.getUint16(end + END.entries, true),
  };
}

/** The head of a file that is stored as it is, and its entry of the directory, as they are for an empty file. */
function emptyEntry(path: string): { readonly head: Uint8Array; readonly entry: Uint8Array } {
  const { files, directory } = partsOf(zipSync({ [path]: new Uint8Array(0) }, { mtime: PACKED_AT, level: 0 }));
  return { head: files.slice(), entry: directory.slice() };
}

/** Says of what an entry is. @param at where its fields for that begin */
function describe(bytes: Uint8Array, at: number, checksum: number, size: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  [checksum, size, size].forEach((value, index) => view.setUint32(at + 4 * index, value, true));
}

/** The last part of an archive. */
function endOf(entries: number, directoryBytes: number, directory: number): Uint8Array {
  const end = new Uint8Array(END.bytes);
  const view = new DataView(end.buffer);
  view.setUint32(0, END.signature, true);
  view.setUint16(END.entries - 2, entries, true);
  view.setUint16(END.entries, entries, true);
  view.setUint32(END.directory - 4, directoryBytes, true);
  view.setUint32(END.directory, directory, true);
  return end;
}

/**
 * @param name of the folder
 * @param files that are packed
 * @param large files that are stored, by their paths in the folder
 * @throws RangeError where the archive would be larger than the format allows
 */
export async function packAround(name: string, files: Files, large: Readonly<Record<string, Blob>>): Promise<Blob> {
  const packed = partsOf(packFolder(name, files));
  const parts: (Uint8Array | Blob)[] = [packed.files];
  const directory: Uint8Array[] = [packed.directory];
  let offset = packed.files.length;
  for (const [path, content] of Object.entries(large)) {
    const { head, entry } = emptyEntry(`${name}/${path}`);
    if (offset + head.length + content.size > LARGEST_ZIP_BYTES - 2 ** 20) {
      throw new RangeError(`${path} makes the archive larger than a .zip can be, ${LARGEST_ZIP_BYTES} bytes`);
    }
    const checksum = await checksumOf(content);
    describe(head, LOCAL.checksum, checksum, content.size);
    describe(entry, CENTRAL.checksum, checksum, content.size);
    new DataView(entry.buffer).setUint32(CENTRAL.offset, offset, true);
    parts.push(head, content);
    directory.push(entry);
    offset += head.length + content.size;
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  const entries = packed.entries + directory.length - 1;
  const end = endOf(entries, directoryBytes, offset);
  return new Blob([...parts, ...directory, end] as (Uint8Array<ArrayBuffer> | Blob)[], { type: 'application/zip' });
}
