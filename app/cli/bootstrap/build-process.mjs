/**
 * Builds in a process of its own. Vite and the kernels' compiler take gigabytes of memory, which a process does not return to
 * the system while it runs: the server of `npm start` would hold them for as long as it serves.
 */
import { fileURLToPath } from 'node:url';
import { runInItsPlace } from './in-its-place.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

function sources(root, path, kinds) {
  if (!existsSync(join(root, path))) return [];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) return sources(root, inner, kinds);
    return kinds.has(extname(entry.name)) ? [inner] : [];
  });
}

/**
 * @param kinds extensions of the files in `folders` that count
 * @param files that count beside them
 * @returns a name that changes when a source is added, removed, renamed or written
 */
export function stateOfSources(root, folders, kinds, files) {
  const paths = folders.flatMap((folder) => sources(root, folder, kinds)).concat(files);
  const hash = createHash('sha256').update(process.versions.node);
  for (const path of paths.sort((a, b) => (a < b ? -1 : 1))) {
    const { size, mtimeNs, ctimeNs } = statSync(join(root, path), { bigint: true });
    hash.update(`${path}\0${size}\0${mtimeNs}\0${ctimeNs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

const script = fileURLToPath(new URL('builder.mjs', import.meta.url));

/**
 * Calls a function of a module of this folder in another process, and waits for its end.
 *
 * @param module file name
 * @param name of an exported function whose arguments are text
 * @throws Error if the build fails; the other process has printed why
 */
export async function buildInProcess(module, name, ...args) {
  const { code } = await runInItsPlace(process.execPath, [script, module, name, ...args]);
  if (code !== 0) throw new Error(`the build failed with exit code ${code}`);
}
