/**
 * What `npm pack` needs: everything that the package ships, built from the sources as they are now. The command line is in
 * out/command-line, the library in out/library, and the page in out/page.
 */
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildInProcess } from './build-process.mjs';
import { buildBundle } from './bundle.mjs';
import { freshDesktop } from './desktop.mjs';
import { buildLibrary, whole } from './library.mjs';

/** Packages that are not installed with the package and are loaded only where somebody has added them. */
const OPTIONAL_PACKAGES = ['webgpu', 'tar-fs'];

/** Builds the command line as it is shipped: what is not installed with the package is inside. */
export async function buildPackedBundle(root, folder) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const external = [...Object.keys(dependencies), ...OPTIONAL_PACKAGES];
  await buildBundle(root, folder, { ssr: { noExternal: true, external }, build: { sourcemap: false } });
}

/** The page's scripts are most of the package: they are kept compressed, and served as they are. */
function compressScripts(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    rmSync(path);
  }
}

/** @returns the exit code */
export async function buildForPackage(root) {
  const out = join(root, 'out');
  process.stderr.write('shoal: building the command line …\n');
  await whole(join(out, 'command-line'), (folder) => buildInProcess('pack.mjs', 'buildPackedBundle', root, folder));
  await buildLibrary(root);
  await freshDesktop(root);
  await whole(join(out, 'page'), (folder) => {
    cpSync(join(out, 'renderer'), folder, { recursive: true });
    compressScripts(folder);
  });
  return 0;
}
