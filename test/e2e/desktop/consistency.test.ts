/** The curves behind the figures of consistency: read by keyboard, chosen by method and variable, saved, in both themes and sizes. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import { readCsv, saveChart, textOf } from './saving.ts';

const CYCLES = 8;
const FIGURES = ['spread-skill', 'ranks', 'score', 'octaves', 'budgets', 'imbalance'];

/** With rotation, so that there is a balance to be out of. */
function turning(): Record<string, unknown> {
  const { model, ...rest } = smallScenario('consistency', CYCLES);
  return { ...rest, model: { ...Object(model), scheme: 'central-upwind', coriolis: { f: 0.2 } } };
}

describe.runIf(hasHost)('the consistency of the methods', () => {
  withBrowser();

  it('is drawn by bins, scales and cycles: each curve with its units, its words and its numbers', async () => {
    const laboratory = await openLaboratory({ scenario: turning(), width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.reach(CYCLES - 1);
    await laboratory.command('Consistency');
    const figure = (id: string) => page.locator(`[data-figure=${id}]`);
    for (const id of FIGURES) {
      await figure(id).locator('svg.chart').first().waitFor({ timeout: PATIENCE });
      expect((await figure(id).locator('.figure-help').innerText()).length, `words of ${id}`).toBeGreaterThan(60);
    }

    // By keyboard: a method's own bins alone are read, never the 1:1 line.
    const spread = figure('spread-skill').getByRole('slider');
    await spread.focus();
    await page.keyboard.press('Home');
    const read = figure('spread-skill').locator('.chart-reading');
    await expect.poll(() => read.innerText()).toMatch(/^Spread .* m\s/);
    expect(await read.innerText()).not.toContain('1:1');
    expect(await spread.getAttribute('aria-valuetext')).toMatch(/^Spread [^,]* m, (LETKF|Free run)/);
    const octaves = figure('octaves').getByRole('slider');
    await octaves.focus();
    await page.keyboard.press('End');
    expect(await octaves.getAttribute('aria-valuetext')).toMatch(
      /^Wavelength 33\.9 m, Error before .* m², Error after .* m², Increment .* m², Spread .* m²$/,
    );

    // By method: a single state has no spread, and no score of members.
    const choice = figure('octaves').getByRole('combobox', { name: 'Method' });
    await choice.selectOption('3D-Var');
    await expect.poll(() => figure('octaves').locator('svg.chart path.chart-line').count()).toBe(3);
    const scored = await figure('score').getByRole('combobox', { name: 'Method' }).locator('option').allInnerTexts();
    expect(scored).toEqual(['Free run', 'LETKF']);

    // The numbers of all methods, whichever is drawn.
    const bands = readCsv(textOf(await saveChart(laboratory, 'octaves', 'CSV')));
    expect(bands.columns[1]).toBe('wavelength (m)');
    // Four octaves from 48 m down to 3 m, with two cells in the shortest wave.
    expect(bands.rows.map(([method]) => method)).toEqual(
      ['Free run', '3D-Var', 'LETKF'].flatMap((title) =>
        Array(5)
          .fill(title)
          .slice(0, bands.rows.length / 3),
      ),
    );
    const scores = readCsv(textOf(await saveChart(laboratory, 'score', 'CSV')));
    expect(scores.rows).toHaveLength(2 * CYCLES);
    for (const row of scores.rows) {
      const [crps, reliability, potential] = row.slice(3).map(Number);
      // Six digits are kept of each gap.
      expect(Math.abs(crps - reliability - potential)).toBeLessThan(1e-4 * crps);
    }
    const budgets = readCsv(textOf(await saveChart(laboratory, 'budgets', 'CSV')));
    expect(budgets.rows).toHaveLength(3 * CYCLES);
    const picture = textOf(await saveChart(laboratory, 'spread-skill', 'SVG'));
    expect(picture).toContain('<svg');
    expect(picture).toContain('RMSE (m)');

    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
    ]) {
      await page.setViewportSize({ width, height });
      for (const theme of ['Light', 'Dark']) {
        await laboratory.command(`${theme} theme`);
        const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('.evidence').analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
        const look = process.env['LOOK'];
        if (look) {
          for (const id of ['consistency', ...FIGURES]) {
            await figure(id).scrollIntoViewIfNeeded();
            await figure(id).screenshot({ path: `${look}/${id}-${width}-${theme}.png` });
          }
          await page.screenshot({ path: `${look}/page-${width}-${theme}.png` });
        }
      }
    }
  });
});
