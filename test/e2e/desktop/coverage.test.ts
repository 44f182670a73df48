/** How much of the stage the basins take, with one to six views, at the sizes of projectors. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readPng, type Box, type Picture } from './picture.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';

const METHODS = ['free-run', '3dvar', 'letkf', 'enkf', 'nudging'];
/** Channels differ from the ground's by more than that where a basin is, whose walls are dark, and where water is. */
const WALLS = 3;
const WATER = 9;

/** @returns the picture without words over it, which come back */
async function withoutWords(page: Page): Promise<Picture> {
  const words = page.locator('.stage-overlays, .stage-foot, .stage-headline, .top-bar, .stage-bar, .timeline');
  const show = (visibility: string): Promise<void> =>
    words.evaluateAll((all, to) => {
      for (const element of all) if (element instanceof HTMLElement) element.style.visibility = to;
    }, visibility);
  await show('hidden');
  const picture = readPng(await page.screenshot());
  await show('');
  return picture;
}

function isUnlike({ width, rgb }: Picture, x: number, y: number, difference: number): boolean {
  const at = 3 * (y * width + x);
  // The upper left corner is above all views.
  return [0, 1, 2].some((channel) => Math.abs(rgb[at + channel] - rgb[channel]) > difference);
}

/** @returns the share of a box that its basin takes, across and down, and how many pixels show its water */
function filled(
  picture: Picture,
  box: Box,
): { readonly across: number; readonly down: number; readonly water: number } {
  const [columns, rows] = [new Set<number>(), new Set<number>()];
  let water = 0;
  for (let y = Math.ceil(box.y) + 2; y < box.y + box.height - 2; y++) {
    for (let x = Math.ceil(box.x) + 2; x < box.x + box.width - 2; x++) {
      if (!isUnlike(picture, x, y, WALLS)) continue;
      columns.add(x);
      rows.add(y);
      if (isUnlike(picture, x, y, WATER)) water += 1;
    }
  }
  return { across: columns.size / box.width, down: rows.size / box.height, water };
}

/** Demands that each basin fills its view, and that water takes its share of so many pixels. */
async function expectFilled(page: Page, pixels: number): Promise<void> {
  await page.waitForTimeout(1500);
  const boxes = await Promise.all((await page.locator('.view-frame').all()).map((view) => view.boundingBox()));
  const picture = await withoutWords(page);
  const shares = boxes.map((box) => filled(picture, box ?? { x: 0, y: 0, width: 1, height: 1 }));
  for (const { across, down } of shares) expect(Math.max(across, down)).toBeGreaterThanOrEqual(0.9);
  const water = shares.reduce((sum, share) => sum + share.water, 0);
  expect(water / pixels).toBeGreaterThanOrEqual(0.45);
}

describe.skipIf(!hasHost)('the stage', () => {
  withBrowser();

  describe.each([
    [1280, 720],
    [1920, 1080],
  ])('of %d × %d', (width, height) => {
    it.each([1, 2, 3, 4, 5])('is filled with the basins of the truth and %d methods', async (count) => {
      const small = smallScenario('coverage', 30);
      const methods = METHODS.slice(0, count).map((kind) => ({ kind }));
      const scenario = { ...small, methods, expected: undefined };
      const laboratory = await openLaboratory({ scenario, view: 'stage', width, height });
      const { page } = laboratory;
      // With the errors beneath, as the stage opens, and without them.
      await expect.poll(() => page.locator('.view-frame').count()).toBe(2 * count + 1);
      await page.keyboard.press('Space');
      await expectFilled(page, width * height);
      await page.keyboard.press('e');
      await expect.poll(() => page.locator('.view-frame').count()).toBe(count + 1);
      await expectFilled(page, width * height);
    });
  });
});
