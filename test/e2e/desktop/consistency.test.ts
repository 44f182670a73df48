/** Consistency as a matrix and the curves behind it: by keyboard, by method and variable, saved, in both themes and sizes. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import { readCsv, saveChart, textOf } from './saving.ts';

const CYCLES = 8;
const FIGURES = ['spread-skill', 'ranks', 'score', 'octaves', 'innovations', 'budgets', 'imbalance'];

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

    // A sign says what it is, and opens the numbers and the curve of its test; arrows go from sign to sign.
    const matrix = page.getByRole('grid', { name: 'Tests of consistency by method' });
    const sign = matrix.getByRole('button', { name: /^LETKF, Spread over error of the forecast, h: / });
    await sign.waitFor({ timeout: PATIENCE });
    await sign.focus();
    await page.keyboard.press('ArrowLeft');
    const beside = matrix.getByRole('button', { name: /^3D-Var, Spread over error of the forecast, h: not defined$/ });
    expect(await beside.evaluate((element) => element === document.activeElement)).toBe(true);
    await matrix
      .getByRole('button', { name: /^LETKF, Increment and remaining error over error, / })
      .first()
      .click();
    await figure('octaves').locator('svg.chart').first().waitFor({ timeout: PATIENCE });
    expect(await page.locator('.consistency-row').innerText()).toContain('LETKF');
    expect(await page.locator('.evidence [role=tabpanel] [data-figure]').count()).toBe(2);

    const curve = page.getByRole('combobox', { name: 'Curve of consistency' });
    const show = (id: string) => curve.selectOption(id);
    for (const id of FIGURES) {
      await show(id);
      await figure(id).locator('svg.chart').first().waitFor({ timeout: PATIENCE });
      expect((await figure(id).locator('.figure-help').innerText()).length, `words of ${id}`).toBeGreaterThan(60);
    }

    // By keyboard: a method's own bins alone are read, never the 1:1 line.
    await show('spread-skill');
    const spread = figure('spread-skill').getByRole('slider');
    await spread.focus();
    await page.keyboard.press('Home');
    const read = figure('spread-skill').locator('.chart-reading');
    await expect.poll(() => read.innerText()).toMatch(/^Spread \S+\sm\s/);
    expect(await read.innerText()).not.toContain('1:1');
    expect(await spread.getAttribute('aria-valuetext')).toMatch(/^Spread \S+\sm, (LETKF|Free run)/);
    const picture = textOf(await saveChart(laboratory, 'spread-skill', 'SVG'));
    expect(picture).toContain('<svg');
    expect(picture).toContain('RMSE (m)');
    await show('octaves');
    const octaves = figure('octaves').getByRole('slider');
    await octaves.focus();
    await page.keyboard.press('End');
    expect(await octaves.getAttribute('aria-valuetext')).toMatch(
      /^Wavelength 33\.9\sm, Error before \S+\sm², Error after \S+\sm², Increment \S+\sm², Spread \S+\sm²$/,
    );

    // By method: a single state has no spread, and no score of members.
    const choice = figure('octaves').getByRole('combobox', { name: 'Method' });
    await choice.selectOption('3D-Var');
    await expect.poll(() => figure('octaves').locator('svg.chart path.chart-line').count()).toBe(3);
    const bands = readCsv(textOf(await saveChart(laboratory, 'octaves', 'CSV')));
    await show('score');
    const scored = await figure('score').getByRole('combobox', { name: 'Method' }).locator('option').allInnerTexts();
    expect(scored).toEqual(['Free run', 'LETKF']);

    // The numbers of all methods, whichever is drawn.
    expect(bands.columns[1]).toBe('wavelength (m)');
    // Five octaves, from 48 m to 24 m down to 3 m and less.
    const titles = ['Free run', '3D-Var', 'LETKF'].flatMap((title) => [title, title, title, title, title]);
    expect(bands.rows.map(([method]) => method)).toEqual(titles);
    const scores = readCsv(textOf(await saveChart(laboratory, 'score', 'CSV')));
    expect(scores.rows).toHaveLength(2 * CYCLES);
    for (const row of scores.rows) {
      const [crps, reliability, potential] = row.slice(3).map(Number);
      // Six digits are kept of each gap.
      expect(Math.abs(crps - reliability - potential)).toBeLessThan(1e-4 * crps);
    }
    await show('budgets');
    const budgets = readCsv(textOf(await saveChart(laboratory, 'budgets', 'CSV')));
    expect(budgets.rows).toHaveLength(3 * CYCLES);

    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
    ]) {
      await page.setViewportSize({ width, height });
      for (const theme of ['Light', 'Dark']) {
        await laboratory.command(`${theme} theme`);
        const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('.evidence').analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
      }
    }
  });
});
