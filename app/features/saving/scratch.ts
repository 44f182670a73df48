/**
 * Files of a page's own that are larger than memory, until they are where the user wants them: in the browser's storage for this
 * page (the origin private file system), where a worker reads and writes them at once.
 */
import { createMemoryFile, type ScratchFile } from './memory-file.ts';

/** The folder that holds them. */
const FOLDER = 'unsaved-states';
/** What is as old as this was left by a page that is gone. */
const STALE_MILLISECONDS = 3_600_000;
/** Where a browser has no such storage, the states are kept in memory: bytes of them at most. */
const MOST_IN_MEMORY = 2 ** 29;

/** The part of a file's handle that only workers have. */
interface SyncHandle {
  getSize(): number;
  read(target: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

interface WorkerFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle?(): Promise<SyncHandle>;
}

/** Where the states can be kept until they are at their destination. */
export interface ScratchRoom {
  readonly kind: 'storage' | 'memory';
  /** Bytes. */
  readonly free: number;
}

function folderHere(): Promise<FileSystemDirectoryHandle> {
  return navigator.storage.getDirectory().then((root) => root.getDirectoryHandle(FOLDER, { create: true }));
}

/** @returns what this page has room for */
export async function scratchRoom(): Promise<ScratchRoom> {
  try {
    await folderHere();
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return { kind: 'storage', free: Math.max(0, quota - usage) };
  } catch {
    // A private window of some browsers has none.
    return { kind: 'memory', free: MOST_IN_MEMORY };
  }
}

/** @throws Error where not all bytes found their way */
function all(done: number, wanted: number): void {
  if (done < wanted) throw new Error('there is no room left in the browser’s storage for this page');
}

/** Opens one, in a worker. @param kind as `scratchRoom` found it */
export async function openScratch(name: string, kind: ScratchRoom['kind']): Promise<ScratchFile> {
  if (kind === 'memory') return createMemoryFile(MOST_IN_MEMORY);
  const handle: WorkerFileHandle = await (await folderHere()).getFileHandle(name, { create: true });
  if (!handle.createSyncAccessHandle) throw new Error('this browser cannot write such files');
  const access = await handle.createSyncAccessHandle();
  access.truncate(0);
  let size = 0;
  return {
    get size() {
      return size;
    },
    read(target, at) {
      all(access.read(target, { at }), target.length);
    },
    write(bytes, at) {
      all(access.write(bytes, { at }), bytes.length);
      size = Math.max(size, at + bytes.length);
    },
    truncate(next) {
      access.truncate(next);
      size = next;
    },
    async finish() {
      access.flush();
      access.close();
      return handle.getFile();
    },
  };
}

/** Removes files of this page; one that is still held goes as something stale does. */
export async function removeScratch(names: readonly string[]): Promise<void> {
  try {
    const folder = await folderHere();
    for (const name of names) await folder.removeEntry(name).catch(() => undefined);
  } catch {
    // There is nothing if there is no such storage.
  }
}

/** Removes what pages that are gone have left. */
export async function sweepScratch(now = Date.now()): Promise<void> {
  try {
    const folder = await folderHere();
    const stale: string[] = [];
    for await (const each of folder.values()) {
      if (each.kind !== 'file') continue;
      const file = await each.getFile();
      if (now - file.lastModified > STALE_MILLISECONDS) stale.push(each.name);
    }
    await removeScratch(stale);
  } catch {
    // The same.
  }
}
