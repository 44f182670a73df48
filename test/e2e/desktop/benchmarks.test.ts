/** The page of benchmark results: read from a file, pointed at by keyboard, saved, and timed in the window. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { benchmarkDocument } from '../../setup/benchmark-document.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { saveChart, textOf } from './saving.ts';

const SIZES = [
  [1440, 900],
  [1024, 700],
] as const;

async function openBenchmarks(): Promise<Laboratory> {
  const laboratory = await openLaboratory({ scenario: smallScenario('benchmarks', 3) });
  await laboratory.reach(0);
  await laboratory.pause();
  await laboratory.command('Benchmarks…');
  await laboratory.page.getByRole('dialog', { name: 'Benchmarks' }).waitFor();
  return laboratory;
}

async function giveFile(page: Page, name: string, content: unknown): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await page
    .getByLabel('A file of shoal bench --json')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

describe.skipIf(!hasHost)('the benchmarks', () => {
  withBrowser();

  it('of a file are under their roofs and in a table, at every size and in both themes', async () => {
    const laboratory = await openBenchmarks();
    const { page } = laboratory;
    await giveFile(page, 'results.json', benchmarkDocument());
    const names = page.locator('.bench-name');
    await expect.poll(() => names.count()).toBe(5);
    expect(await page.locator('.roofline-mark').count()).toBe(4);
    expect(await page.locator('.roof').count()).toBe(2);
    expect(await page.getByRole('img', { name: /^Roofline of 4 kernels/ }).count()).toBe(1);
    expect(await page.locator('.bench-table').textContent()).toContain(
      '2.75 ms for 16384 points'.replace(' ', '\u00a0'),
    );
    expect(await page.getByRole('region', { name: 'Benchmarks that could not be run' }).textContent()).toContain(
      'too large',
    );
    for (const theme of ['Light', 'Dark']) {
      await page.keyboard.press('Escape');
      await laboratory.command(`${theme} theme`);
      await laboratory.command('Benchmarks…');
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        const found = await new AxeBuilder({ page }).setLegacyMode(true).include('dialog').analyze();
        expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);
        const dialog = await page.getByRole('dialog').boundingBox();
        const chart = await page.locator('svg.roofline').boundingBox();
        if (!dialog || !chart) throw new Error('the page is not on screen');
        expect(chart.x + chart.width).toBeLessThanOrEqual(dialog.x + dialog.width);
        expect(chart.height).toBeGreaterThan(180);
      }
    }
  });

  it('are pointed at by keyboard, and saved', async () => {
    const laboratory = await openBenchmarks();
    const { page } = laboratory;
    await giveFile(page, 'results.json', benchmarkDocument());
    const first = page.getByRole('button', { name: 'letkf-256-k32-l9 wasm' });
    await first.focus();
    await expect.poll(() => page.locator('.roofline-chosen').first().textContent()).toBe('letkf-256-k32-l9');
    await page.keyboard.press('Tab');
    await expect.poll(() => first.getAttribute('aria-pressed')).toBe('false');
    const csv = await saveChart(laboratory, 'roofline', 'CSV');
    expect(csv.name).toBe('shoal-benchmarks-roofline.csv');
    const [, line, ...others] = textOf(csv).trim().split('\r\n');
    expect(line).toContain('letkf-256-k32-l9');
    expect(others).toHaveLength(4);
    const svg = await saveChart(laboratory, 'roofline', 'SVG');
    expect(svg.name).toBe('shoal-benchmarks-roofline.svg');
    expect(textOf(svg)).toContain('Arithmetic intensity');
  });

  it('of a file that is none are refused with the place, and what was there stays', async () => {
    const { page } = await openBenchmarks();
    await giveFile(page, 'results.json', benchmarkDocument());
    await page.locator('.roofline-mark').first().waitFor();
    await giveFile(page, 'broken.json', { ...benchmarkDocument(), rows: [{ name: 'x' }] });
    const alert = page.getByRole('alert').filter({ hasText: 'broken.json' });
    await alert.waitFor();
    expect(await alert.textContent()).toContain('rows[0]');
    expect(await page.locator('.roofline-mark').count()).toBe(4);
  });

  it('are timed beside the page, which continues, and stop on request', async () => {
    const { page } = await openBenchmarks();
    await page.getByRole('button', { name: /^Time the quick benchmarks on/ }).click();
    const progress = page.getByRole('progressbar', { name: 'Benchmarks that are timed' });
    await expect
      .poll(async () => Number(await progress.getAttribute('value')), { timeout: PATIENCE })
      .toBeGreaterThan(1);
    const slowest = await page.evaluate(async () => {
      let [last, most] = [performance.now(), 0];
      for (let n = 0; n < 40; n++) {
        await new Promise((resolve) => {
          setTimeout(resolve, 10);
        });
        const now = performance.now();
        [most, last] = [Math.max(most, now - last), now];
      }
      return most;
    });
    // A benchmark of this page's thread would hold it for half a second and longer.
    expect(slowest).toBeLessThan(400);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => progress.count()).toBe(0);
    expect(await page.locator('.bench-name').count()).toBeGreaterThan(1);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
