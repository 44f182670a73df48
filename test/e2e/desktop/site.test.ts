/** The site of a static host, at a sub-path and without any headers: isolated by its service worker, shared by links. */
import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';
import { PATIENCE } from './laboratory.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PATH = '/courses/da/shoal/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** Serves a folder at the sub-path as plainly as can be: a file's type, and no other header. */
function serveFolder(folder: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const name = pathname === PATH ? 'index.html' : normalize(pathname.slice(PATH.length));
    const file = join(folder, name);
    if (!pathname.startsWith(PATH) || name.startsWith('..') || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

describe.runIf(hasChromium)('the site', () => {
  let folder = '';
  let server: Server;
  let browser: Browser;
  let address = '';
  const contexts: BrowserContext[] = [];
  const requested: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-site-'));
    const site = join(folder, 'site');
    const launcher = join(ROOT, 'app', 'cli', 'bootstrap.mjs');
    const { status, stderr } = spawnSync(process.execPath, [launcher, '--task', 'site', site], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the site was not built:\n${stderr}`);
    server = await serveFolder(site);
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    browser = await launchChromium();
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page in a browser that has never seen the site. */
  async function visit(url: string): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1024, height: 700 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
    context.on('request', (request) => requested.push(request.url()));
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(url);
    return page;
  }

  const titleOf = (page: Page) => page.locator('.scenario-title').textContent();
  const cycleOf = async (page: Page): Promise<number> =>
    Number(await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuenow'));
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
  const isPressed = (page: Page, name: string) =>
    page.getByRole('button', { name }).first().getAttribute('aria-pressed');

  it('runs isolated at a sub-path, and a link opens scenario, cycle and views elsewhere', async () => {
    const page = await visit(address);
    await page.locator('.backend', { hasText: 'CPU' }).waitFor();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(await titleOf(page)).toContain('One stone');
    await expect.poll(() => cycleOf(page), { timeout: PATIENCE }).toBeGreaterThanOrEqual(2);
    await page.keyboard.press('Space');

    // What ships and is unchanged is named: the link is short.
    await page.keyboard.press('2');
    await page.keyboard.press('Control+Shift+L');
    await page.getByText('Copied the link').waitFor();
    const short = await copied(page);
    const cycle = await cycleOf(page);
    expect(short).toMatch(new RegExp(`^${address}#shoal=1\\.[\\w-]+$`));
    expect(short.length).toBeLessThan(address.length + 150);

    const other = await visit(short);
    await expect.poll(() => cycleOf(other), { timeout: PATIENCE }).toBe(cycle);
    expect(await titleOf(other)).toBe(await titleOf(page));
    expect(await other.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(await other.locator('.backend').textContent()).toContain('CPU');
  });
});
