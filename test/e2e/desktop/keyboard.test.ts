/** The keyboard alone: palette, sheet of shortcuts, theme, fields, panels, and where the focus goes. */
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../../setup/nightly.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';

/** Waits until it is there. */
function focusIsIn(place: Locator): Promise<boolean> {
  return place.evaluate((element) => element.contains(document.activeElement));
}

describe.runIf(hasHost)('the keyboard', () => {
  withBrowser();

  it('does everything that a hand does', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('keyboard', 60) });
    const { page } = laboratory;
    const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset['theme']);
    await laboratory.reach(1);
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(2);
    // Also where something is in focus that Enter operates.
    for (const focused of ['.chart-overlay', '.results button', '[role=tab]']) {
      await page.locator(focused).last().focus();
      await page.keyboard.press('Space');
      await expect.poll(() => page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(2);
      await page.keyboard.press('Space');
      await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(2);
    }
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
    await page.getByRole('button', { name: 'Skip to the stage' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => canvas.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.getByLabel('Values at the crosshair').waitFor();
    await page.keyboard.press('Enter');
    await laboratory.command('Remove probes');
    // Letters belong to a field that is typed into.
    await page.getByRole('textbox', { name: 'Cycle' }).focus();
    await page.keyboard.press('5');
    expect(await page.getByRole('combobox', { name: 'Field', exact: true }).inputValue()).toBe('speed');
  });

  it('remembers the theme, and reaches stage, timeline, evidence and settings with the first Tabs of a page', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('skip', 60) });
    const { page } = laboratory;
    await laboratory.reach(0);
    await laboratory.command('Light theme');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    await page.reload();
    await laboratory.reach(0);
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement } = document;
        const inside = activeElement?.closest('.stage-canvas, .timeline, .evidence, .settings');
        return inside?.classList[0] ?? activeElement?.textContent ?? '';
      });
    const links: string[] = [];
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Tab');
      links.push(await focused());
    }
    expect(links).toEqual(['stage', 'timeline', 'evidence', 'settings'].map((place) => `Skip to the ${place}`));
    for (const place of ['stage', 'timeline', 'evidence', 'settings']) {
      await page.getByRole('button', { name: `Skip to the ${place}` }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(focused, { timeout: PATIENCE }).toBe(place === 'stage' ? 'stage-canvas' : place);
    }
  });

  it.runIf(isNightly)('finds settings, methods, scenarios and charts by name', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('palette', 60) });
    const { page } = laboratory;
    await laboratory.reach(1);
    await laboratory.pause();
    await page.keyboard.press('i');
    const about = page.getByRole('region', { name: 'What to look for' });
    await expect.poll(() => focusIsIn(about), { timeout: PATIENCE }).toBe(true);
    await page.keyboard.press('i');
    await expect.poll(() => about.count()).toBe(0);

    // Closed at this size: the way to a setting opens its panel.
    await laboratory.command('letkf inflation');
    const field = page.locator('.settings [data-path="methods[2].inflation"] input');
    await expect.poll(() => focusIsIn(field), { timeout: PATIENCE }).toBe(true);

    await laboratory.command('Show 3D-Var');
    await expect
      .poll(async () => (await laboratory.views()).map(({ name }) => name), { timeout: PATIENCE })
      .not.toContain('3D-Var');
    await laboratory.command('Show 3D-Var');

    await laboratory.command('Chart: rank histogram');
    const ranks = page.locator('[data-figure=ranks]');
    await expect.poll(() => focusIsIn(ranks), { timeout: PATIENCE }).toBe(true);

    await page.keyboard.press('g');
    const gallery = page.getByRole('dialog', { name: 'Scenarios' });
    await gallery.getByRole('button', { name: /^Dam break/ }).focus();
    // All that it says of itself, whole.
    const whole = gallery.getByRole('region', { name: 'About Dam break' });
    await expect.poll(() => whole.innerText()).toMatch(/\S{3,}[.]\s*/);
    expect((await whole.innerText()).length).toBeGreaterThan(200);
    await page.keyboard.press('Escape');

    await laboratory.command('dam break');
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Dam break');
  });
});
