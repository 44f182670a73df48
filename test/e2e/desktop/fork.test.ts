/** Forking: a branch of the run in the same stage and charts, by keyboard, saved with the scenario, and the same headless. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onHardware } from './chromium.ts';
import { ROUNDING } from './hardware.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { readCsv, saveChart, saved, textOf } from './saving.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CYCLES = 8;
const PATH = 'methods[1].covariance.standardDeviation.h';

async function violations({ page }: Laboratory): Promise<readonly string[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

describe.runIf(hasHost)('forking', () => {
  withBrowser();
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-fork-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The analysis errors of 3D-Var by cycle, as the command line computes the first branch of a file. */
  function headless(file: string): ReadonlyMap<string, string> {
    const out = join(folder, 'out');
    const shoal = join(ROOT, 'app', 'cli', 'bootstrap.mjs');
    execFileSync(process.execPath, [shoal, 'run', file, '--branch', '1', '--backend', 'wasm', '--out', out]);
    const { columns, rows } = readCsv(readFileSync(join(out, 'diagnostics.csv'), 'utf8'));
    const at = (name: string): number => columns.indexOf(name);
    const own = rows.filter((row) => row[at('method')] === '3dvar');
    return new Map(own.map((row) => [row[at('cycle')], row[at('rmse_analysis_h')]]));
  }

  it('shows both lines from the cycle on, and the file gives the same numbers headless', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('fork', CYCLES), width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.reach(2);
    const newest = await laboratory.pause();
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog', { name: `Fork at cycle ${newest}` });
    await dialog.waitFor();
    expect(await violations(laboratory)).toEqual([]);
    await dialog.locator(`[data-path="${PATH}"] input`).fill('0.3');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const strip = page.getByRole('region', { name: 'Branches' });
    await expect.poll(() => strip.textContent()).toContain('standard deviation of h 0.02 → 0.3');
    await page.keyboard.press('.');
    await laboratory.reach(newest + 1);
    // The branch is beside the method that it changes, with water of its own.
    await expect
      .poll(async () => (await laboratory.views()).map(({ name }) => name))
      .toEqual(['Truth', 'Free run', '3D-Var', '3D-Var, standard deviation of h 0.02 → 0.3', 'LETKF']);
    const water = await laboratory.water();
    const [ofRun, ofBranch] = [...water].filter(([name]) => name.startsWith('3D-Var')).map(([, picture]) => picture);
    expect(ofBranch.rgb).not.toEqual(ofRun.rgb);
    expect(await violations(laboratory)).toEqual([]);

    // The X-ray asks the branch as it asks the run, and shows the answer on its water.
    const asked = (name: string): Promise<string> =>
      page
        .locator('.view-frame')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('.view-score')
        .innerText();
    const [ofRun3dVar, ofBranch3dVar] = ['3D-Var', '3D-Var, standard deviation of h 0.02 → 0.3'];
    await page.getByRole('application').focus();
    await page.keyboard.press('x');
    await expect.poll(() => asked(ofRun3dVar)).toMatch(/^Correlation/);
    const lines = page.getByRole('combobox', { name: 'Run that is asked' });
    await lines.selectOption({ label: '3D-Var: standard deviation of h 0.02 → 0.3' });
    await expect.poll(() => asked(ofBranch3dVar)).toMatch(/^Correlation/);
    expect(await violations(laboratory)).toEqual([]);
    await page.getByRole('application').focus();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Errors' }).click();

    const table = readCsv(textOf(await saveChart(laboratory, 'branches', 'CSV')).replaceAll('"', ''));
    const file = await saved(laboratory, () => laboratory.command('Save scenario'));
    const path = join(folder, 'fork.json');
    writeFileSync(path, file.bytes);
    const expected = headless(path);
    expect(table.rows.length).toBeGreaterThan(0);
    // A GPU computes what `wasm` does but for rounding.
    const share = onHardware ? ROUNDING : 0;
    for (const [cycle, , error] of table.rows) {
      const wanted = Number(expected.get(cycle));
      expect(Number(error)).toBeClose(wanted, { absolute: share * wanted });
    }
  });
});
