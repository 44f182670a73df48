/** The stage: fields, cameras, looks, the crosshair's numbers, probes and the cross-section. */
import { beforeEach, describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { countColours, shareOfDifference } from './picture.ts';
import type { Picture } from './picture.ts';

function picture(water: ReadonlyMap<string, Picture>, name: string): Picture {
  const found = water.get(name);
  if (!found) throw new Error(`there is no view of ${name}, only of ${[...water.keys()].join(', ')}`);
  return found;
}

/** The middle of a view, in the page. */
async function centreOf(laboratory: Laboratory, name: string): Promise<{ readonly x: number; readonly y: number }> {
  const view = (await laboratory.views()).find((each) => each.name === name);
  if (!view) throw new Error(`there is no view of ${name}`);
  const { x, y, width, height } = view.box;
  return { x: x + width / 2, y: y + 0.55 * height };
}

describe.runIf(hasHost)('the stage', () => {
  withBrowser();
  let laboratory: Laboratory;
  beforeEach(async () => {
    laboratory = await openLaboratory({ scenario: smallScenario('stage', 40) });
    await laboratory.reach(3);
    await laboratory.pause();
  });

  it('draws another picture of another field, and different water where fields differ', async () => {
    const { page } = laboratory;
    const field = page.getByRole('combobox', { name: 'Field', exact: true });
    const surface = await laboratory.water();
    expect(shareOfDifference(picture(surface, 'Truth'), picture(surface, 'Free run'))).toBeGreaterThan(0.1);

    await field.selectOption('speed');
    const speed = await laboratory.water();
    expect(shareOfDifference(picture(surface, 'Truth'), picture(speed, 'Truth'))).toBeGreaterThan(0.3);
    expect(countColours(picture(speed, 'Truth'))).toBeGreaterThan(12);

    await field.selectOption('error');
    const error = await laboratory.water();
    expect([...error.keys()]).toEqual(['Free run', '3D-Var', 'LETKF']);
    expect(shareOfDifference(picture(error, 'Free run'), picture(error, 'LETKF'))).toBeGreaterThan(0.1);

    await field.selectOption('spread');
    await expect.poll(async () => (await laboratory.views()).map(({ name }) => name)).toEqual(['Free run', 'LETKF']);
  });

  it('turns, and comes back to the same picture', async () => {
    const { page } = laboratory;
    const before = await laboratory.water();
    await laboratory.command('Camera from above');
    const above = await laboratory.water();
    expect(shareOfDifference(picture(before, 'Truth'), picture(above, 'Truth'))).toBeGreaterThan(0.1);
    await laboratory.command('Camera at an angle');
    const back = await laboratory.water();
    expect(shareOfDifference(picture(before, 'Truth'), picture(back, 'Truth'))).toBe(0);

    // Cameras are linked: turning one view turns them all.
    const { x, y } = await centreOf(laboratory, 'Truth');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(2, 2);
    const turned = await laboratory.water();
    for (const name of ['Truth', 'LETKF']) {
      expect(shareOfDifference(picture(before, name), picture(turned, name))).toBeGreaterThan(0.05);
    }
  });

  it('leaves the colours of the map alone when the water is drawn as it would look and back', async () => {
    const before = await laboratory.water();
    await laboratory.command('Water as it would look');
    const natural = await laboratory.water();
    expect(shareOfDifference(picture(before, 'Truth'), picture(natural, 'Truth'))).toBeGreaterThan(0.1);
    await laboratory.command('Water as it would look');
    const back = await laboratory.water();
    expect(shareOfDifference(picture(before, 'Truth'), picture(back, 'Truth'))).toBe(0);
  });

  it('reads the numbers of all methods under the pointer, and pins a probe with its time series', async () => {
    const { page } = laboratory;
    const { x, y } = await centreOf(laboratory, 'Truth');
    await page.mouse.move(x, y);
    const readout = page.getByLabel('Values at the crosshair');
    await readout.waitFor();
    expect(await readout.getByRole('rowheader').allInnerTexts()).toEqual(
      ['Truth', 'Free run', '3D-Var', 'LETKF'].map((name) => expect.stringContaining(name)),
    );
    const numbers = await readout
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => Number((row.querySelectorAll('td')[1].textContent ?? '').replace('−', '-'))),
      );
    expect(numbers.every((number) => Number.isFinite(number))).toBe(true);

    await page.mouse.click(x, y);
    await page.getByRole('tab', { name: 'Probes' }).click();
    const chart = page.getByRole('tabpanel').locator('svg.chart').first();
    await chart.waitFor();
    expect(await chart.locator('path').count()).toBeGreaterThan(3);

    await laboratory.command('Remove probes and cross-section');
    await expect.poll(() => page.getByRole('tabpanel').locator('svg.chart').count()).toBe(0);
  });

  it('draws a cross-section, by dragging and by keys', async () => {
    const { page } = laboratory;
    const { x, y } = await centreOf(laboratory, 'Truth');
    const section = page.getByRole('region', { name: 'Cross-section' });
    await page.keyboard.down('Shift');
    await page.mouse.move(x - 40, y);
    await page.mouse.down();
    const before = await laboratory.views();
    await page.mouse.move(x + 40, y - 5, { steps: 4 });
    // The views stay as they are while the hand draws; the strip comes at its end.
    expect(await page.locator('.marks .cut-line').count()).toBe(4);
    expect(await section.count()).toBe(0);
    expect(await laboratory.views()).toEqual(before);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await section.waitFor();
    await expect.poll(() => section.locator('svg path').count()).toBeGreaterThan(4);
    await section.getByRole('button', { name: 'Remove the cross-section' }).click();
    await expect.poll(() => section.count()).toBe(0);

    await page.getByRole('application').focus();
    for (const key of ['Shift+ArrowLeft', 'c', 'Shift+ArrowRight', 'c']) await page.keyboard.press(key);
    await section.waitFor({ timeout: PATIENCE });
    await page.keyboard.press('Escape');
    await expect.poll(() => section.count()).toBe(0);
  });
});
