/** 3D-Var from inside: the minimisation of the cycle on screen, its increment growing on the stage, and the fields given back. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { shareOfDifference } from './picture.ts';
import type { Picture } from './picture.ts';

async function waterOf(laboratory: Laboratory, name: string): Promise<Picture> {
  const found = (await laboratory.water()).get(name);
  if (!found) throw new Error(`there is no view of ${name}`);
  return found;
}

describe.runIf(hasHost)('3D-Var from inside', () => {
  withBrowser();

  it('by keyboard: the increment of a cycle gone by grows on the stage, both ways, and Escape gives the fields back', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('inside', 4), width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.reach(2);
    await laboratory.pause();
    const field = page.getByRole('textbox', { name: 'Cycle' });
    await field.fill('1');
    await field.press('Enter');
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(1);
    const before = await waterOf(laboratory, '3D-Var');

    await laboratory.command('Look inside the minimisation');
    const slider = page.getByRole('slider', { name: 'Iteration on the stage' });
    await slider.waitFor({ timeout: PATIENCE });
    const iterations = Number(await slider.getAttribute('max'));
    expect(iterations).toBeGreaterThan(3);
    // It is the minimisation of the run, and ends with its increment.
    const note = page.locator('[data-figure=minimisation] .figure-note').first();
    expect(await note.innerText()).toContain(`${iterations} iterations`);
    expect(await slider.getAttribute('aria-valuetext')).toMatch(
      new RegExp(`^Iteration ${iterations} of ${iterations}, J `),
    );
    const last = await waterOf(laboratory, '3D-Var');
    expect(shareOfDifference(before, last)).toBeGreaterThan(0.05);

    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain('Iteration 0 of');
    const title = page.locator('.view-frame', { hasText: '3D-Var' });
    await expect.poll(() => title.innerText()).toContain('Increment after iteration 0');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain('Iteration 1 of');
    await page.getByRole('button', { name: 'Let the increment grow' }).press('Enter');
    await expect.poll(() => slider.inputValue(), { timeout: PATIENCE }).toBe(String(iterations));
    await page.getByRole('button', { name: 'Let the increment grow' }).waitFor();

    // Without preconditioning as many iterations are not enough.
    await page.getByRole('combobox', { name: 'Minimisation on the stage' }).selectOption('Unpreconditioned');
    expect(Number(await slider.getAttribute('max'))).toBeGreaterThan(iterations);
    expect(Number(await slider.inputValue())).toBe(iterations);
    const rows = page.locator('.inside-numbers tbody tr');
    const residuals = await rows.evaluateAll((all) =>
      all.map((row) => row.querySelector('td:last-child')?.textContent),
    );
    expect(residuals[0]).not.toBe(residuals[1]);
    expect(await page.locator('[data-figure=minimisation] svg.chart').count()).toBe(5);

    for (const theme of ['Light', 'Dark']) {
      await laboratory.command(`${theme} theme`);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('.evidence').analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    }

    await slider.focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Look inside' }).waitFor();
    const after = await waterOf(laboratory, '3D-Var');
    expect(shareOfDifference(before, after)).toBe(0);

    // Leaving this part of the evidence ends it as well.
    await page.getByRole('button', { name: 'Look inside' }).click();
    await slider.waitFor({ timeout: PATIENCE });
    await expect.poll(() => title.innerText()).toContain('Increment after');
    await page.getByRole('tab', { name: 'Errors' }).click();
    await expect.poll(() => title.innerText()).toContain('RMSE');
  });
});
