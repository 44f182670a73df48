/**
 * A disk in memory that fails as disks do: an operation is refused, a write writes half of what it was given, or the machine
 * goes down and what was not flushed is lost, kept or torn. Names are on the disk when their folder was flushed, contents when
 * their file was.
 */
import { dirname } from 'node:path';
import type { FileSystem, OpenFile } from '../../app/files/file-system.ts';

/** What happens at the n-th operation that changes something, counted from 1. */
export type Trouble =
  /** It is refused, once. */
  | { readonly kind: 'refused'; readonly at: number }
  /** From there on there is no room: a write writes half of what it was given, those after it nothing. */
  | { readonly kind: 'full'; readonly at: number }
  /** The machine goes down; half of what is being written may arrive. */
  | { readonly kind: 'down'; readonly at: number };

/** What becomes of what was not flushed when the machine goes down. */
export type Aftermath = 'kept' | 'lost' | 'torn';

interface Content {
  now: Uint8Array;
  flushed: Uint8Array;
}

type Entry = Content | 'folder';

export interface SimulatedDisk {
  readonly system: FileSystem;
  /** How many operations there were that change something. */
  readonly operations: number;
  /** @param next what is to go wrong from now on, counted again */
  trouble(next: Trouble | undefined): void;
  /** The machine is started again. */
  restart(aftermath: Aftermath): void;
  /** Contents by path, of all files. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path, syscall: 'simulated' });
}

function withBytes(before: Uint8Array, bytes: Uint8Array, position: number): Uint8Array {
  const after = new Uint8Array(Math.max(before.length, position + bytes.length));
  after.set(before);
  after.set(bytes, position);
  return after;
}

/** @param root a folder that is there from the beginning */
export function createSimulatedDisk(root: string): SimulatedDisk {
  let names = new Map<string, Entry>([[root, 'folder']]);
  let flushedNames = new Map(names);
  let operations = 0;
  let next: Trouble | undefined;
  let isDown = false;
  let isFull = false;

  /** @returns how much of what is asked for happens: all of it, or half of a write */
  const change = (path: string, needsRoom: boolean): 'all' | 'half' => {
    if (isDown) throw failure('ECRASH', path);
    operations += 1;
    const isNow = operations === next?.at;
    if (isNow && next?.kind === 'down') {
      isDown = true;
      return 'half';
    }
    if (isNow && next?.kind === 'refused') throw failure('EIO', path);
    if (isFull && needsRoom) throw failure('ENOSPC', path);
    if (isNow && next?.kind === 'full') {
      isFull = true;
      return 'half';
    }
    return 'all';
  };
  /** For what cannot happen by half. */
  const changeWhole = (path: string, needsRoom = false): void => {
    if (change(path, needsRoom) === 'all') return;
    if (isDown) throw failure('ECRASH', path);
    if (needsRoom) throw failure('ENOSPC', path);
  };
  const contentOf = (path: string): Content => {
    const entry = names.get(path);
    if (entry === undefined) throw failure('ENOENT', path);
    if (entry === 'folder') throw failure('EISDIR', path);
    return entry;
  };
  const assertParent = (path: string): void => {
    if (names.get(dirname(path)) !== 'folder') throw failure('ENOENT', path);
  };

  const openFile = (path: string, content: Content): OpenFile => ({
    async write(bytes, position) {
      const share = change(path, true);
      const written = share === 'all' ? bytes.length : bytes.length >> 1;
      content.now = withBytes(content.now, bytes.subarray(0, written), position);
      if (isDown) throw failure('ECRASH', path);
      return written;
    },
    async truncate(length) {
      changeWhole(path);
      content.now = withBytes(content.now.slice(0, length), new Uint8Array(0), length);
    },
    async flush() {
      changeWhole(path);
      content.flushed = content.now.slice();
    },
    close: () => Promise.resolve(),
  });

  const system: FileSystem = {
    async create(path) {
      changeWhole(path, true);
      assertParent(path);
      if (names.has(path)) throw failure('EEXIST', path);
      const content: Content = { now: new Uint8Array(0), flushed: new Uint8Array(0) };
      names.set(path, content);
      return openFile(path, content);
    },
    update: async (path) => openFile(path, contentOf(path)),
    async read(path, part) {
      const { now } = contentOf(path);
      return now.slice(part?.from, part && part.from + part.bytes);
    },
    async rename(from, to) {
      changeWhole(to);
      const content = contentOf(from);
      names.delete(from);
      names.set(to, content);
    },
    async makeFolder(path) {
      changeWhole(path, true);
      assertParent(path);
      if (names.has(path)) throw failure('EEXIST', path);
      names.set(path, 'folder');
    },
    async flushFolder(path) {
      changeWhole(path);
      for (const map of [names, flushedNames]) {
        for (const name of [...map.keys()].filter((each) => dirname(each) === path && each !== path)) {
          const entry = names.get(name);
          if (entry === undefined) flushedNames.delete(name);
          else flushedNames.set(name, entry);
        }
      }
    },
    async isFolder(path) {
      const entry = names.get(path);
      if (entry === undefined) throw failure('ENOENT', path);
      return entry === 'folder';
    },
    async list(path) {
      if (!names.has(path)) throw failure('ENOENT', path);
      return [...names.keys()]
        .filter((name) => dirname(name) === path && name !== path)
        .map((name) => name.slice(path.length + 1));
    },
    async remove(path) {
      changeWhole(path);
      for (const name of names.keys()) if (name === path || name.startsWith(`${path}/`)) names.delete(name);
    },
  };

  return {
    system,
    get operations() {
      return operations;
    },
    trouble(wanted) {
      next = wanted;
      operations = 0;
      isFull = false;
    },
    restart(aftermath) {
      isDown = false;
      if (aftermath === 'lost') names = new Map([...flushedNames].filter(([path]) => reachable(path, flushedNames)));
      for (const entry of names.values()) {
        if (entry === 'folder') continue;
        const { now, flushed } = entry;
        const end = Math.ceil((flushed.length + now.length) / 2);
        if (aftermath === 'lost') entry.now = flushed.slice();
        if (aftermath === 'torn' && now.length !== flushed.length) entry.now = now.slice(0, end);
        entry.flushed = entry.now.slice();
      }
      flushedNames = new Map(names);
    },
    get files() {
      return new Map([...names].flatMap(([path, entry]) => (entry === 'folder' ? [] : [[path, entry.now] as const])));
    },
  };
}

/** Whether the folder of a name is there. */
function reachable(path: string, names: ReadonlyMap<string, Entry>): boolean {
  return names.get(path) === 'folder' && !path.includes('/', 1) ? true : isThere(dirname(path), names);
}

function isThere(folder: string, names: ReadonlyMap<string, Entry>): boolean {
  return folder === '/' || (names.get(folder) === 'folder' && isThere(dirname(folder), names));
}
