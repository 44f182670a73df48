/**
 * What the engine needs from the place where files lie. Node, Electron and the browser each provide it; a test provides one
 * in memory. Paths are relative, with forward slashes.
 */
export interface Storage {
  /** @returns the file's bytes, or undefined when there is none */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Writes a file, with its folders, whole or not at all: a reader sees the old content or the new. */
  writeWhole(path: string, content: Uint8Array | string): Promise<void>;
  /** @returns names of the files and folders in a folder, sorted; none when the folder does not exist */
  list(path: string): Promise<readonly string[]>;
  /** Removes a file, or a folder with all that it holds; nothing happens when there is none. */
  remove(path: string): Promise<void>;
}

/** @returns the file as text, or undefined when there is none */
export async function readText(storage: Storage, path: string): Promise<string | undefined> {
  const bytes = await storage.read(path);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

function inside(folder: string): (path: string) => boolean {
  return (path) => folder === '' || path.startsWith(`${folder}/`);
}

/** A storage in memory: for tests, and for a run that nobody wants to keep. */
export function createMemoryStorage(): Storage & { readonly files: ReadonlyMap<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  return {
    files,
    read: (path) => Promise.resolve(files.get(path)),
    writeWhole: (path, content) => {
      files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content.slice());
      return Promise.resolve();
    },
    list: (folder) => {
      const start = folder === '' ? 0 : folder.length + 1;
      const names = [...files.keys()].filter(inside(folder)).map((path) => path.slice(start).split('/')[0]);
      return Promise.resolve([...new Set(names)].sort());
    },
    remove: (path) => {
      for (const file of [...files.keys()].filter((name) => name === path || inside(path)(name))) files.delete(file);
      return Promise.resolve();
    },
  };
}
