/**
 * Several files as one: a run folder in a browser is a .zip, and so is a bundle. Names are paths with forward slashes. The same
 * files give the same bytes. What is unpacked may come from anybody: it is held to what it declares, and to small bounds before
 * and while it grows.
 */
import { Unzip, UnzipInflate, unzipSync, zipSync, type UnzipFile } from 'fflate';
import { crc32, quote } from '../../engine/index.ts';

export type Files = Readonly<Record<string, Uint8Array>>;

/** What an archive may grow to. */
export interface ArchiveBounds {
  readonly files: number;
  /** Bytes of all files together, unpacked. */
  readonly bytes: number;
  /** Unpacked bytes for each packed one, of an archive with more than `smallBytes`: fields that are flat pack well. */
  readonly ratio: number;
  readonly smallBytes: number;
}

export const ARCHIVE_BOUNDS: ArchiveBounds = { files: 10_000, bytes: 2 ** 30, ratio: 100, smallBytes: 2 ** 26 };

/** Packed bytes that are unpacked at once: at the format's highest ratio, 1032, they become 8 MiB. */
const PIECE_BYTES = 2 ** 13;

const NO_ARCHIVE = 'this is not a zip archive that can be read';

/** The first time that the format knows, as every zone's clock has it: when a file was packed is not of its content. */
const PACKED_AT = new Date(1980, 0, 1);

export function packFiles(files: Files): Uint8Array {
  return zipSync({ ...files }, { mtime: PACKED_AT, level: 9 });
}

export function packFolder(name: string, files: Files): Uint8Array {
  return packFiles(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${name}/${path}`, bytes])));
}

/** @throws Error when there is more than may be */
function checkBounds(files: number, bytes: number, packed: number, bounds: ArchiveBounds): void {
  if (files > bounds.files) throw new Error(`the archive holds more than ${bounds.files} files; a run folder has few`);
  if (bytes > bounds.bytes) {
    throw new Error(`the archive holds more than ${bounds.bytes} bytes; a run folder of that size is opened unpacked`);
  }
  if (bytes > bounds.smallBytes && bytes > bounds.ratio * packed) {
    throw new Error(`the archive unpacks to more than ${bounds.ratio} times its size; no run folder does`);
  }
}

/** What the archive's directory says of its files, of which none is unpacked. */
function declaredFiles(bytes: Uint8Array): { readonly files: number; readonly bytes: number } {
  const declared = { files: 0, bytes: 0 };
  unzipSync(bytes, {
    filter({ originalSize }) {
      declared.files += 1;
      declared.bytes += originalSize;
      return false;
    },
  });
  return declared;
}

/** Offset of the checksum in the header of a file; the sizes follow it. */
const LOCAL = { checksum: 14 } as const;
/** Signature and fixed part of an entry of the archive's directory, and the offsets of the fields that are read. */
const CENTRAL = {
  signature: 0x02014b50,
  bytes: 46,
  checksum: 16,
  name: 28,
  extra: 30,
  comment: 32,
  offset: 42,
} as const;
/** The same of the end of the directory. */
const END = { signature: 0x06054b50, bytes: 22, entries: 10, directory: 16 } as const;

/** The checksums that the archive's directory states, by name. */
function statedChecksums(bytes: Uint8Array): Map<string, number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - END.bytes;
  while (end >= 0 && view.getUint32(end, true) !== END.signature) end -= 1;
  const stated = new Map<string, number>();
  if (end < 0) return stated;
  let at = view.getUint32(end + END.directory, true);
  for (let entry = 0; entry < view.getUint16(end + END.entries, true); entry++) {
    if (at + CENTRAL.bytes > bytes.length || view.getUint32(at, true) !== CENTRAL.signature) break;
    const length = view.getUint16(at + CENTRAL.name, true);
    const name = bytes.subarray(at + CENTRAL.bytes, at + CENTRAL.bytes + length);
    stated.set(new TextDecoder().decode(name), view.getUint32(at + CENTRAL.checksum, true));
    at +=
      CENTRAL.bytes + length + view.getUint16(at + CENTRAL.extra, true) + view.getUint16(at + CENTRAL.comment, true);
  }
  return stated;
}

/** @throws Error for a file that is not what was packed */
function checkChecksums(found: ReadonlyMap<string, Uint8Array>, bytes: Uint8Array): void {
  const stated = statedChecksums(bytes);
  for (const [name, content] of found) {
    if (stated.get(name) === crc32(content)) continue;
    throw new Error(`the archive is damaged: ${quote(name)} is not what was packed (checksum)`);
  }
}

/** Pieces as one array of their own. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** @throws Error for a name that leads elsewhere, or that occurs twice */
function checkName(name: string, found: ReadonlyMap<string, Uint8Array>): void {
  if (found.has(name)) throw new Error(`the archive holds ${quote(name)} twice`);
  if (/^\/|\\|\p{Cc}/u.test(name) || name.split('/').includes('..')) {
    throw new Error(`the archive holds a file named ${quote(name)}, which leads out of it`);
  }
}

/** Unpacks piece by piece; ends as soon as there is more than may be. */
function unpackAll(bytes: Uint8Array, bounds: ArchiveBounds): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  let [begun, ended, total] = [0, 0, 0];
  const take = (file: UnzipFile): void => {
    begun += 1;
    checkName(file.name, found);
    const pieces: Uint8Array[] = [];
    file.ondata = (error, piece, isLast) => {
      if (error) throw new Error(`the archive is damaged: ${error.message}`, { cause: error });
      total += piece.length;
      checkBounds(begun, total, bytes.length, bounds);
      pieces.push(piece);
      if (!isLast) return;
      ended += 1;
      found.set(file.name, joined(pieces));
    };
    file.start();
  };
  const unzip = new Unzip(take);
  unzip.register(UnzipInflate);
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) {
    try {
      unzip.push(bytes.subarray(offset, offset + PIECE_BYTES), offset + PIECE_BYTES >= bytes.length);
    } catch (error) {
      // What the library throws has a number; what is said here has none.
      if (error instanceof Error && 'code' in error) {
        throw new Error(`the archive is damaged: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }
  if (ended !== begun) throw new Error('the archive is cut off');
  return found;
}

/**
 * The files of an archive; a folder around all of them is omitted.
 * @throws Error when it is no archive, is damaged, or grows beyond the bounds
 */
export function unpackFolder(bytes: Uint8Array, bounds: ArchiveBounds = ARCHIVE_BOUNDS): Record<string, Uint8Array> {
  let declared: ReturnType<typeof declaredFiles>;
  try {
    declared = declaredFiles(bytes);
  } catch (error) {
    throw new Error(NO_ARCHIVE, { cause: error });
  }
  checkBounds(declared.files, declared.bytes, bytes.length, bounds);
  const found = unpackAll(bytes, bounds);
  const unpacked = [...found.values()].reduce((sum, { length }) => sum + length, 0);
  if (found.size !== declared.files || unpacked !== declared.bytes) {
    throw new Error('the archive is damaged: its files are not those that its directory lists');
  }
  checkChecksums(found, bytes);
  return withoutCommonFolder([...found].filter(([path]) => !path.endsWith('/')));
}

function withoutCommonFolder(
  entries: readonly (readonly [path: string, bytes: Uint8Array])[],
): Record<string, Uint8Array> {
  const [folder] = entries[0]?.[0].split('/') ?? [];
  const shared = entries.every(([path]) => path.startsWith(`${folder}/`));
  return Object.fromEntries(entries.map(([path, bytes]) => [shared ? path.slice(folder.length + 1) : path, bytes]));
}

/**
 * A .zip of a folder with files that are larger than memory: they are stored as they are, which loses nothing where they are packed
 * already, and no more of them is in memory than is being read.
 *
 * What the format has room for without its extension: bytes of all of an archive.
 */
export const LARGEST_ZIP_BYTES = 2 ** 32 - 1;
/** Bytes of a file that are read at a time. */
const CHECKED_BYTES = 2 ** 22;

/** @returns the checksum of a file, read piece by piece */
async function checksumOf(file: Blob): Promise<number> {
  let sum = 0;
  for (let from = 0; from < file.size; from += CHECKED_BYTES) {
    sum = crc32(new Uint8Array(await file.slice(from, from + CHECKED_BYTES).arrayBuffer()), sum);
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
