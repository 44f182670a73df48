import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { browserCommand, findBrowser, hasDisplay, openBrowser, findElectron } from '../../../app/server/browser.ts';
import type { System } from '../../../app/server/browser.ts';

const URL = 'http://127.0.0.1:47613/';

function system(platform: NodeJS.Platform, executables: readonly string[] = [], environment = {}): System {
  return {
    platform,
    environment: { PATH: '/usr/local/bin:/usr/bin', ...environment },
    isExecutable: (path) => executables.includes(path),
  };
}

it('opens an application window where a browser can', () => {
  expect(browserCommand(URL, system('linux', ['/usr/bin/chromium', '/usr/bin/xdg-open']))).toEqual({
    command: '/usr/bin/chromium',
    args: [`--app=${URL}`],
  });
  const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(browserCommand(URL, system('darwin', [chrome]))?.args).toContain(`--app=${URL}`);
  expect(browserCommand(URL, system('win32'))?.args).toContain(`--app=${URL}`);
});

it('opens a page where it cannot, and nothing if there is no browser', () => {
  expect(browserCommand(URL, system('linux', ['/usr/bin/xdg-open']))).toEqual({
    command: '/usr/bin/xdg-open',
    args: [URL],
  });
  expect(browserCommand(URL, system('darwin'))).toEqual({ command: 'open', args: [URL] });
  expect(browserCommand(URL, system('linux'))).toBeUndefined();
});

it('finds the browser that it would open', () => {
  expect(findBrowser(system('linux', ['/usr/bin/chromium']))).toBe('/usr/bin/chromium');
  expect(findBrowser(system('linux', ['/usr/bin/xdg-open']))).toBeUndefined();
  const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(findBrowser(system('darwin', [chrome]))).toBe(chrome);
  const edge = String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`;
  const environment = { 'ProgramFiles(x86)': String.raw`C:\Program Files (x86)` };
  expect(findBrowser(system('win32', [edge], environment))).toBe(edge);
  expect(findBrowser(system('win32', [], environment))).toBeUndefined();
});

it('knows whether there is a display', () => {
  expect(hasDisplay(system('linux'))).toBe(false);
  expect(hasDisplay(system('linux', [], { DISPLAY: ':0' }))).toBe(true);
  expect(hasDisplay(system('linux', [], { WAYLAND_DISPLAY: 'wayland-0' }))).toBe(true);
  expect(hasDisplay(system('darwin'))).toBe(true);
  expect(hasDisplay(system('darwin', [], { SSH_CONNECTION: 'x' }))).toBe(false);
});

it('says whether a browser could be started', async () => {
  const missing: System = { ...system('linux'), isExecutable: (path) => path === '/usr/bin/chromium' };
  expect(await openBrowser(URL, { ...missing, environment: { PATH: '/nowhere' } })).toBe(false);
  expect(await openBrowser(URL, system('linux'))).toBe(false);
});

it.runIf(process.platform === 'linux')('knows a browser from a command that finds none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-browser-'));
  const opener = join(folder, 'xdg-open');
  const here: System = {
    platform: 'linux',
    environment: { PATH: folder },
    isExecutable: (path) => path === opener,
  };
  const opens = (script: string): Promise<boolean> => {
    writeFileSync(opener, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return openBrowser(URL, here);
  };
  try {
    expect(await opens('exit 3')).toBe(false);
    expect(await opens('exit 0')).toBe(true);
    expect(await opens('exec sleep 4')).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('finds Electron only where its runtime is', () => {
  const root = mkdtempSync(join(tmpdir(), 'shoal-electron-'));
  try {
    const folder = join(root, 'node_modules', 'electron');
    mkdirSync(join(folder, 'dist'), { recursive: true });
    expect(findElectron(root, {})).toBeUndefined();
    writeFileSync(join(folder, 'path.txt'), 'electron\n');
    expect(findElectron(root, {})).toBeUndefined();
    const executable = join(folder, 'dist', 'electron');
    writeFileSync(executable, '');
    chmodSync(executable, 0o755);
    expect(findElectron(root, {})).toBe(executable);
    expect(findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' })).toBeUndefined();
    expect(findElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'dist') })).toBe(executable);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
