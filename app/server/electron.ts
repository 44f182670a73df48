/**
 * Finds Electron's runtime without starting the download that `require('electron')` would: the package is a few scripts, and
 * the runtime is beside them once it has been fetched.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * @param root the folder of package.json
 * @returns the path of the executable, or undefined where the runtime is not on this machine
 */
export function findElectron(
  root: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const folder = join(root, 'node_modules', 'electron');
  const name = readText(join(folder, 'path.txt'));
  const given = environment['ELECTRON_OVERRIDE_DIST_PATH'];
  const path = given ? join(given, name ?? 'electron') : name === undefined ? undefined : join(folder, 'dist', name);
  return path !== undefined && existsSync(path) ? path : undefined;
}
