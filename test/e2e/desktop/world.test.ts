/** The world changed while it runs, by mouse, by keys and by fingers; and the saved scenario run again without a window. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { unzipSync } from 'fflate';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { readCsv, saved, textOf } from './saving.ts';
import type { Csv } from './saving.ts';

const BOOTSTRAP = new URL('../../../app/cli/bootstrap.mjs', import.meta.url).pathname;
const CYCLES = 12;
/** Every fourth of 24 cells along each axis. */
const GAUGES = 36;
/**
 * A browser's processor may fuse multiplications with additions where Node's does not: numbers of 24 bits, some hundred steps of
 * a model whose waves do not grow, and analyses that average over members keep five digits.
 */
const SAME = 1e-4;

interface Spot {
  readonly x: number;
  readonly y: number;
}

describe.runIf(hasHost)('the world', () => {
  withBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'shoal-world-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let laboratory: Laboratory;
  beforeEach(async () => {
    laboratory = await openLaboratory({ scenario: smallScenario('world', CYCLES), width: 1440, height: 900 });
    await laboratory.reach(1);
    const paused = await laboratory.pause();
    // One cycle may have been under way; once that is on screen none is.
    await laboratory.page.keyboard.press('.');
    await laboratory.reach(paused + 1);
    // Where every cell is as large as every other.
    await laboratory.page.getByRole('combobox', { name: 'Camera' }).selectOption('top');
  });

  const bar = (name: string) => laboratory.page.getByRole('group', { name, exact: true });
  /** Gauges that the next analysis has, as the bar says it. */
  const gauges = async (): Promise<number> =>
    Number.parseInt(await bar('Paint the network').getByTitle('Fixed gauges of the next analysis').innerText());
  const changes = async (): Promise<number> =>
    Number(
      await laboratory.page
        .getByRole('button', { name: /^Changes/ })
        .locator('.count')
        .innerText(),
    );
  /** Where the gauges that wait are drawn in the first view. */
  const waiting = (): Promise<string | null> => laboratory.page.locator('.ghost-waiting').first().getAttribute('d');
  const newest = async (): Promise<number> =>
    Number(await laboratory.page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuemax'));
  /** A place in the truth's view: shares of its width and its height. */
  const spot = async (across: number, down: number): Promise<Spot> => {
    const view = (await laboratory.views()).find(({ name }) => name === 'Truth');
    if (!view) throw new Error('there is no view of the truth');
    const { x, y, width, height } = view.box;
    return { x: x + across * width, y: y + down * height };
  };
  const drag = async (from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
    const { mouse } = laboratory.page;
    const [a, b] = [await spot(...from), await spot(...to)];
    await mouse.move(a.x, a.y);
    await mouse.down();
    await mouse.move(b.x, b.y, { steps: 5 });
    await mouse.up();
  };
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await laboratory.page.keyboard.press(key);
  };
  const stepForward = async (): Promise<void> => {
    const next = (await newest()) + 1;
    await press('.');
    await expect.poll(newest, { timeout: PATIENCE }).toBe(next);
  };
  /** The table of a run of a scenario, computed without a window. */
  const headless = async (name: string, text: string): Promise<Csv> => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    const { npm_lifecycle_event: _script, ...env } = process.env;
    const args = ['run', file, '--backend', 'wasm', '--quiet', '--out', join(folder, name)];
    await promisify(execFile)(process.execPath, [BOOTSTRAP, ...args], { env });
    return readCsv(readFileSync(join(folder, name, 'diagnostics.csv'), 'utf8'));
  };

  it('is painted, erased, moved and dropped on by hand, taken back, and computed again without the window', async () => {
    const { page } = laboratory;
    const before = await newest();
    const views = page.locator('.stage-views');
    const box = await views.boundingBox();
    await press('n');
    await expect.poll(gauges).toBe(GAUGES);
    // The bar is one line over the views, which do not move for it.
    expect(await views.boundingBox()).toEqual(box);
    const { height = 0 } = (await bar('Paint the network').boundingBox()) ?? {};
    expect(height).toBeGreaterThan(0);
    expect(height).toBeLessThanOrEqual(40);
    await drag([0.4, 0.45], [0.55, 0.55]);
    await expect.poll(gauges).toBeGreaterThan(GAUGES);
    const painted = await gauges();
    await expect.poll(() => page.locator('.ghost-waiting').count()).toBe(4);
    await expect.poll(() => bar('Paint the network').innerText()).toContain(`From cycle ${before + 1} (1 pending)`);

    await press('Control+z');
    await expect.poll(gauges).toBe(GAUGES);
    await press('Control+Shift+z');
    await expect.poll(gauges).toBe(painted);

    // The right button turns the camera, and paints nothing.
    const there = await waiting();
    const [a, b] = [await spot(0.4, 0.45), await spot(0.5, 0.5)];
    await page.mouse.move(a.x, a.y);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(b.x, b.y, { steps: 3 });
    await page.mouse.up({ button: 'right' });
    await expect.poll(waiting).not.toBe(there);
    expect(await gauges()).toBe(painted);
    await page.getByRole('combobox', { name: 'Camera' }).selectOption('top');

    await page.getByRole('radio', { name: 'Erase' }).check({ force: true });
    await drag([0.4, 0.45], [0.41, 0.46]);
    await expect.poll(gauges).toBeLessThan(painted);
    const erased = await gauges();
    await page.getByRole('radio', { name: 'Move' }).check({ force: true });
    const moves = await changes();
    await drag([0.53, 0.53], [0.56, 0.36]);
    await expect.poll(changes).toBe(moves + 1);
    expect(await gauges()).toBe(erased);

    await stepForward();
    await expect.poll(() => page.locator('.ghost-waiting').count()).toBe(0);
    await page.getByRole('button', { name: new RegExp(`^Cycle ${before + 1}: .*gauges added`) }).waitFor();

    await press('d');
    await drag([0.5, 0.5], [0.6, 0.5]);
    await expect.poll(changes).toBe(moves + 2);
    await stepForward();
    // What has fallen is undone by going back to before it.
    await press('Control+z');
    await expect.poll(newest, { timeout: PATIENCE }).toBe(before + 1);
    await expect.poll(changes).toBe(moves + 1);
    await page.locator('.notice', { hasText: `cycle ${before + 2} comes next` }).waitFor();
    await press('Control+Shift+z');
    await expect.poll(changes).toBe(moves + 2);

    await page.getByRole('combobox', { name: 'Speed, cycles a second' }).selectOption('16');
    await laboratory.command('Play or pause');
    await expect.poll(newest, { timeout: PATIENCE }).toBe(CYCLES - 1);
    await expect.poll(() => bar('Drop water').innerText()).toContain('; adds ');
    const scenario = await saved(laboratory, () => page.keyboard.press('Control+s'));
    const zip = await saved(laboratory, () => laboratory.command('Save run as folder'));
    const [, bytes] = Object.entries(unzipSync(zip.bytes)).find(([name]) => name.endsWith('diagnostics.csv')) ?? [];
    const seen = readCsv(textOf({ bytes: bytes ?? new Uint8Array() }));
    const text = textOf(scenario);
    expect((JSON.parse(text) as { interventions: unknown[] }).interventions).toHaveLength(moves + 2);
    const again = await headless('again', text);
    expect(again.columns).toEqual(seen.columns);
    expect(farFrom(again, seen)).toEqual([]);
    // Without the changes it is another run.
    const { interventions: _interventions, ...unchanged } = JSON.parse(text) as Record<string, unknown>;
    expect(farFrom(await headless('unchanged', JSON.stringify(unchanged)), seen).length).toBeGreaterThan(50);
  });

  it('is changed by keys alone, with words for who cannot see it, and without fault of access', async () => {
    const { page } = laboratory;
    const said = (words: RegExp) =>
      expect.poll(() => page.locator('.stage [role=status]').first().innerText()).toMatch(words);
    await press('n', 'ArrowRight', 'ArrowUp');
    await said(/x \d+.m, y \d+.m: (water|a gauge of h)/);
    const width = bar('Paint the network').getByRole('textbox', { name: 'Brush, m' });
    await press('-', '-');
    await expect.poll(() => width.inputValue()).toBe('1');
    await press('Enter');
    await expect.poll(gauges).toBe(GAUGES + 1);
    await said(/^paint 1 gauge: from cycle \d+ on\.$/);
    await press('+', 'Delete');
    await expect.poll(gauges).toBeLessThan(GAUGES + 1);
    await press('Control+z');
    await expect.poll(gauges).toBe(GAUGES + 1);
    const { violations } = await new AxeBuilder({ page }).include('.stage').analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);

    await press('Escape');
    await expect.poll(() => bar('Paint the network').count()).toBe(0);
    await press('d', 'Enter');
    await said(/^drop 0\.2.m of water: from cycle \d+ on\.$/);
    await page.getByRole('button', { name: /^Changes/ }).click();
    const list = page.getByRole('list', { name: 'Changes by cycle' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    const settings = await new AxeBuilder({ page }).include('.settings').analyze();
    expect(settings.violations.map(({ id }) => id)).toEqual([]);
    await list.getByRole('button', { name: /^Take out: drop/ }).press('Enter');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);

    await laboratory.command('Raise an island');
    await expect.poll(() => bar('Raise an island').innerText()).toContain('flat bottom');
    await press('Escape');
    await expect.poll(() => page.locator('.world-bar').count()).toBe(0);
  });

  it('is painted by a finger; two fingers move the camera and paint nothing', async () => {
    const { page } = laboratory;
    await page.getByRole('button', { name: 'Paint the network' }).click();
    await expect.poll(gauges).toBe(GAUGES);
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Spot[]) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: touchPoints.map((point, id) => ({ ...point, id })),
      });
    const [a, b, c] = [await spot(0.45, 0.5), await spot(0.5, 0.55), await spot(0.55, 0.4)];
    await touch('touchStart', a);
    await touch('touchMove', b);
    await touch('touchEnd');
    await expect.poll(gauges).toBeGreaterThan(GAUGES);
    const painted = await gauges();

    const there = await waiting();
    await touch('touchStart', a);
    await touch('touchStart', a, c);
    await touch('touchMove', { x: a.x + 20, y: a.y }, { x: c.x + 40, y: c.y });
    await touch('touchEnd');
    await expect.poll(waiting).not.toBe(there);
    expect([await gauges(), await changes()]).toEqual([painted, 1]);
  });
});

/** @returns what differs between two tables of diagnostics by more than rounding does; how long it took is no part of it */
function farFrom(found: Csv, expected: Csv): string[] {
  expect(found.rows).toHaveLength(expected.rows.length);
  return found.columns.flatMap((column, at) => {
    if (column.includes('milliseconds')) return [];
    return found.rows.flatMap((row, k) => {
      const [value, wanted] = [row[at], expected.rows[k][at]];
      const isFar = Math.abs(Number(value) - Number(wanted)) > SAME * Math.max(1e-3, Math.abs(Number(wanted)));
      return value === wanted || !isFar ? [] : [`${column}, row ${String(k)}: ${value} for ${wanted}`];
    });
  });
}
