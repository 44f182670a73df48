/** The window in Electron: a scenario as argument, then transport, stage, settings, keyboard and menu. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, smallScenario } from '../e2e/desktop/laboratory.ts';
import { countColours, shareOfDifference } from '../e2e/desktop/picture.ts';
import { isNightly } from '../setup/nightly.ts';
import { chooseInMenu, startDesktop, withDesktop, writeFile } from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { hasElectron } from './host.ts';

describe.runIf(hasElectron)('the window in Electron', () => {
  withDesktop();
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await startDesktop({ words: [writeFile('given.json', JSON.stringify(smallScenario('given', 60)))] });
  });
  afterAll(async () => {
    await desktop.kill();
  });

  const newest = async (): Promise<number> =>
    Number(await desktop.page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuemax'));

  it('opens the scenario that is its argument, plays it, pauses, steps and scrubs', async () => {
    const { laboratory, page } = desktop;
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin given');
    expect(await page.title()).toBe('Small basin given – Shoal');
    await laboratory.atSpeed(4);
    await laboratory.reach(3);
    const paused = await laboratory.pause();
    const bar = page.getByRole('group', { name: 'Transport' });
    await bar.getByRole('button', { name: 'One cycle back' }).click();
    await expect.poll(() => laboratory.cycle()).toBe(paused - 1);
    await page.getByRole('slider', { name: 'Cycle on screen' }).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => laboratory.cycle()).toBe(-1);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => laboratory.cycle()).toBe(0);
    const before = await newest();
    await laboratory.command('Follow the newest');
    await bar.getByRole('button', { name: 'One cycle forward' }).click();
    await laboratory.reach(before + 1);
  });

  it.runIf(isNightly)('draws another picture of another field and from another place', async () => {
    const { laboratory, page } = desktop;
    const truth = async () => {
      const picture = (await laboratory.water()).get('Truth');
      if (!picture) throw new Error('there is no view of the truth');
      return picture;
    };
    const surface = await truth();
    expect(countColours(surface)).toBeGreaterThan(12);
    await page.getByRole('combobox', { name: 'Field', exact: true }).selectOption('speed');
    const speed = await truth();
    expect(shareOfDifference(surface, speed)).toBeGreaterThan(0.3);
    await laboratory.command('Camera from above');
    expect(shareOfDifference(speed, await truth())).toBeGreaterThan(0.1);
  });

  it('shows a panel in its own window, which has no bridge, opens nothing, and brings it back', async () => {
    const { application, laboratory, page } = desktop;
    await laboratory.reach(0);
    const windows = () => application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
    const [own] = await Promise.all([application.waitForEvent('window'), page.keyboard.press('Control+Shift+E')]);
    await own.getByRole('figure', { name: 'Error and spread', exact: true }).waitFor();
    expect(
      await own.evaluate(() => [
        ['shoal', 'require', 'process'].filter((name) => name in globalThis),
        globalThis.open('', 'shoal-panel-other') === null,
      ]),
    ).toEqual([[], true]);
    // A page beneath another window draws no frames, which a click would wait for.
    await page.keyboard.press('Control+Shift+E');
    await expect.poll(windows).toBe(1);
    await page.getByRole('figure', { name: 'Error and spread', exact: true }).waitFor();
  });

  it('applies a changed setting at the next cycle, and marks the scenario as changed', async () => {
    const { laboratory, page } = desktop;
    await laboratory.command('letkf inflation');
    const inflation = page.locator('.settings [data-path="methods[2].inflation"] input').first();
    await inflation.fill('1.25');
    await inflation.press('Enter');
    await page.getByRole('button', { name: 'Apply at the next cycle' }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Nothing to apply' }).count(), { timeout: PATIENCE })
      .toBe(1);
    await expect.poll(() => page.title()).toBe('• Small basin given – Shoal');
  });

  it('plays and pauses by the space bar, once for each press', async () => {
    const { laboratory, page } = desktop;
    await page.getByRole('application').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('button', { name: 'Pause' }).count()).toBe(2);
    const from = await laboratory.cycle();
    await laboratory.reach(from + 1);
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(2);
  });

  it('has a menu, whose commands the page carries out', async () => {
    const { application, laboratory, page } = desktop;
    const labels = await application.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()?.items.map(({ label }) => label.toLowerCase()),
    );
    expect(labels).toEqual(['file', 'edit', 'run', 'view', 'window', 'help']);
    const cycle = await laboratory.cycle();
    await chooseInMenu(desktop, 'run.step-back');
    await expect.poll(() => laboratory.cycle()).toBe(cycle - 1);
    await chooseInMenu(desktop, 'run.step-forward');
    await expect.poll(() => laboratory.cycle()).toBe(cycle);
    const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset['theme']);
    const before = await theme();
    await chooseInMenu(desktop, 'view.theme');
    await expect.poll(theme).not.toBe(before);
    await chooseInMenu(desktop, 'help.shortcuts');
    await page.getByRole('dialog', { name: /shortcuts/i }).waitFor();
    await page.keyboard.press('Escape');
    await chooseInMenu(desktop, 'file.gallery');
    await page.getByRole('dialog', { name: 'Scenarios' }).waitFor();
    await page.keyboard.press('Escape');
    expect(desktop.errors).toEqual([]);
  });
});
