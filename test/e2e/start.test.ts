/** `npm start` as a user meets it: without Electron and without a display, and with stand-ins for both. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

interface Served {
  readonly url: string;
  readonly pid: number;
  readonly said: () => string;
  readonly end: () => Promise<number | null>;
}

const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ELECTRON_OVERRIDE_DIST_PATH: _electron, ...environment } = process.env;

const launched: ChildProcess[] = [];

// Those of a test that failed would stay for ever.
afterEach(() => {
  for (const child of launched.splice(0)) child.kill('SIGKILL');
});

function launch(words: readonly string[], more: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(ROOT, 'app/cli/bootstrap.mjs'), 'start', ...words], {
    cwd: ROOT,
    env: { ...environment, ...more },
  });
  launched.push(child);
  return child;
}

/** @returns a PATH without the browsers of this machine: only `sleep`, which stand-ins need */
function onlySleep(folder: string): string {
  if (!existsSync(join(folder, 'sleep'))) symlinkSync('/bin/sleep', join(folder, 'sleep'));
  return folder;
}

async function start(...words: readonly string[]): Promise<Served> {
  return served(words, {});
}

async function served(words: readonly string[], more: Readonly<Record<string, string>>): Promise<Served> {
  const child = launch(words, more);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: first.toString().trim(),
    pid: child.pid ?? 0,
    said: () => said,
    end: async () => {
      const closed = once(child, 'close');
      child.kill('SIGINT');
      const [code] = (await closed) as [number | null];
      return code;
    },
  };
}

/** Many times the memory of a server that has built nothing itself. */
const MOST_MEBIBYTES = 512;

/** @returns the most resident memory that a process has had; 0 on systems that do not say */
function peakMebibytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

it('builds and serves the application, says so, stays up, and ends with Ctrl-C', async () => {
  const left = join(ROOT, 'out', '.desktop.0');
  mkdirSync(left, { recursive: true });
  rmSync(join(ROOT, 'out', 'desktop.stamp'), { force: true });
  const { url, pid, said, end } = await start();
  expect(existsSync(left)).toBe(false);
  // The build takes gigabytes, in a process that has ended.
  expect(peakMebibytes(pid)).toBeLessThan(MOST_MEBIBYTES);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect((await fetch(new URL('/', url))).status).toBe(403);
  const [, script] = /src="\.\/(assets\/index-[^"]+\.js)"/.exec(await page.text()) ?? [];
  expect((await fetch(new URL(script, url))).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(said()).toMatch(/Electron|display/);
  expect(said()).toContain('Ctrl-C');
  expect(await end()).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
}, 120_000);

it('runs beside another start, and says what that means', async () => {
  const [first, second] = [await start(), await start()];
  expect(second.url).not.toBe(first.url);
  expect(second.said()).toMatch(/port \d+ is in use/);
  expect((await fetch(first.url)).status).toBe(200);
  expect((await fetch(second.url)).status).toBe(200);
  expect([await first.end(), await second.end()]).toEqual([0, 0]);
}, 120_000);

it('hands over a scenario that is named, in one document with --json', async () => {
  const { url, end } = await start('scenarios/dam-break.json', '--json', '--no-open');
  const served: string = JSON.parse(url).url;
  expect(new URL(served).search).toBe('?open=dam-break.json');
  expect(await (await fetch(new URL('./given/dam-break.json', served))).json()).toMatchObject({ name: 'dam-break' });
  expect(await end()).toBe(0);
}, 120_000);

it.runIf(process.platform === 'linux')(
  'starts a browser with an address that is of use once',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shoal-browser-'));
    const log = join(folder, 'words');
    writeFileSync(join(folder, 'google-chrome'), `#!/bin/sh\necho "$@" > '${log}'\n`, { mode: 0o755 });
    const here = { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: '/nowhere', PATH: onlySleep(folder) };
    try {
      const { url, end } = await served(['scenarios/dam-break.json'], here);
      await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8'), { timeout: 20_000 }).toContain('--app=');
      const [, address] = /--app=(\S+)/.exec(readFileSync(log, 'utf8')) ?? ['', ''];
      // Everybody on this machine may read the command line.
      expect(address).not.toContain(new URL(url).pathname);
      const page = await fetch(address);
      expect([page.status, page.url]).toEqual([200, url]);
      expect((await fetch(address)).status).toBe(403);
      expect(await end()).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

it.runIf(process.platform === 'linux')(
  'ends with Ctrl-C as soon as the address is printed, while the browser still starts',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shoal-browser-'));
    writeFileSync(join(folder, 'google-chrome'), '#!/bin/sh\nexec sleep 5\n', { mode: 0o755 });
    const here = { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: '/nowhere', PATH: onlySleep(folder) };
    try {
      const { end } = await served([], here);
      expect(await end()).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

describe.runIf(process.platform === 'linux')('where Electron’s runtime is', () => {
  let dist = '';
  beforeAll(() => {
    dist = mkdtempSync(join(tmpdir(), 'shoal-start-'));
  });
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  /** A runtime that is a script, and a display. */
  function runtime(script: string): Record<string, string> {
    writeFileSync(join(dist, 'electron'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { ELECTRON_OVERRIDE_DIST_PATH: dist, DISPLAY: ':99', PATH: onlySleep(dist) };
  }

  it('opens the window with the scenario that is named', async () => {
    const child = launch(['scenarios/dam-break.json'], runtime('printf "%s\\n" "$@"'));
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said.trim().split('\n')).toEqual([ROOT, join(ROOT, 'scenarios/dam-break.json')]);
  }, 120_000);

  it('passes Ctrl-C on, and ends as the window ends', async () => {
    const child = launch([], runtime('trap "exit 7" INT; echo open; while kill -0 $PPID; do sleep 0.1; done'));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([7, null]);
  }, 120_000);

  it('runs in the browser when no window can be opened', async () => {
    const { url, said, end } = await served([], runtime('echo "no right to the sandbox" >&2; exit 127'));
    expect((await fetch(url)).status).toBe(200);
    expect(said()).toContain('no right to the sandbox');
    expect(said()).toMatch(/Electron could not start here \(exit code 127\)/);
    expect(await end()).toBe(0);
  }, 120_000);
});
