/** Tuning a method in the window: what is asked for, a map that fills beside the page, what was found, and how it is used. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { saveChart, textOf } from './saving.ts';

const SIZES = [
  [1440, 900],
  [1024, 700],
] as const;

/** Its LETKF reaches nearly everything, and is inflated much more than is good for it. */
const farOff = {
  ...smallScenario('tuning', 4),
  methods: [
    { kind: 'free-run' },
    { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 5, standardDeviation: { h: 0.02 } } },
    { kind: 'letkf', localisation: { halfWidth: 12 }, inflation: 4 },
  ],
};

/** The page of the LETKF, opened from its settings by keyboard. */
async function openTuning(): Promise<Laboratory> {
  const laboratory = await openLaboratory({ scenario: farOff, width: 1440, height: 900 });
  const { page } = laboratory;
  await laboratory.reach(0);
  await laboratory.pause();
  await laboratory.command('Settings of LETKF');
  const button = page.getByRole('button', { name: 'Tune this method…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Tune LETKF' }).waitFor();
  return laboratory;
}

async function ask({ page }: Laboratory, seeds: number, halvings: number, count: number): Promise<void> {
  await page.getByLabel('Seeds').fill(String(seeds));
  await page.getByLabel('Halvings').fill(String(halvings));
  for (const each of await page.getByLabel(/, number of values$/).all())
    if (await each.isEnabled()) await each.fill(String(count));
}

describe.runIf(hasHost)('tuning a method', () => {
  withBrowser();

  it('finds its best setting on a map, which is taken over as one step that can be undone', async () => {
    const laboratory = await openTuning();
    const { page } = laboratory;
    await ask(laboratory, 2, 0, 2);
    expect(await page.locator('.page-outlook').innerText()).toMatch(/^5 to \d+ settings with 2 seeds: 10 to \d+ runs/);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const use = page.getByRole('button', { name: 'Use these', exact: true });
    await use.waitFor({ timeout: PATIENCE });
    const found = await page.getByRole('region', { name: 'What was found' }).innerText();
    expect(found).toMatch(/^Best: half-width [\d.]+\sm, inflation [\d.]+, with skill against the free run/);
    expect(found).toContain('Spread over error');
    expect(await page.getByRole('img', { name: /^Heat map of Skill/ }).count()).toBe(1);

    for (const theme of ['Light', 'Dark']) {
      await page.keyboard.press('Escape');
      await laboratory.command(`${theme} theme`);
      await laboratory.command('Tune LETKF…');
      await use.waitFor();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('dialog').analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);
        const dialog = await page.getByRole('dialog').boundingBox();
        const map = await page.locator('svg.sweep-map').boundingBox();
        if (!dialog || !map) throw new Error('the page is not on screen');
        expect(map.x + map.width).toBeLessThanOrEqual(dialog.x + dialog.width);
      }
    }

    const csv = await saveChart(laboratory, 'map', 'CSV');
    expect(csv.name).toBe('tuning-tuning-letkf-map.csv');
    expect(textOf(csv).trim().split('\r\n').length).toBeGreaterThan(5);

    const [, halfWidth, inflation] = /half-width ([\d.]+)\sm, inflation ([\d.]+)/.exec(found) ?? [];
    await page.getByRole('button', { name: 'Keep the record' }).click();
    await use.click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    const setting = (path: string) => page.locator(`.settings [data-path="methods[2].${path}"] input`).first();
    await expect.poll(() => setting('inflation').inputValue()).toBe(inflation);
    expect(await setting('localisation.halfWidth').inputValue()).toBe(halfWidth);
    await laboratory.command('Undo');
    await expect.poll(() => setting('inflation').inputValue()).not.toBe(inflation);
  });

  it('refuses what cannot be tuned, stops on request, and keeps what it found so far', async () => {
    const laboratory = await openTuning();
    const { page } = laboratory;
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await page.getByLabel('inflation, from').fill('0.5');
    await page.getByRole('alert').filter({ hasText: 'found 0.5, allowed: a number of at least 1' }).waitFor();
    expect(await start.isDisabled()).toBe(true);
    await page.getByLabel('inflation, from').fill('1.05');
    await ask(laboratory, 20, 3, 9);
    await start.click();
    const progress = page.getByRole('progressbar', { name: 'Runs of the tuning' });
    await expect
      .poll(async () => Number(await progress.getAttribute('value')), { timeout: PATIENCE })
      .toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => progress.count()).toBe(0);
    expect(await page.locator('svg.sweep-map').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Use these', exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Tune this method…');
  });
});
