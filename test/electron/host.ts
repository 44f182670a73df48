/**
 * What a machine offers for these tests: a runtime of Electron, a user that it runs as, and a screen that nobody sees. Chromium's
 * sandbox refuses root, and so that the real sandbox is tested, root starts Electron as a user of its own.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasDisplay, thisSystem, findElectron } from '../../app/server/browser.ts';

import { isOnPath, startScreen } from '../setup/screen.ts';
import type { Screen } from '../setup/screen.ts';
import { canFetch, fetchRuntime, FETCHED_VERSION } from './runtime.mjs';

export const ROOT = join(import.meta.dirname, '..', '..');
/** `install.sh` adds it. */
const USER = 'shoal-window';
/** Words of `setpriv`. */
const AS_USER = [`--reuid=${USER}`, `--regid=${USER}`, '--init-groups'];
const isRoot = process.getuid?.() === 0;

/** @returns a number of the user that root starts Electron as; undefined if there is no such user */
function idOfUser(option: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [option, USER], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

const user = isRoot ? { uid: idOfUser('-u'), gid: idOfUser('-g') } : undefined;

/** Whether Electron runs as a user of its own. */
export const isOwnUser = user !== undefined;

/** Whether that user can start the file. */
function isReachable(path: string): boolean {
  return user === undefined || spawnSync('setpriv', [...AS_USER, 'test', '-x', path]).status === 0;
}

/** What this machine lacks before anything is fetched. */
function missingParts(): readonly string[] {
  if (!isRoot) {
    return [
      ...(findElectron(ROOT) === undefined ? ['Electron’s runtime, or root to run another one'] : []),
      ...(hasDisplay(thisSystem) ? [] : ['a display']),
    ];
  }
  return [
    ...(findElectron(ROOT) === undefined && !canFetch ? ['Electron’s runtime'] : []),
    ...(user?.uid === undefined ? [`a user ${USER}`] : []),
    ...['Xvfb', 'setpriv', 'unzip'].filter((command) => !isOnPath(command)),
  ];
}

/** @returns the executable of the pinned Electron, or of the one that is fetched; or why there is none */
async function findRuntime(): Promise<{ readonly executable?: string; readonly missing: readonly string[] }> {
  const missing = missingParts();
  if (missing.length > 0) return { missing };
  try {
    return { executable: findElectron(ROOT) ?? join(await fetchRuntime(), 'electron'), missing };
  } catch (error) {
    return { missing: [`Electron’s runtime (${error instanceof Error ? error.message : String(error)})`] };
  }
}

const { executable: found, missing } = await findRuntime();
/** Whether this machine can run the tests. */
export const hasElectron = found !== undefined;
if (!hasElectron) {
  const reason = `the desktop application in Electron: this machine lacks ${missing.join(', ')} (test/electron/install.sh)`;
  if (process.env['CI']) throw new Error(`in CI these tests may not be skipped: ${reason}`);
  process.stderr.write(`SKIPPED: ${reason}\n`);
}

/** A folder that the user of its own can reach, whatever the rights of the checkout are. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-window-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Gives a file or folder to the user that Electron runs as. */
export function hand(path: string): string {
  if (user?.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
  return path;
}

/** A folder of that user's own. */
export function makeOwnFolder(path: string): string {
  mkdirSync(path);
  return hand(path);
}

/** An executable, and the version of the Electron that it is. */
export function runtime(): { readonly executable: string; readonly version: string } {
  if (found === undefined) throw new Error('there is no runtime');
  if (found !== findElectron(ROOT)) return { executable: found, version: FETCHED_VERSION };
  const text = readFileSync(join(ROOT, 'node_modules', 'electron', 'package.json'), 'utf8');
  return { executable: found, version: (JSON.parse(text) as { readonly version: string }).version };
}

/** @returns the runtime where that user can start it: in the cache, or copied into `folder` */
export function reachableRuntime(folder: string): string {
  const { executable } = runtime();
  if (isReachable(executable)) return executable;
  const copy = join(folder, 'runtime');
  cpSync(dirname(executable), copy, { recursive: true });
  chmodSync(join(copy, 'chrome-sandbox'), 0o4755);
  return join(copy, basename(executable));
}

/** @returns a program that starts `executable` as that user, with the same words */
export function asUser(executable: string, folder: string): string {
  if (user === undefined) return executable;
  const script = join(folder, 'start');
  // It becomes the program, so that a signal for it reaches the application.
  writeFileSync(script, `#!/bin/sh\nexec setpriv ${AS_USER.join(' ')} '${executable}' "$@"\n`, { mode: 0o755 });
  return script;
}

let screen: Promise<Screen> | undefined;

/** Ends the screen, if there is one; the next window has another. */
export async function removeScreen(): Promise<void> {
  (await screen)?.end();
  screen = undefined;
}

/** @returns the file in which the screen keeps its picture in the format XWD; undefined for a real screen */
export async function pictureOfScreen(): Promise<string | undefined> {
  return (await screen)?.picture;
}

/** The environment of a window: nothing of this process's but the way to the programs, and a home of its own. */
export async function environmentOf(home: string): Promise<Record<string, string>> {
  if (user !== undefined) screen ??= startScreen();
  const inherited = user === undefined ? process.env : { PATH: process.env['PATH'], DISPLAY: (await screen)?.display };
  const own = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_RUNTIME_DIR: home,
    LANG: 'C.UTF-8',
    GTK_THEME: 'Adwaita:dark',
  };
  return Object.fromEntries(
    Object.entries({ ...inherited, ...own }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
