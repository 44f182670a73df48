/** The engine's storage interface on Node's file system: every path is inside one folder, which is there. */
import { dirname, join, resolve } from 'node:path';
import { ScenarioError, type Storage } from '../../engine/index.ts';
import { createDisk } from '../files/disk.ts';
import { nodeFileSystem, type FileSystem } from '../files/file-system.ts';
import { FileError } from '../files/regular-file.ts';

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/**
 * @param folder where the paths begin; fixed from now on, wherever the process goes
 * @param system other than this machine's, in a test
 */
export function createNodeStorage(folder: string, system: FileSystem = nodeFileSystem): Storage {
  const root = resolve(folder);
  const disk = createDisk(system);
  const at = (path: string): string => join(root, path);
  /** Folders inside the one that is there; that one is not made again when somebody took it away. */
  const makeFolderOf = async (path: string): Promise<void> => {
    const isThere = dirname(path) !== '.' && (await system.isFolder(root).catch(() => false));
    if (isThere) await disk.makeFolder(dirname(at(path)));
  };
  return {
    async read(path, part) {
      try {
        return await system.read(at(path), part);
      } catch (error) {
        if (isMissing(error)) return undefined;
        if (error instanceof FileError)
          throw new ScenarioError([{ file: error.path, path: [], message: error.reason }]);
        throw error;
      }
    },
    async writeWhole(path, content) {
      await makeFolderOf(path);
      await disk.writeWhole(at(path), content);
    },
    async append(path, after, content) {
      await makeFolderOf(path);
      await disk.append(at(path), after, content);
    },
    async list(path) {
      try {
        const names = await system.list(at(path));
        return names.sort();
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    remove: (path) => disk.remove(at(path)),
  };
}
