/** What both hosts know of files: kinds, sizes, and how a set of files becomes an opened scenario. */
import { isBundleName, largestOpened } from '../bundle/bundle-name.ts';
import { FIELDS_FILE, NETCDF_FILE } from '../../engine/index.ts';
import type { OpenedFile, OpenedFolder, PartedFile } from './host.ts';

/** One byte more than a scenario may have: the engine says so with a readable message, the host keeps from reading more. */
export const LARGEST_SCENARIO_BYTES = 4 * 2 ** 20 + 1;

/** A file by its name, read when it is needed. */
export interface NamedFile {
  readonly name: string;
  /** Bytes that it has. */
  readonly size: number;
  /** @param most bytes that are read, from the beginning; all if omitted */
  bytes(most?: number): Promise<Uint8Array>;
  /** The same, read in parts. */
  readonly parted?: PartedFile;
}

/** Whether a file of a run folder is read in parts: it holds the states of the cycles. */
export function isParted(path: string): boolean {
  return path === FIELDS_FILE || path === NETCDF_FILE;
}

/** @returns a file of the web, of which no more is in memory than is being read */
export function partedFile(file: Blob): PartedFile {
  return {
    size: file.size,
    read: async (from, bytes) => new Uint8Array(await file.slice(from, from + bytes).arrayBuffer()),
  };
}

/** @returns what was unpacked as an opened folder; the browser keeps what is read in parts where it has room */
export function folderOf(unpacked: Readonly<Record<string, Uint8Array>>): OpenedFolder {
  const entries = Object.entries(unpacked);
  return {
    files: Object.fromEntries(entries.filter(([path]) => !isParted(path))),
    parted: Object.fromEntries(
      entries
        .filter(([path]) => isParted(path))
        .map(([path, bytes]) => [path, partedFile(new Blob([bytes as Uint8Array<ArrayBuffer>]))]),
    ),
  };
}

/** Files of the web as named files. */
export function namedFile(file: Blob & { readonly name: string }): NamedFile {
  return {
    name: file.name,
    size: file.size,
    bytes: async (most) => new Uint8Array(await file.slice(0, most).arrayBuffer()),
    parted: partedFile(file),
  };
}

/** @throws RangeError if there are more bytes than there can be */
export function checkSize(size: number, most: number): void {
  if (size > most) throw new RangeError(`found ${size} bytes, allowed: ${most}`);
}

/** A scenario by itself, or with all that it needs. */
function isScenario({ name }: NamedFile): boolean {
  return name.toLowerCase().endsWith('.json') || isBundleName(name);
}

/** Reads no more of a file than shows whether it is too large. @throws Error naming it where it cannot be read */
export async function readScenario(file: NamedFile): Promise<Uint8Array> {
  try {
    return await file.bytes(largestOpened(file.name, LARGEST_SCENARIO_BYTES));
  } catch (error) {
    // A browser gives a folder that was dropped as a file without content.
    throw new Error(`${file.name} cannot be read; a scenario is a file, not a folder`, { cause: error });
  }
}

/**
 * @returns the scenario among files that were chosen or dropped together, with the others beside it; of several the first.
 *   If there is none, the first file: whoever opens it will say what is wrong with it
 * @throws Error naming the file where it cannot be read
 */
export async function openedFrom(files: readonly NamedFile[]): Promise<OpenedFile | undefined> {
  const scenario = files.find(isScenario) ?? files[0];
  if (!scenario) return undefined;
  return {
    name: scenario.name,
    bytes: await readScenario(scenario),
    async siblings(name, most) {
      const file = files.find((other) => other.name === name);
      if (file) checkSize(file.size, most);
      return file?.bytes();
    },
  };
}
