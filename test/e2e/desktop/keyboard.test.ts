/** The keyboard alone: palette, sheet of shortcuts, theme, fields, panels, and where the focus goes. */
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';

describe.runIf(hasHost)('the keyboard', () => {
  withBrowser();

  it('does everything that a hand does', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('keyboard', 60) });
    const { page } = laboratory;
    const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset['theme']);
    await laboratory.reach(1);
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(2);
    const paused = await laboratory.cycle();
    await page.keyboard.press('.');
    await laboratory.reach(paused + 1);
    await page.keyboard.press(',');
    await expect.poll(() => laboratory.cycle()).toBe(paused);

    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.waitFor();
    await page.keyboard.type('light');
    await expect.poll(() => palette.getByRole('option').first().innerText()).toContain('Light theme');
    await page.keyboard.press('Enter');
    await expect.poll(theme).toBe('light');
    await expect.poll(() => palette.count()).toBe(0);
    await laboratory.command('Dark theme');
    await expect.poll(theme).toBe('dark');

    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: /shortcuts/i });
    await sheet.waitFor();
    expect(await sheet.innerText()).toContain('Play or pause');
    await page.keyboard.press('Escape');
    await expect.poll(() => sheet.count()).toBe(0);

    await page.keyboard.press('3');
    await expect.poll(() => page.getByRole('combobox', { name: 'Field', exact: true }).inputValue()).toBe('speed');
    await page.keyboard.press('Shift+P');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['presentation'])).toBe('true');
    await page.keyboard.press('Shift+P');

    // A pin set without a pointer.
    const canvas = page.getByRole('application');
    for (let presses = 0; presses < 80; presses++) {
      if (await canvas.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    expect(await canvas.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.getByLabel('Values at the crosshair').waitFor();
    await page.keyboard.press('Enter');
    await laboratory.command('Remove probes');
    // Letters belong to a field that is typed into.
    await page.getByRole('textbox', { name: 'Cycle' }).focus();
    await page.keyboard.press('5');
    expect(await page.getByRole('combobox', { name: 'Field', exact: true }).inputValue()).toBe('speed');
  });

  it('remembers the theme from one launch to the next', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('theme', 20) });
    const { page } = laboratory;
    await laboratory.reach(0);
    await laboratory.command('Light theme');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    await page.reload();
    await laboratory.reach(0);
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  });
});
