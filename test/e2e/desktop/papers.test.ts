/** The page of the four papers: live figures, tables, sizes and themes. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { PAPERS } from '../../../engine/index.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';

const SIZES = [
  [1440, 900],
  [1024, 700],
] as const;

async function openPapers(): Promise<Laboratory> {
  const laboratory = await openLaboratory({ scenario: smallScenario('papers', 3) });
  await laboratory.reach(0);
  await laboratory.pause();
  await laboratory.command('The four papers…');
  await laboratory.page.getByRole('dialog', { name: 'The four papers' }).waitFor();
  return laboratory;
}

describe.skipIf(!hasHost)('the four papers', () => {
  withBrowser();

  it('are legible at every size and in both themes', async () => {
    const laboratory = await openPapers();
    const { page } = laboratory;
    for (const theme of ['Light', 'Dark']) {
      await page.keyboard.press('Escape');
      await laboratory.command(`${theme} theme`);
      await laboratory.command('The four papers…');
      for (const { id, subject } of PAPERS) {
        await page.getByRole('tab', { name: subject }).click();
        for (const [width, height] of SIZES) {
          await page.setViewportSize({ width, height });
          const found = await new AxeBuilder({ page }).setLegacyMode(true).include('dialog').analyze();
          expect(found.violations.map((each) => `${each.id}: ${each.nodes[0].html}`)).toEqual([]);
          const shots = process.env['SHOAL_SHOTS'];
          if (shots !== undefined) await page.screenshot({ path: `${shots}/${id}-${theme}-${width}.png` });
        }
      }
    }
  });

  it('fill the tuning surface of a pass, which can be stopped and continued', async () => {
    const { page } = await openPapers();
    await page.getByRole('tab', { name: 'Separable three-dimensional convolutions' }).click();
    const figure = page.locator('[data-figure="tuning-surface"]');
    await figure.getByRole('combobox').first().selectOption('float32');
    await figure.getByRole('button', { name: 'Measure on' }).click();
    await figure.locator('.papers-cell.best').waitFor();
    await figure.getByRole('button', { name: 'Stop' }).click();
    await figure.getByRole('button', { name: 'Continue' }).waitFor();
    // What was found stays: the best is in a ring, and the note names it.
    expect(await figure.locator('.papers-cell.best').count()).toBe(1);
    expect(await figure.locator('.figure-note').first().textContent()).toMatch(/Best: \d+ × \d+ with [\d.]+ GFLOP\/s/);
    expect(await figure.locator('svg.chart').first().getAttribute('aria-label')).toContain('is the best');
  });
});
