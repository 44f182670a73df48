import { describe, expect, it } from 'vitest';
import { readRunFolder } from '../../../../app/renderer/state/open-run.ts';
import { runFolderFiles } from '../../../../app/renderer/state/save-run.ts';
import { diagnosticsOf, infoOf, scenarioOf } from './fake-run.ts';

const now = (): Date => new Date(0);

describe('a run folder', () => {
  const scenario = scenarioOf(4);
  const diagnostics = new Map(
    ['free-run', 'letkf'].map((method) => [method, [0, 1].map((cycle) => diagnosticsOf(method, cycle))]),
  );

  it('opens as what was saved', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1, 2, 3]) }, fingerprint: 'f' };
    const samples = [{ name: 'step', microseconds: 5, clock: 'wall', bytes: 8, flops: 2 }] as const;
    const results = { info: infoOf(scenario), diagnostics, kernels: [{ cycle: 0, samples }], checkpoint };
    const files = await runFolderFiles(results, now);
    expect(Object.keys(files)).toStrictEqual(
      expect.arrayContaining(['run.json', 'diagnostics.csv', 'kernels.ndjson', 'checkpoint.json']),
    );
    expect(JSON.parse(new TextDecoder().decode(files['run.json']))).toMatchObject({
      state: 'stopped',
      completedCycles: 2,
      cycles: 4,
    });
    const opened = await readRunFolder(files);
    expect(opened.parsed.scenario).toStrictEqual(scenario);
    expect(opened.rows).toHaveLength(4);
    expect(opened.checkpoint).toStrictEqual(checkpoint);
  });

  it('opens without its checkpoint', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const files = { ...(await runFolderFiles({ info: infoOf(scenario), diagnostics, kernels: [], checkpoint }, now)) };
    delete files['checkpoint/2/0.npy'];
    await expect(readRunFolder(files)).resolves.toMatchObject({ checkpoint: undefined });
  });

  it('is told from any other folder', async () => {
    await expect(readRunFolder({ 'notes.txt': new Uint8Array(3) })).rejects.toThrow('no run.json');
  });
});
