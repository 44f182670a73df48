/** The three views of the window: the stage fills the screen, the learner's is simple, the researcher's has everything. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../../setup/nightly.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';

const PROJECTOR = [1280, 720] as const;
const SCREENS = isNightly ? [PROJECTOR, [1920, 1080] as const] : [PROJECTOR];

/** What a first launch offers, skip links and regions that scroll aside. */
function controls(page: Page): Promise<readonly string[]> {
  return page
    .locator(
      'button, a[href], input, select, [role=tab], [role=slider], [role=application], .chart-overlay[tabindex="0"]',
    )
    .evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .filter((element) => element.closest('.skip-links') === null)
        .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.tagName),
    );
}

describe.skipIf(!hasHost)('the window', () => {
  withBrowser();

  it('opens with at most fifteen controls, and shows all of them on request', async () => {
    const laboratory = await openLaboratory({ view: 'learner', width: 1440, height: 900 });
    const { page } = laboratory;
    await expect.poll(async () => (await controls(page)).length).toBeGreaterThan(8);
    await page.locator('.view-title').first().waitFor();
    expect((await controls(page)).length).toBeLessThanOrEqual(15);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect.poll(async () => (await controls(page)).length).toBeGreaterThan(40);
    await page.getByRole('combobox', { name: 'View for' }).selectOption('learner');
    await expect.poll(async () => (await controls(page)).length).toBeLessThanOrEqual(15);
  });

  it.each(SCREENS)('fills %d × %d with the basins on the stage, and its bars leave', async (width, height) => {
    const laboratory = await openLaboratory({
      scenario: smallScenario('stage', 30),
      view: 'stage',
      width,
      height,
    });
    const { page } = laboratory;
    await page.locator('.stage-sentence').waitFor();
    const canvas = await page.locator('.stage-canvas').boundingBox();
    expect(canvas).toEqual({ x: 0, y: 0, width, height });
    await expect.poll(() => page.locator('.top-bar').isVisible()).toBe(false);
    expect(await page.locator('.stage-sentence').innerText()).toMatch(/free run/);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator('.top-bar').isVisible()).toBe(true);
  });
});
