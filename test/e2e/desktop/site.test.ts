/** The site of a static host, at a sub-path and without any headers: isolated by its service worker, shared by links. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serveFolder } from '../../setup/serve-folder.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { PATIENCE } from './laboratory.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PATH = '/courses/da/shoal/';

const titleOf = (page: Page) => page.locator('.scenario-title').textContent();
const cycleOf = async (page: Page): Promise<number> =>
  Number(await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuenow'));
const reach = async (page: Page, cycle: number): Promise<void> =>
  expect.poll(() => cycleOf(page), { timeout: PATIENCE }).toBeGreaterThanOrEqual(cycle);
const isIsolated = (page: Page) => page.evaluate(() => crossOriginIsolated);

/** @returns the link that is copied by its keys */
async function copyLink(page: Page): Promise<string> {
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText('nothing'));
  await page.keyboard.press('Control+Shift+L');
  await expect.poll(clipboard, { timeout: PATIENCE }).not.toBe('nothing');
  return clipboard();
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
    server = await serveFolder(site, PATH);
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    browser = await launchChromium();
  }, 300_000);
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page in a browser that has never seen the site. @param before runs in the page before everything else */
  async function visit(url: string, before?: () => void): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1024, height: 700 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
    if (before) await context.addInitScript(before);
    context.on('request', (request) => requested.push(request.url()));
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    // With all controls.
    const full = new URL(url);
    full.searchParams.set('view', 'researcher');
    await page.goto(full.href);
    return page;
  }

  it('runs isolated at a sub-path, and a link opens scenario, cycle and views elsewhere', async () => {
    const page = await visit(address);
    await page.locator('.backend', { hasText: 'CPU, SIMD' }).waitFor();
    expect(await isIsolated(page)).toBe(true);
    // Loaded again once, and ready to do so again where somebody goes past the service worker.
    expect(await page.evaluate(() => [history.length, sessionStorage.length])).toEqual([2, 0]);
    await reach(page, 2);
    await page.keyboard.press('Space');

    await page.keyboard.press('2');
    await page.keyboard.press('v');
    const water = page.locator('.stage-canvas');
    await water.hover({ position: { x: 200, y: 150 } });
    await page.mouse.down();
    await page.mouse.move(330, 260, { steps: 3 });
    await page.mouse.up();
    await page.getByRole('tab', { name: 'Innovations' }).click();
    const link = await copyLink(page);
    expect(link).toMatch(new RegExp(`^${address}\\?view=researcher#shoal=1\\.[\\w-]+$`));
    // What ships and is unchanged is named: the link is short.
    expect(link.length).toBeLessThan(address.length + 300);
    const found = await new AxeBuilder({ page }).setLegacyMode(true).include('.top-bar').include('.notices').analyze();
    expect(found.violations).toEqual([]);

    const other = await visit(link);
    await expect.poll(() => cycleOf(other), { timeout: PATIENCE }).toBe(await cycleOf(page));
    expect(await isIsolated(other)).toBe(true);
    expect(await titleOf(other)).toBe(await titleOf(page));
    expect(await other.getByRole('tab', { name: 'Innovations' }).getAttribute('aria-selected')).toBe('true');
    await other.locator('canvas[data-still]').waitFor();
    // Whatever a link holds is as it was: cameras, fields, cycle.
    expect(await copyLink(other)).toBe(link);

    // A link that was cut is reported, and takes nothing away.
    await other.evaluate(
      (cut) => {
        location.hash = cut;
      },
      new URL(link).hash.slice(0, -5),
    );
    const alert = other.getByRole('alert').filter({ hasText: 'The link cannot be opened' });
    await alert.waitFor();
    expect(await alert.textContent()).toContain('it is damaged or not whole');
    expect(await copyLink(other)).toBe(link);

    // Pasted, it opens in a window that shows something else.
    await page.keyboard.press('3');
    await page.evaluate((text) => navigator.clipboard.writeText(text), link);
    await page.locator('body').press('Control+v');
    await expect.poll(() => page.getByRole('combobox', { name: 'Field', exact: true }).inputValue()).toBe('depth');

    // A new edition of the page is taken up at once.
    const file = join(folder, 'site', 'index.html');
    writeFileSync(file, readFileSync(file, 'utf8').replace('<title>', '<meta name="edition" content="2" /><title>'));
    await page.reload();
    expect(await page.locator('meta[name=edition]').getAttribute('content')).toBe('2');
    expect(await isIsolated(page)).toBe(true);
    expect(errors).toEqual([]);
  });

  it('computes on one thread if there are no service workers, and says so', async () => {
    const page = await visit(address, () => {
      Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });
    });
    await page.getByRole('status').filter({ hasText: 'The processor computes on one thread here' }).waitFor();
    expect(await isIsolated(page)).toBe(false);
    await reach(page, 1);
    expect(errors).toEqual([]);
  });

  it('asks nobody but the host for anything', () => {
    const elsewhere = requested.filter(
      (url) => /^(https?|wss?):/.test(url) && new URL(url).origin !== new URL(address).origin,
    );
    expect(requested.length).toBeGreaterThan(20);
    expect(elsewhere).toEqual([]);
    // What a link holds stays in the browser.
    expect(requested.filter((url) => url.includes('shoal=1.') && !url.includes('#'))).toEqual([]);
  });
});
