/**
 * Several files as one: a run folder in a browser is a .zip, and so is a bundle. Names are paths with forward slashes. The same
 * files give the same bytes. What is unpacked may come from anybody: it is held to what it declares, and to small bounds before
 * and while it grows.
 */
import { Unzip, UnzipInflate, unzipSync, zipSync } from 'fflate';
import type { UnzipFile } from 'fflate';
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
export const PACKED_AT = new Date(1980, 0, 1);

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
export const LOCAL = { checksum: 14 } as const;
/** Signature and fixed part of an entry of the archive's directory, and the offsets of the fields that are read. */
export const CENTRAL = {
  signature: 0x02014b50,
  bytes: 46,
  checksum: 16,
  name: 28,
  extra: 30,
  comment: 32,
  offset: 42,
} as const;
/** The same of the end of the directory. */
export const END = { signature: 0x06054b50, bytes: 22, entries: 10, directory: 16 } as const;

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
 * The files of an archive; a folder that all of them lie in is left away.
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
