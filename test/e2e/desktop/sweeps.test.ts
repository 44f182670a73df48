/** The page of sweeps: opened by keyboard, with a scan that ships and a file; read by arrows, a cell opened, its numbers saved. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sweepResults } from '../../setup/sweep-results.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { readCsv, saveChart, textOf } from './saving.ts';

const SIZES = [
  [1440, 900],
  [1024, 700],
] as const;

async function openSweeps(): Promise<Laboratory> {
  const laboratory = await openLaboratory({ scenario: smallScenario('sweeps', 3) });
  await laboratory.reach(0);
  await laboratory.pause();
  await laboratory.page.keyboard.press('Shift+S');
  await laboratory.page.getByRole('dialog', { name: 'Sweeps' }).waitFor();
  return laboratory;
}

async function giveFile(page: Page, name: string, content: unknown): Promise<void> {
  await page
    .getByLabel('The sweep.json of a sweep')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) });
}

async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).setLegacyMode(true).include('dialog').analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}

describe.skipIf(!hasHost)('the page of sweeps', () => {
  withBrowser();

  it('shows a scan that ships, and runs one of its settings', async () => {
    const laboratory = await openSweeps();
    const { page } = laboratory;
    expect(await violations(page)).toEqual([]);
    const scan = page
      .getByRole('listitem')
      .filter({ hasText: 'Water drops in Moler’s model' })
      .getByRole('button', { name: /^LETKF/ });
    await scan.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('img', { name: /^Heat map of Skill .* by letkf: Half-width .* and letkf: Inflation/ })
      .waitFor();
    const cell = page.getByRole('gridcell');
    await expect.poll(() => cell.getAttribute('aria-label')).toMatch(/Inflation 1\.05/);
    await cell.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => cell.getAttribute('aria-label')).toMatch(/Half-width 5.*Inflation 1\.1; 0\.81/);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => cell.getAttribute('aria-label')).toMatch(/Half-width 4.*Inflation 1\.1; 0\.81/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => laboratory.title()).toMatch(/Half-width 5\u00a0.*Inflation 1\.1, seed 101$/);
  });

  it('shows a file as map, lines and methods, at every size and in both themes, and saves it', async () => {
    const laboratory = await openSweeps();
    const { page } = laboratory;
    await giveFile(page, 'broken.json', { ...sweepResults(), seeds: 'none' });
    await page.getByRole('alert').filter({ hasText: 'broken.json: seeds' }).waitFor();
    await giveFile(page, 'sweep.json', sweepResults());
    const figure = page.locator('dialog .figure');
    await figure.getByText(/^Best: Inflation 1\.05, Half-width 5\u00a0m, Members 20/).waitFor();
    const cell = page.getByRole('gridcell');
    await cell.focus();
    await page.keyboard.press('End');
    const readout = page.getByRole('complementary', { name: 'The cell' });
    await expect.poll(() => readout.textContent()).toContain('diverged in cycle 7');
    await page.keyboard.press('PageUp');
    await expect.poll(() => cell.getAttribute('aria-label')).toContain('Members 10');
    for (const theme of ['Light', 'Dark']) {
      await page.keyboard.press('Escape');
      await laboratory.command(`${theme} theme`);
      await laboratory.command('Sweeps…');
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        for (const view of ['Heat map', 'Lines', 'Methods']) {
          await page.getByRole('dialog').getByRole('button', { name: view, exact: true }).click();
          await page.locator('svg.sweep-map').waitFor();
          expect(await violations(page)).toEqual([]);
          const [panes, chart] = await Promise.all([
            page.locator('.sweep-panes').boundingBox(),
            page.locator('svg.sweep-map').boundingBox(),
          ]);
          if (!panes || !chart) throw new Error('the page is not on screen');
          expect(chart.x + chart.width).toBeLessThanOrEqual(panes.x + panes.width);
          expect(chart.y + chart.height).toBeLessThanOrEqual(panes.y + panes.height);
        }
      }
    }
    const methods = await saveChart(laboratory, 'best-methods', 'CSV');
    expect(textOf(methods)).toContain('LETKF');
    await page.getByRole('dialog').getByRole('button', { name: 'Heat map', exact: true }).click();
    const csv = await saveChart(laboratory, 'map', 'CSV');
    expect(csv.name).toBe('letkf-tuning-map.csv');
    expect(readCsv(textOf(csv)).rows).toHaveLength(40);
    const svg = await saveChart(laboratory, 'map', 'SVG');
    expect(textOf(svg)).toContain('<pattern');
  });
});
