import { describe, expect, it } from 'vitest';
import { readRunFolder } from '../../../../app/renderer/state/open-run.ts';
import { runFolderFiles } from '../../../../app/renderer/state/save-run.ts';
import { NO_KERNELS, createMemoryStorage, readRunCheckpoint } from '../../../../engine/index.ts';
import type { Ceilings } from '../../../../engine/index.ts';
import { KERNEL_CYCLES, addKernels, clearRun, kernels } from '../../../../app/renderer/state/session-state.ts';
import { diagnosticsOf, infoOf, scenarioOf } from './fake-run.ts';

const now = (): Date => new Date(0);
const CEILINGS: Ceilings = {
  copyGigabytesPerSecond: 10,
  fmaGigaflopsPerSecond: 20,
  dispatchMicroseconds: 0.25,
  clock: 'wall',
  tickMicroseconds: 5,
};
const NONE = { kernels: { totals: NO_KERNELS, recent: [], ceilings: undefined }, ceilings: undefined };

describe('a run folder', () => {
  const scenario = scenarioOf(4);
  const diagnostics = new Map(
    ['free-run', 'letkf'].map((method) => [method, [0, 1].map((cycle) => diagnosticsOf(method, cycle))]),
  );

  it('opens as what was saved', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1, 2, 3]) }, fingerprint: 'f' };
    clearRun();
    const sample = { name: 'step', clock: 'wall', bytes: 8, flops: 2 } as const;
    for (let each = 0; each < KERNEL_CYCLES + 20; each += 1)
      addKernels(each, [{ ...sample, microseconds: 500 + each }]);
    const results = { info: infoOf(scenario), diagnostics, kernels: kernels.value, ceilings: CEILINGS, checkpoint };
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
    expect(opened.kernels.totals).toStrictEqual(kernels.value.totals);
    expect(opened.kernels.ceilings).toStrictEqual(CEILINGS);
    expect(opened.kernels.recent.map((each) => each.cycle)).toStrictEqual(
      kernels.value.recent.map((each) => each.cycle),
    );
    expect(opened.kernels.recent[0].timings[0]).toMatchObject(kernels.value.recent[0].timings[0]);
    const [line] = new TextDecoder().decode(files['kernels.ndjson']).split('\n');
    expect(JSON.parse(line)).toMatchObject({ cycle: 20, backend: 'reference', grid: [4, 4], bound: 'bandwidth' });
  });

  it('opens without its checkpoint', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const files = { ...(await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint }, now)) };
    delete files['checkpoint/2/0.npy'];
    await expect(readRunFolder(files)).resolves.toMatchObject({ checkpoint: undefined });
  });

  it('holds the cycles that there are, of a run that goes on in another page', async () => {
    const later = new Map(
      ['free-run', 'letkf'].map((method) => [method, [2, 3].map((cycle) => diagnosticsOf(method, cycle))]),
    );
    const files = await runFolderFiles(
      { info: infoOf(scenario), diagnostics: later, ...NONE, checkpoint: undefined },
      now,
    );
    const { rows } = await readRunFolder(files);
    expect(rows.map(({ method, cycle }) => `${method} ${cycle}`)).toStrictEqual([
      'free-run 2',
      'letkf 2',
      'free-run 3',
      'letkf 3',
    ]);
    expect(JSON.parse(new TextDecoder().decode(files['run.json']))).toMatchObject({
      state: 'complete',
      completedCycles: 4,
    });
  });

  it('does not reach for arrays outside of it', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const whole = await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint }, now);
    const index = { cycle: 2, fingerprint: 'f', arrays: { truth: '../elsewhere.npy' } };
    const storage = createMemoryStorage();
    await storage.writeWhole('checkpoint.json', JSON.stringify(index));
    await storage.writeWhole('../elsewhere.npy', whole['checkpoint/2/0.npy']);
    await expect(readRunCheckpoint(storage)).rejects.toThrow('checkpoint.json: arrays.truth: allowed is checkpoint/');
    for (const [broken, told] of [
      ['{', 'not JSON'],
      ['null', 'checkpoint.json: '],
      ['{"cycle": -1}', 'checkpoint.json: cycle: '],
    ]) {
      await storage.writeWhole('checkpoint.json', broken);
      await expect(readRunCheckpoint(storage)).rejects.toThrow(told);
    }
  });

  it('opens without its kernels, as it was before totals were kept, and not with broken ones', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const files = { ...(await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint }, now)) };
    files['kernel-totals.json'] = new TextEncoder().encode('{ "format": 1, "cycles": 3');
    await expect(readRunFolder(files)).rejects.toThrow(/^kernel-totals\.json:1:\d+: not JSON/);
    delete files['kernel-totals.json'];
    await expect(readRunFolder(files)).resolves.toMatchObject({ kernels: NONE.kernels });
    delete files['kernels.ndjson'];
    await expect(readRunFolder(files)).resolves.toMatchObject({ kernels: NONE.kernels });
  });

  it('is told from any other folder', async () => {
    await expect(readRunFolder({ 'notes.txt': new Uint8Array(3) })).rejects.toThrow('no run.json');
  });
});
