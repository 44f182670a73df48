/** `shoal report` as a process: a page of run folders, with the states that they keep. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeStorage } from '../../app/cli/node-storage.ts';
import { lastState, readReportedRun } from '../../app/report/run/reported-run.ts';

import { createModel, NO_FILES, readHdf5Here } from '../../engine/index.ts';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;
const MOST_BYTES = 5e6;

const small = {
  version: 3,
  name: 'small',
  title: 'Small & <b>short</b>',
  seed: 5,
  grid: { nx: 12, ny: 10 },
  truth: { initial: { kind: 'drops', count: 1, width: 4 }, spinup: 1 },
  background: { initial: { kind: 'drops', count: 1, width: 4 }, members: 4 },
  observations: [{ name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [4, 4] } }],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 }],
  experiment: { cycles: 6, window: 0.5 },
};

interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let folder = '';

function shoal(...args: readonly string[]): Promise<Ending> {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [BOOTSTRAP, ...args, '--quiet'], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-report-'));
  writeFileSync(join(folder, 'small.json'), JSON.stringify(small));
  const options = ['small.json', '--backend', 'wasm', '--threads', '1'];
  for (const [out, ...more] of [
    ['kept', '--fields', 'mean'],
    ['bare', '--impact', '1'],
  ]) {
    const { code, stderr } = await shoal('run', ...options, '--out', out, ...more);
    if (code !== 0) throw new Error(stderr);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('shoal report', () => {
  it('writes a page with maps of several cycles, which needs nothing beside it', async () => {
    const { code, stdout } = await shoal('report', 'kept', '--out', 'pages/report.html', '--json');
    expect(code).toBe(0);
    const page = readFileSync(join(folder, 'pages', 'report.html'), 'utf8');
    const bytes = Buffer.byteLength(page);
    expect(JSON.parse(stdout)).toEqual({ report: 'pages/report.html', bytes, runs: ['kept'] });
    expect(bytes).toBeLessThan(MOST_BYTES);
    expect(page).toContain('<h1>Small &amp; &lt;b&gt;short&lt;/b&gt;</h1>');
    expect(page).not.toMatch(/https?:|<script|<b>short/);
    for (const cycle of [0, 2, 3, 5]) {
      expect(page).toContain(`aria-label="Surface height, Truth in cycle ${cycle}: from `);
      expect(page).toContain(`aria-label="Error, LETKF in cycle ${cycle}: from `);
      expect(page).toContain(`aria-label="Increment, LETKF in cycle ${cycle}: from `);
    }
    for (const title of ['Results', 'Consistency', 'Rank histograms', 'Spectra', 'Kernel times', 'Provenance']) {
      expect(page).toContain(`>${title}</h2>`);
    }
  });

  it('draws the last checkpoint of a folder without fields, and says how there would be more', async () => {
    const { code } = await shoal('report', 'bare');
    expect(code).toBe(0);
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('aria-label="Error, LETKF in cycle 5: from ');
    expect(page).not.toContain('LETKF in cycle 3');
    expect(page).toContain('a run with --fields mean keeps those of all cycles');
    expect(page).toContain('Impact by network, LETKF');
    expect(/gauges .+ ± .+ m³\/s² \(\d+ % help\)/.test(page)).toBe(true);
  });

  it('has in a checkpoint the states that the fields have of its cycle', async () => {
    const storage = createNodeStorage(join(folder, 'kept'));
    const run = await readReportedRun(storage, 'kept', readHdf5Here);
    if (!run) throw new Error('found no run');
    const last = await lastState(storage, run.record, createModel(run.scenario, NO_FILES));
    const [kept, found] = [run.states?.states.at(-1), last?.states[0]];
    expect(kept?.cycle).toBe(5);
    expect(found?.cycle).toBe(5);
    // η is h + bed, of depths below 2 m: half an ulp of 2⁻²³ m in each of four members, in their mean and in η.
    const absolute = 4 * 2 ** -23;
    expect(found?.truth).toBeClose(kept?.truth ?? [], { absolute });
    for (const [index, method] of (kept?.methods ?? []).entries()) {
      expect(found?.methods[index].analysis).toBeClose(method.analysis, { absolute });
      expect(found?.methods[index].spread).toBeClose(method.spread ?? [], { absolute });
    }
  });

  it('refuses what is no run folder, and the same folder twice, in a line each', async () => {
    const nothing = await shoal('report', 'pages');
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
    expect(nothing.stderr).toContain('pages: not a run folder, there is no run.json in it');
    const twice = await shoal('report', 'kept', './kept/');
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('./kept/: the same folder twice (it is kept)');
  });
});
