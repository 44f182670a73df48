/** The engine's storage interface on Node's file system: every path is inside one folder, every file is written whole. */
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Storage } from '../../engine/index.ts';

/** @param folder where the paths begin; made when the first file is written */
export function createNodeStorage(folder: string): Storage {
  return {
    async read(path) {
      try {
        return await readFile(join(folder, path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async writeWhole(path, content) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFileAtomic(
        target,
        typeof content === 'string' ? content : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      );
    },
    async list(path) {
      try {
        return (await readdir(join(folder, path))).sort();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
    async remove(path) {
      await rm(join(folder, path), { recursive: true, force: true });
    },
  };
}
