/** Files of a folder that are read in parts, across to a worker: it asks the page for what it needs of them. */
import { createMemoryStorage, fromPlainError, toPlainError } from '../../../engine/index.ts';
import type { PlainError, Storage } from '../../../engine/index.ts';
import type { PartedFile } from '../../host/host.ts';

/** What the worker asks for. */
export interface PartQuestion {
  readonly part: number;
  readonly path: string;
  readonly from: number;
  readonly bytes: number;
}

export type PartAnswer =
  | { readonly part: number; readonly bytes: Uint8Array }
  | { readonly part: number; readonly failure: PlainError };

/** @returns bytes of a file from a place on; fewer where it ends before */
export type ReadPart = (path: string, from: number, bytes: number) => Promise<Uint8Array>;

/** The worker's side. */
export interface PartAsker {
  readonly read: ReadPart;
  answer(answer: PartAnswer): void;
}

export function createPartAsker(tell: (question: PartQuestion) => void): PartAsker {
  const waiting = new Map<number, { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }>();
  let next = 0;
  return {
    read: (path, from, bytes) =>
      new Promise((resolve, reject) => {
        const part = next++;
        waiting.set(part, { resolve, reject });
        tell({ part, path, from, bytes });
      }),
    answer(answer) {
      const asked = waiting.get(answer.part);
      waiting.delete(answer.part);
      if ('failure' in answer) asked?.reject(fromPlainError(answer.failure));
      else asked?.resolve(answer.bytes);
    },
  };
}

/** The page's side: what is found, or why not, naming the file. */
export async function answerPart(
  { part, path, from, bytes }: PartQuestion,
  files: Readonly<Record<string, PartedFile>>,
): Promise<PartAnswer> {
  try {
    if (!Object.hasOwn(files, path)) throw new Error('there is no such file');
    return { part, bytes: await files[path].read(from, bytes) };
  } catch (error) {
    return {
      part,
      failure: toPlainError(
        new Error(`${path}: cannot be read: ${error instanceof Error ? error.message : String(error)}`),
      ),
    };
  }
}

/** @returns sizes of files that are read in parts, by their paths */
export function sizesOf(parted: Readonly<Record<string, PartedFile>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(parted).map(([path, { size }]) => [path, size]));
}

/**
 * @param files of a folder, by their paths inside it
 * @param sizes of those that are read in parts
 * @returns the folder as the engine reads it; what is written into it stays in memory
 */
export async function folderStorage(
  files: Readonly<Record<string, Uint8Array>>,
  sizes: Readonly<Record<string, number>> = {},
  readPart: ReadPart = () => Promise.reject(new Error('nothing is read in parts here')),
): Promise<Storage> {
  const memory = createMemoryStorage();
  for (const [path, bytes] of Object.entries(files)) await memory.writeWhole(path, bytes);
  return {
    ...memory,
    read(path, part) {
      if (!Object.hasOwn(sizes, path)) return memory.read(path, part);
      const size = sizes[path];
      const from = Math.min(size, part?.from ?? 0);
      return readPart(path, from, Math.min(size - from, part?.bytes ?? size));
    },
  };
}
