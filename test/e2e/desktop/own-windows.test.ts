/** Panels in windows of their own: they are drawn there, obey keys there, and come back. */
import { expect, it, describe } from 'vitest';
import { hasHost, laboratoryOf, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import { readPng, countColours } from './picture.ts';

describe.runIf(hasHost)('a panel in its own window', () => {
  withBrowser();

  it('is the evidence, one chart of it, or the stage; follows the run, and comes back', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('apart', 30) });
    const { page } = laboratory;
    const back = page.getByRole('button', { name: 'Bring it back' });
    const popup = page.waitForEvent('popup');
    await laboratory.reach(1);
    const cycle = await laboratory.pause();

    await page.keyboard.press('Control+Shift+E');
    const evidence = await popup;
    await evidence.getByRole('figure', { name: 'Error and spread', exact: true }).waitFor();
    expect(await evidence.title()).toBe('Errors – Shoal');
    expect(await page.getByRole('figure', { name: 'Error and spread', exact: true }).count()).toBe(0);
    // Its keys are those of the page, and its charts follow.
    await evidence.keyboard.press('.');
    await laboratory.reach(cycle + 1);
    await page.keyboard.press('Shift+T');
    await expect.poll(() => evidence.locator('html').getAttribute('data-theme')).toBe('light');
    await evidence.close();

    const figure = page.getByRole('figure', { name: 'Error and spread', exact: true });
    await figure.getByRole('button', { name: 'Error and spread: save, numbers' }).click();
    const [chart] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Show in its own window' }).click(),
    ]);
    const area = chart.locator('.chart-area');
    const height = async (): Promise<number> => (await area.boundingBox())?.height ?? 0;
    // It fills the window, whose size it follows.
    await chart.setViewportSize({ width: 900, height: 500 });
    await expect.poll(height, { timeout: PATIENCE }).toBeLessThan(400);
    await chart.setViewportSize({ width: 900, height: 800 });
    await expect.poll(height, { timeout: PATIENCE }).toBeGreaterThan(500);
    await chart.getByRole('button', { name: 'Error and spread: back to its place' }).click();
    await figure.waitFor();

    const [stage] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Shift+W')]);
    await back.waitFor();
    await stage.locator('canvas[data-still]').waitFor();
    await expect
      .poll(async () => countColours(readPng(await stage.locator('canvas').screenshot())), { timeout: PATIENCE })
      .toBeGreaterThan(100);
    await back.click();
    await page.locator('canvas[data-still]').waitFor();
    expect(page.context().pages()).toEqual([page]);

    await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Shift+W')]);
    await page.reload();
    await expect.poll(() => page.context().pages().length).toBe(1);
    await laboratoryOf(page).reach(0);
  });

  it('stays in its place where the browser blocks its window, and says what to do', async () => {
    const laboratory = await openLaboratory({
      scenario: smallScenario('blocked', 3),
      before: [() => Object.assign(globalThis, { open: () => null })],
    });
    const { page } = laboratory;
    await laboratory.reach(0);
    await page.keyboard.press('Shift+W');
    await page.getByText('Stage cannot be shown in its own window').waitFor();
    expect(await page.getByText('Allow pop-up windows').isVisible()).toBe(true);
    expect(await page.locator('canvas.stage-canvas').count()).toBe(1);
  });
});
