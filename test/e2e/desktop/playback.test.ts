/** A run folder with the states of its cycles, opened again: every stored cycle is played, and what is broken is reported. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asHardware } from './hardware.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { countColours, shareOfDifference } from './picture.ts';

const BOOTSTRAP = new URL('../../../app/cli/bootstrap.mjs', import.meta.url).pathname;
const CYCLES = 12;

type Files = Record<string, Uint8Array>;

let place = '';

/** @returns the files of a folder that the command line writes */
function runWith(name: string, options: readonly string[]): Files {
  writeFileSync(join(place, `${name}.json`), JSON.stringify(smallScenario(name, CYCLES)));
  const line = [BOOTSTRAP, 'run', `${name}.json`, '--backend', 'wasm', '--quiet', ...options, '--out', name];
  const { status, stderr } = spawnSync(process.execPath, line, { cwd: place, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const paths = readdirSync(join(place, name), { recursive: true, encoding: 'utf8' });
  const found = paths.filter((path) => statSync(join(place, name, path)).isFile());
  return Object.fromEntries(
    found.map((path) => [path.replaceAll('\\', '/'), new Uint8Array(readFileSync(join(place, name, path)))]),
  );
}

describe.runIf(hasHost)('stored cycles', () => {
  withBrowser();
  let [whole, sparse]: Files[] = [];
  let laboratory: Laboratory;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'shoal-playback-'));
    whole = runWith('whole', ['--fields', 'mean']);
    sparse = runWith('sparse', ['--fields', 'mean', '--every', '5']);
  }, 300_000);
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  beforeEach(async ({ task }) => {
    const onGpu = task.name.includes('GPU') ? { before: [asHardware] } : {};
    laboratory = await openLaboratory({ scenario: smallScenario('whole', CYCLES), ...onGpu });
  });

  async function openFolder(files: Files, title: string): Promise<void> {
    const chosen = laboratory.page.waitForEvent('filechooser');
    await laboratory.command('Open run folder');
    const buffer = Buffer.from(zipSync(files));
    await (await chosen).setFiles({ name: 'run.zip', mimeType: 'application/zip', buffer });
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe(title);
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(CYCLES - 1);
  }

  async function goTo(cycle: number): Promise<void> {
    const field = laboratory.page.getByRole('textbox', { name: 'Cycle' });
    await field.fill(String(cycle));
    await field.press('Enter');
  }

  const stored = () => laboratory.page.locator('.stored-cycles');

  it('are played and stepped through, and look as they did while the run was computed', async () => {
    const { page } = laboratory;
    await page.getByRole('combobox', { name: 'Speed, cycles a second' }).selectOption('16');
    await laboratory.reach(CYCLES - 1);
    await laboratory.pause();
    await goTo(3);
    await expect.poll(() => laboratory.cycle()).toBe(3);
    const computed = await laboratory.water();

    await openFolder(whole, 'Small basin whole');
    await stored().waitFor();
    // Notices are below the stage, which is smaller with them.
    for (const notice of await page.getByRole('button', { name: /^Dismiss: / }).all()) await notice.click();
    const last = await laboratory.water();
    await goTo(3);
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(3);
    const played = await laboratory.water();
    expect([...played.keys()]).toEqual([...computed.keys()]);
    for (const [name, picture] of played) {
      const [before, after] = [computed.get(name) ?? picture, last.get(name) ?? picture];
      expect([name, shareOfDifference(picture, before) < 0.01]).toEqual([name, true]);
      expect([name, shareOfDifference(picture, after) > 0.05]).toEqual([name, true]);
    }
    // Presses that come before the first was answered count all the same.
    await page.getByRole('slider', { name: 'Cycle on screen' }).focus();
    for (const key of ['.', '.', ',', '.']) await page.keyboard.press(key);
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(5);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(1);
    await expect.poll(() => page.locator('[data-figure=spectrum] h3').innerText()).toContain('cycle 1');
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);

    const seen = new Set<number>();
    await page.getByRole('combobox', { name: 'Speed, cycles a second' }).selectOption('4');
    await page.keyboard.press('k');
    await expect
      .poll(async () => seen.add(await laboratory.cycle()).has(CYCLES - 1), { timeout: PATIENCE, interval: 60 })
      .toBe(true);
    expect(seen.size).toBeGreaterThan(5);
    await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).count()).toBe(2);
  });

  it('that are in every fifth alone are marked and passed over, with a word why', async () => {
    const { page } = laboratory;
    await openFolder(sparse, 'Small basin sparse');
    const notice = page.getByText('2 stored cycles can be played');
    await notice.waitFor();
    await page
      .getByText('The run kept every 5th cycle in fields.nc; playing and steps pass over the others.')
      .waitFor();
    await stored().waitFor();
    // Cycles 4 and 9, and the last, which the checkpoint has.
    expect((await stored().locator('path').first().getAttribute('d'))?.match(/M/g)).toHaveLength(3);
    await page.getByRole('slider', { name: 'Cycle on screen' }).focus();
    const shown: number[] = [];
    for (const [key, wanted] of [
      [',', 9],
      [',', 4],
      ['.', 9],
      ['.', 11],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(wanted);
      shown.push(wanted);
    }
    expect(shown).toEqual([9, 4, 9, 11]);
    await goTo(7);
    await page.getByText('Cycle 7 is not stored; shown is cycle 9').waitFor();
    await expect.poll(() => laboratory.cycle()).toBe(9);
  });

  it('are drawn on a GPU, where planes of the run itself are, and can be continued from', async () => {
    const { page } = laboratory;
    await openFolder(whole, 'Small basin whole');
    await stored().waitFor();
    await expect.poll(() => page.locator('.backend').innerText(), { timeout: PATIENCE }).toContain('WebGPU');
    await goTo(3);
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(3);
    const played = await laboratory.water();
    expect(Math.min(...[...played.values()].map(countColours))).toBeGreaterThan(12);
    // The checkpoint is of another backend: the state before the first cycle is computed here.
    await page.getByRole('slider', { name: 'Cycle on screen' }).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(-1);
    const begun = await laboratory.water();
    for (const [name, picture] of begun) {
      expect([name, shareOfDifference(picture, played.get(name) ?? picture) > 0.05]).toEqual([name, true]);
    }
    await goTo(3);
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(3);
    for (const [name, picture] of await laboratory.water()) {
      expect([name, shareOfDifference(picture, played.get(name) ?? picture) < 0.01]).toEqual([name, true]);
    }
    await laboratory.command('Continue from the cycle on screen');
    await page.getByRole('button', { name: 'One cycle forward' }).last().click();
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(4);
    expect(await stored().count()).toBe(0);
  });

  it('in a file that is damaged are reported with file and place, and the run stays', async () => {
    const { page } = laboratory;
    const bytes = whole['fields.nc'].slice();
    await openFolder({ ...whole, 'fields.nc': bytes.subarray(0, bytes.length - 1) }, 'Small basin whole');
    const refusal = page.getByRole('alert').filter({ hasText: 'The stored cycles cannot be shown' });
    await refusal.waitFor();
    expect(await refusal.getByRole('listitem').allInnerTexts()).toEqual([
      `fields.nc: the file is cut off: it says that it has ${bytes.length} bytes`,
      'The run is shown as its checkpoint has it.',
    ]);
    expect(await stored().count()).toBe(0);
    // What is left of it is that it can be looked at, and repeated.
    await laboratory.water();
    await openFolder({ ...sparse, 'fields.nc': whole['fields.nc'].fill(7, 0, 8) }, 'Small basin sparse');
    await page.getByText('fields.nc: not a NetCDF-4 file of this program').waitFor();
  });
});
