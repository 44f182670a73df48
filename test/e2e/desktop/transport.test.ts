/** Time: play, pause, step, scrub, follow, loop. */
import { beforeEach, describe, expect, it } from 'vitest';
import { isNightly } from '../../setup/nightly.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';

const CYCLES = 12;

describe.runIf(hasHost)('the transport', () => {
  withBrowser();
  let laboratory: Laboratory;
  beforeEach(async () => {
    laboratory = await openLaboratory({ scenario: smallScenario('transport', CYCLES) });
    await laboratory.atSpeed(2);
    await laboratory.reach(3);
    await laboratory.pause();
  });

  it('pauses, steps to and fro, computes further cycles, and plays on to the end', async () => {
    const { page } = laboratory;
    const paused = await laboratory.cycle();
    // Four times the pause between cycles at this speed.
    await page.waitForTimeout(2000);
    expect(await laboratory.cycle()).toBe(paused);

    const bar = page.getByRole('group', { name: 'Transport' });
    await bar.getByRole('button', { name: 'One cycle back' }).click();
    await expect.poll(() => laboratory.cycle()).toBe(paused - 1);
    await bar.getByRole('button', { name: 'One cycle forward' }).click();
    await expect.poll(() => laboratory.cycle()).toBe(paused);
    await laboratory.command('Follow the newest');
    // The run may have gone further than was on screen.
    const slider = page.getByRole('slider', { name: 'Cycle on screen' });
    const newest = Number(await slider.getAttribute('aria-valuemax'));
    await expect.poll(() => laboratory.cycle()).toBe(newest);
    await bar.getByRole('button', { name: 'One cycle forward' }).click();
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(newest + 1);

    await laboratory.atSpeed(16);
    await bar.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(CYCLES - 1);
    await expect.poll(() => bar.getByRole('button', { name: 'Play', exact: true }).count()).toBe(1);
  });

  it('scrubs by the track, by keys and by a number, and computes a cycle that is not there yet', async () => {
    const { page } = laboratory;
    const newest = await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuemax');
    const playhead = page.getByRole('slider', { name: 'Cycle on screen' });
    await playhead.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => laboratory.cycle()).toBe(-1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => laboratory.cycle()).toBe(1);
    await page.keyboard.press('End');
    await expect.poll(() => laboratory.cycle()).toBe(Number(newest));

    const field = page.getByRole('textbox', { name: 'Cycle' });
    await field.fill('2');
    await field.press('Enter');
    await expect.poll(() => laboratory.cycle()).toBe(2);
    await expect.poll(() => page.locator('[data-figure=spectrum] h3').innerText()).toContain('cycle 2');

    await page.keyboard.press('Shift+G');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    const ahead = Number(newest) + 2;
    await field.fill(String(ahead));
    await field.press('Enter');
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(ahead);
    await field.fill('2');
    await field.press('Enter');
    await expect.poll(() => laboratory.cycle()).toBe(2);

    const line = await page.locator('.track-line').boundingBox();
    if (!line) throw new Error('the timeline has no track');
    await page.mouse.move(line.x + 1, line.y + line.height / 2);
    await page.mouse.down();
    await expect.poll(() => laboratory.cycle()).toBe(-1);
    // The track has CYCLES parts, from the state before the first cycle on.
    await page.mouse.move(line.x + (3 / CYCLES) * line.width, line.y + line.height / 2);
    await expect.poll(() => laboratory.cycle()).toBe(2);
    await page.mouse.up();
    expect(await playhead.getAttribute('aria-valuemax')).toBe(String(ahead));
  });

  it.runIf(isNightly)('goes round in a loop', async () => {
    const { page } = laboratory;
    await page.getByRole('slider', { name: 'Cycle on screen' }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('[');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(']');
    await expect.poll(() => page.getByRole('slider', { name: 'Loop to' }).getAttribute('aria-valuenow')).toBe('1');
    await laboratory.atSpeed(16);
    expect(await laboratory.cycle()).toBe(1);
    await laboratory.command('Play or pause');
    const seen = new Set<number>();
    await expect
      .poll(
        async () => {
          seen.add(await laboratory.cycle());
          return [...seen].sort((a, b) => a - b);
        },
        { timeout: PATIENCE, interval: 20 },
      )
      .toEqual([-1, 0, 1]);
    await laboratory.pause();
    expect(await laboratory.cycle()).toBeLessThanOrEqual(1);
  });
});
