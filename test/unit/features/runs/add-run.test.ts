import type { OpenedFolder } from '../../../../app/host/host.ts';
import { describe, expect, it } from 'vitest';
import { NO_KERNELS, NO_TRACE } from '../../../../engine/index.ts';
import { addRuns } from '../../../../app/features/runs/add-run.ts';
import { runFolderFiles } from '../../../../app/document/run/save-run.ts';
import { infoOf, scenarioOf } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { rowsOf } from './kept.ts';
import { runsOf } from '../../../../app/features/runs/runs-state.ts';

/** The files of a run folder, as the page writes them. */
async function folderOf(seed: number, cycles: number, diverged = false): Promise<Readonly<Record<string, Uint8Array>>> {
  const scenario = scenarioOf(20, { seed });
  const divergence = {
    method: 'letkf',
    cycle: cycles,
    stage: 'forecast',
    cause: 'unknown',
    message: 'it diverged',
    edits: [],
    place: undefined,
  } as const;
  return runFolderFiles({
    info: infoOf(scenario),
    diagnostics: new Map(['free-run', 'letkf'].map((label) => [label, rowsOf(label, cycles)])),
    kernels: { totals: NO_KERNELS, recent: [] },
    trace: NO_TRACE,
    ceilings: undefined,
    checkpoint: undefined,
    files: {},
    times: { start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T00:01:00.000Z', resumed: [] },
    divergences: diverged ? [divergence] : [],
    failure: undefined,
  });
}

const opened = (files: Readonly<Record<string, Uint8Array>>): OpenedFolder => ({ files, parted: {} });

describe('run folders', () => {
  it('come into the list with all that they know, and leave the run on screen where it is', async () => {
    const laboratory = laboratoryOf();
    const { notices } = laboratory;
    const runs = runsOf(laboratory);
    await addRuns(laboratory, [
      { name: 'a', content: folderOf(3, 12).then(opened) },
      { name: 'b', content: folderOf(4, 20, true).then(opened) },
    ]);
    expect(
      runs.runs.value.map(({ number, scenario, completed, cycles }) => [number, scenario.seed, completed, cycles]),
    ).toEqual([
      [1, 3, 12, 20],
      [2, 4, 20, 20],
    ]);
    const [first, second] = runs.runs.value;
    expect(first.rows.get('letkf')).toEqual(rowsOf('letkf', 12));
    expect(first.backend).toEqual({ name: 'reference', adapter: 'test' });
    expect(first.command).toEqual({
      line: 'npm run shoal -- run small.shoal.json --backend reference',
      needs: 'small.shoal.json',
    });
    expect(second.diverged).toEqual([{ method: 'letkf', cycle: 20 }]);
    expect(runs.onScreen.value).toBeUndefined();
    expect(notices.notices.value.map(({ kind, title }) => [kind, title])).toEqual([
      ['information', 'Added 2 runs to the list'],
    ]);
  });

  it('are added once, and those that cannot be read are reported, each by its name', async () => {
    const laboratory = laboratoryOf();
    const { notices } = laboratory;
    const runs = runsOf(laboratory);
    await addRuns(laboratory, [{ name: 'a', content: folderOf(3, 12).then(opened) }]);
    const { 'run.json': record, ...rest } = await folderOf(5, 12);
    const text = new TextDecoder().decode(record).replace('"seed": 5', '"seed": "five"');
    await addRuns(laboratory, [
      { name: 'again', content: folderOf(3, 12).then(opened) },
      { name: 'empty', content: Promise.resolve(opened({})) },
      { name: 'broken', content: Promise.resolve(opened({ ...rest, 'run.json': new TextEncoder().encode(text) })) },
      { name: 'refused', content: Promise.reject(new Error('the disk is gone')) },
      { name: 'unborn', content: folderOf(6, 0).then(opened) },
    ]);
    expect(runs.runs.value.length).toBe(1);
    const told = notices.notices.value.slice(1).map(({ kind, title, lines }) => [kind, title, lines[0]]);
    expect(told).toEqual([
      ['error', 'empty cannot be added to the list', expect.stringContaining('no run.json')],
      ['error', 'broken cannot be added to the list', expect.stringMatching(/run\.json: .*seed/)],
      ['error', 'refused cannot be added to the list', 'the disk is gone'],
      ['error', 'unborn cannot be added to the list', 'the run has no complete cycle'],
      ['information', 'In the list already', 'Run 1: Small'],
    ]);
  });
});
