/** `npm run dev` on a copy of the sources: what is edited is on screen a moment later. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';
import { PATIENCE } from './laboratory.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SOURCES = [
  'app',
  'engine',
  'scenarios',
  'electron.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

type Process = ChildProcessByStdio<null, Readable, Readable>;

let folder = '';
let developing: Process | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'shoal-development-'));
  for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  if (developing?.exitCode === null) {
    developing.kill('SIGKILL');
    await once(developing, 'close');
  }
  rmSync(folder, { recursive: true, force: true });
});

function develop(more: Readonly<Record<string, string>> = {}): {
  readonly process: Process;
  readonly said: () => string;
} {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ELECTRON_OVERRIDE_DIST_PATH: _dist, ...environment } = process.env;
  const started = spawn(process.execPath, [join(folder, 'app/cli/bootstrap.mjs'), '--task', 'dev'], {
    cwd: folder,
    env: { ...environment, NO_COLOR: '1', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  developing = started;
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  return { process: started, said: () => said };
}

async function end(started: Process): Promise<number | null> {
  const closed = once(started, 'close');
  started.kill('SIGINT');
  const [code] = (await closed) as [number | null];
  return code;
}

/** What an edit leaves in the global scope of page and worker. */
function mark(file: string, name: string): void {
  appendFileSync(join(folder, file), `\nObject.assign(globalThis, { ${name}: 'edited' });\n`);
}

const read = (name: string): unknown => (globalThis as unknown as Record<string, unknown>)[name];

async function inPage(page: Page, name: string): Promise<unknown> {
  // While the page is loaded again there is nowhere to ask.
  return page.evaluate(read, name).catch(() => undefined);
}

async function inWorker(page: Page, name: string): Promise<unknown> {
  const found = await Promise.all(page.workers().map((worker) => worker.evaluate(read, name).catch(() => undefined)));
  return found.find((value) => value !== undefined);
}

describe.runIf(hasChromium)('in a browser', () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('shows an edit of a style, of the page, and of the engine in page and worker', async () => {
    const started = develop();
    await expect.poll(started.said, { timeout: PATIENCE }).toMatch(/http:\/\/127\.0\.0\.1:\d+\//);
    const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(started.said()) ?? [''];
    const page = await browser?.newPage();
    if (!page) throw new Error('there is no browser');
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(url);
    await page.locator('.view-frame').first().waitFor({ timeout: PATIENCE });
    await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBeGreaterThan(0);
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);

    await page.evaluate(() => Object.assign(globalThis, { stays: true }));
    appendFileSync(join(folder, 'app/shell/styles/base.css'), '\nbody { outline: 3px solid rgb(1, 2, 3); }\n');
    const outline = () => page.evaluate(() => getComputedStyle(document.body).outlineColor);
    await expect.poll(outline, { timeout: PATIENCE }).toBe('rgb(1, 2, 3)');
    expect(await inPage(page, 'stays')).toBe(true);

    mark('app/format/numbers.ts', 'ofPage');
    await expect.poll(() => inPage(page, 'ofPage'), { timeout: PATIENCE }).toBe('edited');
    expect(await inPage(page, 'stays')).toBeUndefined();

    mark('engine/errors.ts', 'ofEngine');
    await expect.poll(() => inPage(page, 'ofEngine'), { timeout: PATIENCE }).toBe('edited');
    await expect.poll(() => inWorker(page, 'ofEngine'), { timeout: PATIENCE }).toBe('edited');

    mark('app/document/compute/run-worker.ts', 'ofWorker');
    await expect.poll(() => inWorker(page, 'ofWorker'), { timeout: PATIENCE }).toBe('edited');

    expect(errors).toEqual([]);
    await page.close();
    expect(await end(started.process)).toBe(0);
  });
});

/** In place of Electron's runtime: writes down how it was started, and stays until asked to end. */
const RUNTIME = `#!/usr/bin/env node
import { appendFileSync } from 'node:fs';
appendFileSync(
  process.env.SHOAL_LOG,
  JSON.stringify({ words: process.argv.slice(2), page: process.env.ELECTRON_RENDERER_URL }) + '\\n',
);
setInterval(() => undefined, 1000);
`;

describe.runIf(process.platform === 'linux')('in a window', () => {
  it('starts Electron with the page’s address, and again with every change of the main process', async () => {
    const [dist, log] = [join(folder, 'dist'), join(folder, 'starts')];
    mkdirSync(dist);
    writeFileSync(join(dist, 'electron'), RUNTIME, { mode: 0o755 });
    writeFileSync(log, '');
    const started = develop({ ELECTRON_OVERRIDE_DIST_PATH: dist, DISPLAY: ':99', SHOAL_LOG: log });
    const starts = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { readonly words: readonly string[]; readonly page: string });
    const built = (part: string) => readFileSync(join(folder, 'out', part), 'utf8');

    await expect.poll(() => starts().length, { timeout: PATIENCE }).toBe(1);
    expect(starts()[0].words).toEqual(['.']);
    const page = await fetch(starts()[0].page);
    expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(await page.text()).toContain('/@vite/client');
    expect([...built('preload/index.cjs').matchAll(/require\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name)).toEqual(
      ['electron'],
    );

    mark('app/main/menu.ts', 'ofMain');
    await expect.poll(() => starts().length, { timeout: PATIENCE }).toBe(2);
    expect(built('main/index.js')).toContain('ofMain');

    mark('app/preload/bridge.ts', 'ofBridge');
    await expect.poll(() => built('preload/index.cjs'), { timeout: PATIENCE }).toContain('ofBridge');
    expect(started.said()).not.toMatch(/error/i);
    await end(started.process);
  });
});
