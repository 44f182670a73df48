/** Lorenz-96 in the window: a ring in place of a basin, and its places by time. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, withBrowser } from './laboratory.ts';
import { countColours } from './picture.ts';

const scenario = JSON.parse(readFileSync('scenarios/lorenz-96.json', 'utf8')) as Record<string, unknown>;

describe.runIf(hasHost)('a ring', () => {
  withBrowser();

  it('opens, plays and is drawn, and its places by time are read by keyboard', async () => {
    const laboratory = await openLaboratory({ scenario, width: 1440, height: 900 });
    const { page } = laboratory;
    await page.getByRole('combobox', { name: 'Speed, cycles a second' }).selectOption('16');
    await laboratory.reach(60);
    const shown = await laboratory.pause();
    const water = await laboratory.water();
    expect([...water.keys()]).toEqual(['Truth', 'Free run', '3D-Var', 'LETKF', 'EnKF']);
    expect(Math.min(...[...water.values()].map(countColours))).toBeGreaterThan(12);
    await laboratory.command('Evidence: Hovmöller');
    const plot = page.getByRole('slider', { name: 'Hovmöller plot' });
    await plot.focus();
    await plot.press('ArrowUp');
    await plot.press('ArrowRight');
    expect(await plot.getAttribute('aria-valuetext')).toMatch(new RegExp(`^Cycle ${shown - 1}, place 1: x −?\\d`));
    await plot.press('Enter');
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(shown - 1);
    await page.getByRole('combobox', { name: 'Of whom' }).selectOption({ label: 'LETKF' });
    await page.getByRole('combobox', { name: 'What of it' }).selectOption({ label: 'Error' });
    expect(await page.locator('[data-figure=hovmoller] h3').innerText()).toBe('Hovmöller plot: error of LETKF');
    // Fields of water are not offered.
    const fields = page.getByRole('combobox', { name: 'Field', exact: true }).locator('option');
    expect(await fields.allInnerTexts()).toEqual([
      'State',
      'Error',
      'Spread',
      'Increment',
      'Local observations',
      'Local weight',
      'Inflation',
    ]);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
});
