/** Pictures of the application in the middle of its first run, in both themes and at two sizes, and as a lecture shows it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLaboratory, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { countColours } from './picture.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'assets', 'screenshots');
/** The ring of waves is whole then, and the LETKF has found it. */
const CYCLE = 7;

interface Shot {
  readonly name: string;
  readonly theme: 'Dark' | 'Light';
  readonly width: number;
  readonly height: number;
  readonly presentation?: boolean;
}

const SHOTS: readonly Shot[] = [
  { name: 'dark-1440x900', theme: 'Dark', width: 1440, height: 900 },
  { name: 'light-1440x900', theme: 'Light', width: 1440, height: 900 },
  { name: 'dark-1024x700', theme: 'Dark', width: 1024, height: 700 },
  { name: 'light-1024x700', theme: 'Light', width: 1024, height: 700 },
  { name: 'presentation', theme: 'Dark', width: 1440, height: 900, presentation: true },
];

async function runTo(laboratory: Laboratory, cycle: number): Promise<void> {
  const { page } = laboratory;
  await page.getByRole('combobox', { name: 'Speed, cycles a second' }).selectOption('16');
  await expect
    .poll(() => page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuemax').then(Number), {
      timeout: 240_000,
    })
    .toBeGreaterThanOrEqual(cycle + 6);
  await laboratory.pause();
  await page.getByRole('textbox', { name: 'Cycle' }).fill(String(cycle));
  await page.keyboard.press('Enter');
}

describe('the pictures', () => {
  withBrowser();

  it('are taken', async () => {
    mkdirSync(FOLDER, { recursive: true });
    const laboratory = await openLaboratory({ width: 1440, height: 900 });
    const { page } = laboratory;
    await runTo(laboratory, CYCLE);
    for (const { name, theme, width, height, presentation } of SHOTS) {
      await page.setViewportSize({ width, height });
      await laboratory.command(`${theme} theme`);
      if (presentation) await laboratory.command('Stage mode');
      // Neither focus nor pointer leaves a mark on the picture.
      await page.mouse.move(width / 2, 2);
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      });
      const water = await laboratory.water();
      expect(Math.min(...[...water.values()].map(countColours))).toBeGreaterThan(12);
      await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
    }
  });
});
