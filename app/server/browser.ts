/** Opens an address in the system's browser: as a window of its own where the browser can, otherwise as a page. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Finds Electron's runtime without starting the download that `require('electron')` would: the package is a few scripts, and
 * the runtime is beside them once it has been fetched.
 *
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

export interface BrowserCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What the choice depends on. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isExecutable: (path: string) => boolean;
}

/** Browsers that open an address without tabs and address bar, by the names that Linux has for them. */
const APPLICATION_BROWSERS = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'brave-browser',
  'vivaldi',
];
const MAC_BROWSERS = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser'];
/** Edge is a part of Windows; it is started by the name that Windows has for it. */
const WINDOWS_BROWSER = String.raw`Microsoft\Edge\Application\msedge.exe`;

export const thisSystem: System = {
  platform: process.platform,
  environment: process.env,
  isExecutable(path) {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
};

/** Whether a window can be opened. */
export function hasDisplay({ platform, environment }: System): boolean {
  if (platform === 'darwin' || platform === 'win32') return environment['SSH_CONNECTION'] === undefined;
  return Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
}

function onPath(name: string, { environment, isExecutable }: System): string | undefined {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function macPath(app: string): string {
  return `/Applications/${app}.app/Contents/MacOS/${app}`;
}

function onMac(url: string, { isExecutable }: System): BrowserCommand {
  const app = MAC_BROWSERS.find((name) => isExecutable(macPath(name)));
  return { command: 'open', args: app === undefined ? [url] : ['-na', app, '--args', `--app=${url}`] };
}

/** @returns where the browser is that gives the application a window of its own, or undefined if there is none */
export function findBrowser(system: System): string | undefined {
  const { platform, environment, isExecutable } = system;
  if (platform === 'darwin') return MAC_BROWSERS.map(macPath).find(isExecutable);
  if (platform === 'win32') {
    const folders = [environment['ProgramFiles(x86)'], environment['ProgramFiles']].filter(
      (each) => each !== undefined,
    );
    return folders.map((folder) => `${folder}\\${WINDOWS_BROWSER}`).find(isExecutable);
  }
  return APPLICATION_BROWSERS.map((name) => onPath(name, system)).find((path) => path !== undefined);
}

/** @returns how to open an address on this system, or undefined if nothing can */
export function browserCommand(url: string, system: System): BrowserCommand | undefined {
  if (system.platform === 'darwin') return onMac(url, system);
  if (system.platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '', 'msedge', `--app=${url}`] };
  const command = findBrowser(system);
  if (command !== undefined) return { command, args: [`--app=${url}`] };
  const opener = onPath('xdg-open', system);
  return opener === undefined ? undefined : { command: opener, args: [url] };
}

/** A command that finds no browser says so within this time; a browser itself may run on. */
const FAILS_WITHIN_MILLISECONDS = 1500;

/** Starts a browser as a detached process. @returns whether it could be started */
export function openBrowser(url: string, system: System = thisSystem): Promise<boolean> {
  const found = browserCommand(url, system);
  if (!found) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(found.command, found.args, { detached: true, stdio: 'ignore' });
    const runsOn = setTimeout(() => resolve(true), FAILS_WITHIN_MILLISECONDS);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.once('close', () => clearTimeout(runsOn));
    child.unref();
  });
}
