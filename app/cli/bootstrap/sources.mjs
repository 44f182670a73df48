/** The state of the sources, as a short name: what was built from them is fresh as long as the name is the same. */
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
