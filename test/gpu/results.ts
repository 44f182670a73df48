/** A run of the page on a GPU gives the numbers that `wasm` gives, but for rounding. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUNDING } from '../e2e/desktop/hardware.ts';
import { hasHost, openLaboratory, PATIENCE, withBrowser } from '../e2e/desktop/laboratory.ts';
import { readCsv, saved, textOf } from '../e2e/desktop/saving.ts';
import type { Csv } from '../e2e/desktop/saving.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** One of each scheme: flat and with a bed, and the ring. */
const SCENARIOS = ['one-stone', 'tsunami-harbour', 'lorenz-96'];
/** Columns of the first variable: depth, or that of the ring. */
const COMPARED = /^(rmse|spread)_(forecast|analysis)_[hx]$/;
const CYCLES = 12;

describe.runIf(hasHost)('results on a GPU', () => {
  withBrowser();
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-gpu-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The diagnostics of a file, as the command line computes them on the processor. */
  function onProcessor(file: string): Csv {
    const out = join(folder, 'out');
    const shoal = join(ROOT, 'app', 'cli', 'bootstrap.mjs');
    execFileSync(process.execPath, [shoal, 'run', file, '--backend', 'wasm', '--out', out]);
    const text = readFileSync(join(out, 'diagnostics.csv'), 'utf8');
    rmSync(out, { recursive: true, force: true });
    return readCsv(text);
  }

  it.each(SCENARIOS)('are those of wasm but for rounding in %s', async (name) => {
    const whole = JSON.parse(readFileSync(join(ROOT, 'scenarios', `${name}.json`), 'utf8')) as {
      readonly title: string;
      readonly experiment: object;
    };
    const { experiment, ...rest } = whole;
    const scenario = { ...rest, lesson: [], experiment: { ...experiment, cycles: CYCLES, spinup: 1 } };
    const laboratory = await openLaboratory({ scenario });
    await laboratory.page.getByLabel('Speed, cycles a second').selectOption('16');
    await expect
      .poll(() => laboratory.page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuemax'), {
        timeout: PATIENCE,
      })
      .toBe(String(CYCLES - 1));
    await laboratory.reach(CYCLES - 1);
    const zip = await saved(laboratory, () => laboratory.command('Save run as folder'));
    const [, bytes] = Object.entries(unzipSync(zip.bytes)).find(([path]) => path.endsWith('diagnostics.csv')) ?? [];
    const found = readCsv(textOf({ bytes: bytes ?? new Uint8Array(0) }));
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(scenario));
    const expected = onProcessor(file);
    expect(found.columns).toEqual(expected.columns);
    expect(found.rows).toHaveLength(expected.rows.length);
    const compared = found.columns.flatMap((column, at) => (COMPARED.test(column) ? [at] : []));
    expect(compared.length).toBeGreaterThan(1);
    let worst = 0;
    for (const at of compared) {
      // A method with one state has no spread.
      const [here, there] = [found, expected].map(({ rows }) =>
        rows
          .map((row) => row[at])
          .filter((cell) => cell !== '' && cell !== 'NaN')
          .map(Number),
      );
      expect(here).toHaveLength(there.length);
      for (const [row, value] of there.entries()) {
        const share = value === here[row] ? 0 : Math.abs(here[row] - value) / Math.abs(value);
        worst = Math.max(worst, share);
      }
    }
    process.stderr.write(`${name}: errors and spread differ from wasm by ${worst.toExponential(1)} at most\n`);
    expect(worst).toBeLessThan(ROUNDING);
  });
});
