/**
 * Builds in a process of its own. Vite and the kernels' compiler take gigabytes of memory, which a process does not return to
 * the system while it runs: the server of `npm start` would hold them for as long as it serves.
 */
import { fileURLToPath } from 'node:url';
import { runInItsPlace } from './in-its-place.mjs';

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
