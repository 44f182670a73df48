/**
 * Several files as one: a run folder in a browser is a .zip. Names are paths with forward slashes. It packs in this thread,
 * since the library's workers are made of text, which the page's security policy forbids.
 */
import { unzipSync, zipSync } from 'fflate';
import type { UnzipFileInfo } from 'fflate';

/** Unpacked, a run folder has at most this many bytes: 2 GiB. */
const LARGEST_FOLDER_BYTES = 2 ** 31;

export function packFolder(name: string, files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${name}/${path}`, bytes])));
}

/** The files of an archive; a folder that all of them lie in is left away. @throws Error when it is no archive, or too large */
export function unpackFolder(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0;
  const filter = ({ originalSize, name }: { readonly originalSize: number; readonly name: string }): boolean => {
    total += originalSize;
    return total <= LARGEST_FOLDER_BYTES && !name.endsWith('/');
  };
  const found = unzipOf(bytes, filter);
  if (total > LARGEST_FOLDER_BYTES) {
    throw new Error(`the archive holds ${total} bytes, at most ${LARGEST_FOLDER_BYTES} are read`);
  }
  return withoutCommonFolder(found);
}

function unzipOf(bytes: Uint8Array, filter: (file: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw new Error('this is not a .zip file that can be read', { cause: error });
  }
}

function withoutCommonFolder(files: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> {
  const entries = Object.entries(files);
  const [folder] = entries[0]?.[0].split('/') ?? [];
  const shared = entries.every(([path]) => path.startsWith(`${folder}/`));
  return Object.fromEntries(entries.map(([path, bytes]) => [shared ? path.slice(folder.length + 1) : path, bytes]));
}
