/** Settings: a change, what it would do, undo and redo, and taking effect at the next cycle or from the start. */
import { beforeEach, describe, expect, it } from 'vitest';
import { isNightly } from '../../setup/nightly.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';

const CYCLES = 200;

describe.runIf(hasHost)('settings', () => {
  withBrowser();
  let laboratory: Laboratory;
  beforeEach(async () => {
    laboratory = await openLaboratory({ scenario: smallScenario('settings', CYCLES), width: 1440, height: 900 });
    await laboratory.page.getByRole('button', { name: 'Show settings' }).click();
    await laboratory.atSpeed(4);
    await laboratory.reach(2);
    await laboratory.pause();
  });

  /** The control of a setting, by its path. */
  const setting = (path: string) => laboratory.page.locator(`.settings [data-path="${path}"] input`).first();
  const find = async (words: string): Promise<void> => {
    await laboratory.page.getByRole('searchbox', { name: 'Filter the settings' }).fill(words);
  };

  it('changes, takes back and brings again, and restarts the run with what was changed', async () => {
    const { page } = laboratory;
    await find('cell size');
    const cell = setting('grid.dx');
    await cell.fill('2');
    await cell.press('Enter');
    const restart = page.getByRole('button', { name: 'Restart with these settings' });
    await restart.waitFor();
    expect(await page.locator('.settings-actions [role=status]').innerText()).toContain('1 change');

    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => cell.inputValue()).toBe('1');
    await expect.poll(() => page.getByRole('button', { name: 'Nothing to apply' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await expect.poll(() => cell.inputValue()).toBe('2');

    // What runs continues until the change is applied; then the run begins again, on a basin of another length.
    expect(await laboratory.cycle()).toBeGreaterThanOrEqual(2);
    const newest = Number(await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuemax'));
    await restart.click();
    await expect
      .poll(
        async () => Number(await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuemax')),
        {
          timeout: PATIENCE,
          interval: 20,
        },
      )
      .toBeLessThan(newest);
    await laboratory.reach(1);
    await expect.poll(() => page.getByRole('button', { name: 'Nothing to apply' }).count()).toBe(1);
    expect(await page.title()).toMatch(/^• /);
  });

  /** A cycle forward. One may have been under way when it was paused; once that is on screen none is. */
  const forward = async (): Promise<void> => {
    const from = await laboratory.cycle();
    await laboratory.page
      .getByRole('group', { name: 'Transport' })
      .getByRole('button', { name: 'One cycle forward' })
      .click();
    await laboratory.reach(from + 1);
  };

  it('applies a setting of a method at the next cycle, without going back', async () => {
    const { page } = laboratory;
    await forward();
    await find('inflation');
    const inflation = setting('methods[2].inflation');
    await inflation.fill('1.25');
    await inflation.press('Enter');
    const before = await laboratory.cycle();
    await page.getByRole('button', { name: 'Apply at the next cycle' }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Nothing to apply' }).count(), { timeout: PATIENCE })
      .toBe(1);
    expect(await laboratory.cycle()).toBeGreaterThanOrEqual(before);
    await forward();
    expect(await inflation.inputValue()).toBe('1.25');

    // It is on the timeline, for the eye and for screen readers.
    const mark = page.getByRole('button', { name: new RegExp(`^Cycle ${before + 1}: letkf: inflation .* → 1.25$`) });
    await mark.waitFor();
  });

  it.runIf(isNightly)('continues without a method that a setting makes diverge, and offers the way back', async () => {
    const { page } = laboratory;
    await forward();
    await find('inflation');
    const inflation = setting('methods[2].inflation');
    const set = await inflation.inputValue();
    await inflation.fill('60');
    await inflation.press('Enter');
    const at = (await laboratory.cycle()) + 1;
    await page.getByRole('button', { name: 'Apply at the next cycle' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).last().click();
    const notice = page.locator('.notice', { hasText: 'diverged in cycle' });
    await notice.waitFor();
    expect(await notice.innerText()).toMatch(/inflation 60 makes the spread grow/);
    const [, end] = /diverged in cycle (\d+)/.exec(await notice.innerText()) ?? [];
    await laboratory.reach(Number(end) + 1);
    expect(await page.locator('.view-diverged').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: `Cycle ${end}: letkf diverged` }).waitFor();
    await notice.getByRole('button', { name: `Back to cycle ${at} with inflation ${set}` }).click();
    await expect.poll(() => page.locator('.view-diverged').count()).toBe(0);
    await expect.poll(() => inflation.inputValue()).toBe(set);
    await laboratory.reach(Number(end) + 1);
    expect(await page.locator('.view-diverged').count()).toBe(0);
    expect(await page.locator('.run-mark').count()).toBe(0);
  });

  it.runIf(isNightly)(
    'compares other values of a setting beside it, and slides a setting while the run continues',
    async () => {
      const { page } = laboratory;
      await find('half-width');
      await setting('methods[2].localisation.halfWidth').click();
      await page.getByRole('button', { name: 'Compare Half-width with other values' }).click();
      const values = page.getByRole('textbox', { name: 'Compare 7 with' });
      await values.fill('3 -1');
      await values.press('Enter');
      await page.getByText('found -1').waitFor();
      await values.fill('3 12');
      await values.press('Enter');
      const legend = page.getByRole('group', { name: 'Methods shown' });
      for (const width of [3, 7, 12])
        await legend.getByText(`LETKF · half-width ${width}`).waitFor({ timeout: PATIENCE });
      await expect.poll(() => page.locator('.view-name').allInnerTexts()).toContain('LETKF · half-width 12');
      await laboratory.reach(0);

      await find('inflation');
      const slider = page.getByRole('slider', { name: 'Inflation, slider' }).first();
      const number = setting('methods[2].inflation');
      const before = await number.inputValue();
      await slider.focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      const after = await number.inputValue();
      expect(Number(after)).toBeCloseTo(Number(before) + 0.02, 9);
      await page.getByRole('button', { name: new RegExp(`: letkf: inflation ${before} → ${after}$`) }).waitFor();
      // Both presses are one step.
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(() => number.inputValue()).toBe(before);
    },
  );

  it('says what is wrong with a value, and lets what runs continue', async () => {
    const { page } = laboratory;
    await find('cycles');
    const cycles = setting('experiment.cycles');
    await cycles.fill('-3');
    await cycles.press('Enter');
    await expect.poll(() => page.locator('.settings .field-problem').first().innerText()).toMatch(/3/);
    expect(await page.locator('.settings-actions .primary').isDisabled()).toBe(true);
    const then = await laboratory.cycle();
    await laboratory.command('One cycle forward');
    await laboratory.reach(then + 1);

    // What was refused belongs to the scenario that it was typed for.
    await page.locator('.scenario-name').click();
    const gallery = page.getByRole('dialog', { name: 'Scenarios' });
    await gallery.getByRole('button', { name: /^First light/ }).click();
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('First light: when 3D-Var is enough');
    await expect.poll(() => cycles.inputValue()).toMatch(/^\d+$/);
    expect(await page.locator('.settings .field-problem').count()).toBe(0);
  });
});
