/** How much of the stage the basins take, with one to six views, at the sizes of projectors. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readPng, type Box, type Picture } from './picture.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';

const METHODS = ['free-run', '3dvar', 'letkf', 'enkf', 'nudging'];
/** Channels differ from the ground's by more than that where a basin is. */
const UNLIKE = 9;

/** @returns the picture without words over it */
async function basins(page: Page): Promise<Picture> {
  await page.addStyleTag({
    content:
      '.stage-overlays, .stage-foot, .stage-headline, .top-bar, .stage-bar, .timeline { display: none !important }',
  });
  return readPng(await page.screenshot());
}

function isBasin({ width, rgb }: Picture, x: number, y: number): boolean {
  const at = 3 * (y * width + x);
  // The upper left corner is above all views.
  return [0, 1, 2].some((channel) => Math.abs(rgb[at + channel] - rgb[channel]) > UNLIKE);
}

/** @returns the share of a box that its basin takes, across and down, and of its area */
function filled(
  picture: Picture,
  box: Box,
): { readonly across: number; readonly down: number; readonly pixels: number } {
  const [columns, rows] = [new Set<number>(), new Set<number>()];
  let pixels = 0;
  for (let y = Math.ceil(box.y) + 2; y < box.y + box.height - 2; y++) {
    for (let x = Math.ceil(box.x) + 2; x < box.x + box.width - 2; x++) {
      if (!isBasin(picture, x, y)) continue;
      columns.add(x);
      rows.add(y);
      pixels += 1;
    }
  }
  return { across: columns.size / box.width, down: rows.size / box.height, pixels };
}

describe.skipIf(!hasHost)('the stage', () => {
  withBrowser();

  describe.each([
    [1280, 720],
    [1920, 1080],
  ])('of %d × %d', (width, height) => {
    it.each([0, 1, 2, 3, 4, 5])('is filled with the basins of the truth and %d methods', async (count) => {
      const small = smallScenario('coverage', 30);
      const methods = METHODS.slice(0, count).map((kind) => ({ kind }));
      const laboratory = await openLaboratory({ scenario: { ...small, methods }, view: 'stage', width, height });
      const { page } = laboratory;
      await expect.poll(() => page.locator('.view-frame').count()).toBe(count + 1);
      await laboratory.water();
      const boxes = await Promise.all((await page.locator('.view-frame').all()).map((view) => view.boundingBox()));
      const picture = await basins(page);
      const shares = boxes.map((box) => filled(picture, box ?? { x: 0, y: 0, width: 1, height: 1 }));
      for (const { across, down } of shares) expect(Math.max(across, down)).toBeGreaterThanOrEqual(0.9);
      const pixels = shares.reduce((sum, share) => sum + share.pixels, 0);
      expect(pixels / (width * height)).toBeGreaterThanOrEqual(0.45);
    });
  });
});
