/** Pictures of the application in the middle of its first run: the three views of the window, as the README shows them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLaboratory, PATIENCE, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { countColours } from './picture.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'assets', 'screenshots');
/** The ring of waves is whole then, and the LETKF has found it. */
const CYCLE = 7;
const [WIDTH, HEIGHT] = [1440, 900];

interface Shot {
  /** The view of the window, which names the picture. */
  readonly name: 'stage' | 'learner' | 'researcher';
  readonly theme: 'Dark' | 'Light';
}

const SHOTS: readonly Shot[] = [
  { name: 'learner', theme: 'Dark' },
  { name: 'researcher', theme: 'Light' },
  { name: 'stage', theme: 'Dark' },
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
    const laboratory = await openLaboratory({ width: WIDTH, height: HEIGHT });
    const { page } = laboratory;
    await runTo(laboratory, CYCLE);
    // Also where the processor draws, which else draws its colours alone.
    await laboratory.command('Water as it would look');
    for (const { name, theme } of SHOTS) {
      await laboratory.command(`${theme} theme`);
      if (name === 'stage') await laboratory.command('Stage mode');
      else await page.getByRole('combobox', { name: 'View for' }).selectOption(name);
      // Neither focus nor pointer leaves a mark on the picture; the bars of the stage leave by themselves.
      await page.mouse.move(WIDTH / 2, 2);
      const isBare = async (): Promise<boolean> => {
        // A dialog gives the focus back some frames after it has closed.
        await page.evaluate(() => document.querySelector<HTMLElement>(':focus')?.blur());
        return name !== 'stage' || !(await page.locator('.top-bar').isVisible());
      };
      await expect.poll(isBare, { interval: 500, timeout: PATIENCE }).toBe(true);
      const water = await laboratory.water();
      expect(Math.min(...[...water.values()].map(countColours))).toBeGreaterThan(12);
      await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
    }
  });
});
