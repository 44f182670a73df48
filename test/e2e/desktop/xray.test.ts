/** X-ray: why the analysis is what it is, on the water of every method and number by number, by mouse and by keys. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../../setup/nightly.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';

const LOOKS = [
  [1440, 900, 'Dark theme'],
  [1024, 700, 'Light theme'],
] as const;

async function paused(): Promise<Laboratory> {
  const laboratory = await openLaboratory({ scenario: smallScenario('xray', 60), width: 1440, height: 900 });
  await laboratory.atSpeed(4);
  await laboratory.reach(1);
  await laboratory.pause();
  return laboratory;
}

/** Waits until the X-ray shows the cycle on screen. */
async function answered(laboratory: Laboratory): Promise<void> {
  const standing = laboratory.page.getByRole('region', { name: 'X-ray', exact: true }).getByRole('status');
  await expect.poll(() => standing.textContent(), { timeout: PATIENCE }).toBe(`cycle ${await laboratory.cycle()}`);
}

/** Paused, with the X-ray of a cell near the middle. */
async function atCrosshair(): Promise<Laboratory> {
  const laboratory = await paused();
  await laboratory.page.getByRole('application').focus();
  for (const key of ['Shift+ArrowLeft', 'ArrowUp', 'x']) await laboratory.page.keyboard.press(key);
  await answered(laboratory);
  return laboratory;
}

/** What is under the title of a method's view. */
function said({ page }: Laboratory, method: string): Promise<string> {
  return page.locator('.view-frame', { hasText: method }).locator('.view-score').innerText();
}

describe.runIf(hasHost)('an X-ray', () => {
  withBrowser();

  it('has beside it what each observation changed about the next forecast, in a table and on the stems', async () => {
    const laboratory = await paused();
    const { page } = laboratory;
    await laboratory.command('Chart: Impact of the observations');
    await page.getByRole('button', { name: `Compute those of cycle ${await laboratory.cycle()}` }).click();
    const figure = page.locator('[data-figure="impact"]');
    await figure.locator('table').waitFor({ timeout: PATIENCE });
    expect(await figure.innerText()).toMatch(/change the squared error of the forecast of cycle \d+ against the truth/);
    await expect.poll(() => page.locator('.stem-key').innerText()).toMatch(/harmed\s+helped the forecast/);
    await page.getByRole('combobox', { name: 'Rows of the table' }).selectOption('region');
    await expect.poll(() => figure.locator('tbody tr').count()).toBe(4);
    // The heads of another cycle show innovations again.
    await page.getByRole('application').focus();
    await page.keyboard.press('.');
    await expect.poll(() => page.locator('.stem-key').innerText()).toContain('below forecast');
    await page.close();
  });

  it('turns the views to what links the crosshair with the rest, by keys', async () => {
    const laboratory = await atCrosshair();
    const { page } = laboratory;
    await expect.poll(() => said(laboratory, 'LETKF')).toBe('Correlation with the point');
    expect(await page.locator('.foot-bars').innerText()).toContain('corr h (1)');
    // The readout has what is shown, at the crosshair itself.
    const row = page.getByRole('group', { name: 'Values at the crosshair' }).locator('tr', { hasText: 'LETKF' });
    expect(await row.locator('td').last().innerText()).toMatch(/^1(\.00)?$/);
    expect(await page.getByRole('tabpanel').innerText()).toMatch(/trusts? (its|their) backgrounds?/);
    await page.getByRole('application').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('region', { name: 'X-ray', exact: true }).count()).toBe(0);
    await expect.poll(() => said(laboratory, 'LETKF')).toMatch(/^RMSE/);
  });

  it.runIf(isNightly)('shows other fields, weights and matrices, and follows the run', async () => {
    const laboratory = await atCrosshair();
    const { page } = laboratory;
    // Another variable's field is drawn by the methods; the truth keeps its water.
    const before = await laboratory.water();
    await page.getByRole('combobox', { name: 'Variable that is shown' }).selectOption('hu');
    await expect.poll(() => page.locator('.foot-bars').innerText()).toContain('corr hu with h (1)');
    const after = await laboratory.water();
    expect(after.get('Truth')).toEqual(before.get('Truth'));
    for (const method of ['3D-Var', 'LETKF']) expect(after.get(method)).not.toEqual(before.get(method));
    await page.getByRole('button', { name: 'Covariance', exact: true }).click();
    await expect.poll(() => page.locator('.foot-bars').innerText()).toContain('cov hu with h');

    await page.getByRole('application').focus();
    const cycle = await laboratory.cycle();
    await page.keyboard.press('.');
    await expect.poll(() => laboratory.cycle()).toBe(cycle + 1);
    await answered(laboratory);
    const weights = page.getByRole('img', { name: /^Weights of \d+ members of LETKF/ });
    await weights.waitFor();

    // A row of one matrix is the same member in the others and among the weights, a column of C the observation that the table names.
    const figure = page.locator('[data-figure="transform"]');
    const matrix = figure.getByRole('img', { name: /^C = YᵀR⁻¹: 6 × \d+, values from/ });
    await matrix.scrollIntoViewIfNeeded();
    const box = await matrix.locator('image').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 0.75 * (box?.height ?? 0));
    const note = figure.locator('.figure-note');
    await expect.poll(() => note.innerText()).toMatch(/^Member 4: own weight in W [\d.]+, C of observation \d+ /);
    expect(await figure.locator('.matrix-line').count()).toBe(4);
    expect(await page.locator('[data-figure="weights"] .chart-bar[data-pointed="true"] title').textContent()).toMatch(
      /^Member 4: /,
    );
    await page.mouse.move(5, 5);
    await expect.poll(() => note.innerText()).toMatch(/^6 members, \d+ observations? in reach\.$/);
  });

  it('reports for one observation what each method makes of it, and what it would have made of another reading', async () => {
    const laboratory = await paused();
    const { page } = laboratory;
    await page.keyboard.press('Shift+X');
    await answered(laboratory);
    await expect.poll(() => said(laboratory, '3D-Var')).toMatch(/^Increment by observation \d+ alone$/);
    const read = page.getByRole('slider', { name: 'What the observation has read' });
    await read.waitFor();
    const numbers = page.getByRole('region', { name: 'Prior, posterior and gain by method' });
    const first = await numbers.innerText();
    const value = Number(await read.getAttribute('aria-valuenow'));
    await read.focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => numbers.innerText(), { timeout: PATIENCE }).not.toBe(first);
    expect(Number(await read.getAttribute('aria-valuenow'))).toBeGreaterThan(value);
    const moved = await numbers.innerText();
    // By hand as well.
    const box = await read.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 12, (box?.y ?? 0) + 12];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => numbers.innerText(), { timeout: PATIENCE }).not.toBe(moved);
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await expect.poll(() => numbers.innerText(), { timeout: PATIENCE }).toBe(first);

    // A row of the table is a stem: pointed at it is marked, chosen it is the next subject.
    const table = page.locator('.xray-influence');
    const other = table.getByRole('button', { name: /^\d+ h/ }).nth(1);
    await other.hover();
    await expect.poll(() => page.locator('.marks .mark-ring').count()).toBe(8);
    await other.click();
    await answered(laboratory);
    expect(await page.getByRole('spinbutton', { name: 'number' }).inputValue()).not.toBe('');
    await page.getByRole('button', { name: 'Compute them' }).click();
    await expect
      .poll(() => page.getByRole('tabpanel').innerText(), { timeout: PATIENCE })
      .toMatch(/degrees of freedom in the LETKF/);
    await page.getByRole('button', { name: 'Whole increment' }).click();
    // The free run has no increment.
    await expect.poll(async () => (await laboratory.views()).length).toBe(6);
  });

  it.runIf(isNightly)('has nothing that axe finds fault with, in both themes and at both sizes', async () => {
    const laboratory = await paused();
    const { page } = laboratory;
    await page.keyboard.press('Shift+X');
    await answered(laboratory);
    for (const [width, height, theme] of LOOKS) {
      await page.setViewportSize({ width, height });
      await laboratory.command(theme);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      const bar = page.getByRole('region', { name: 'X-ray', exact: true });
      expect(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    }
  });
});
