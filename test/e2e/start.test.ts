/** `npm start` as a person meets it where there is neither Electron nor a display. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;

interface Served {
  readonly url: string;
  readonly said: () => string;
  readonly end: () => Promise<number | null>;
}

async function start(...words: readonly string[]): Promise<Served> {
  const {
    DISPLAY: _x,
    WAYLAND_DISPLAY: _wayland,
    ELECTRON_OVERRIDE_DIST_PATH: _electron,
    ...environment
  } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'app/cli/bootstrap.mjs'), 'start', ...words], {
    cwd: ROOT,
    env: environment,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: first.toString().trim(),
    said: () => said,
    end: async () => {
      const closed = once(child, 'close');
      child.kill('SIGINT');
      const [code] = (await closed) as [number | null];
      return code;
    },
  };
}

it('builds and serves the application, says so, stays up, and ends with Ctrl-C', async () => {
  const left = join(ROOT, 'out', '.desktop.0');
  mkdirSync(left, { recursive: true });
  rmSync(join(ROOT, 'out', 'desktop.stamp'), { force: true });
  const { url, said, end } = await start();
  expect(existsSync(left)).toBe(false);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
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
  expect(await (await fetch(new URL('/given/dam-break.json', served))).json()).toMatchObject({ name: 'dam-break' });
  expect(await end()).toBe(0);
}, 120_000);
