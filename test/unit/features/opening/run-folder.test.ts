import { describe, expect, it } from 'vitest';
import { readRunFolder } from '../../../../app/features/reading/reading-service.ts';
import { runFolderFiles } from '../../../../app/document/run/save-run.ts';
import { NO_KERNELS, NO_TRACE, createMemoryStorage, readRunCheckpoint } from '../../../../engine/index.ts';
import type { Ceilings } from '../../../../engine/index.ts';
import {
  KERNEL_CYCLES,
  NOTHING_RUN,
  withKernels,
  createRunTrace,
  typicalWork,
} from '../../../../app/document/run/run-kernels.ts';
import { completeEvents, readTraceText } from '../../../setup/trace.ts';
import { diagnosticsOf, infoOf, scenarioOf } from '../../document/run/fake-run.ts';

const CEILINGS: Ceilings = {
  copyGigabytesPerSecond: 10,
  fmaGigaflopsPerSecond: 20,
  dispatchMicroseconds: 0.25,
  clock: 'wall',
  tickMicroseconds: 5,
};
const NONE = {
  kernels: { totals: NO_KERNELS, recent: [], ceilings: undefined },
  trace: NO_TRACE,
  ceilings: undefined,
  files: {},
  times: { start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T00:01:00.000Z', resumed: [] },
  failure: undefined,
  divergences: [],
};

describe('a run folder', () => {
  const scenario = scenarioOf(4);
  const diagnostics = new Map(
    ['free-run', 'letkf'].map((method) => [method, [0, 1].map((cycle) => diagnosticsOf(method, cycle))]),
  );

  it('opens as what was saved', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1, 2, 3]) }, fingerprint: 'f' };
    let kernels = NOTHING_RUN;
    const sample = { name: 'step', begin: 0, clock: 'wall', bytes: 8, flops: 2 } as const;
    for (let each = 0; each < KERNEL_CYCLES + 20; each += 1)
      kernels = withKernels(kernels, each, [{ ...sample, microseconds: 500 + each }]);
    const results = {
      ...NONE,
      info: infoOf(scenario),
      diagnostics,
      kernels,
      ceilings: CEILINGS,
      checkpoint,
    };
    const files = await runFolderFiles(results);
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
    expect(opened.kernels.totals).toStrictEqual(kernels.totals);
    expect(opened.kernels.ceilings).toStrictEqual(CEILINGS);
    expect(opened.kernels.recent.map((each) => each.cycle)).toStrictEqual(kernels.recent.map((each) => each.cycle));
    expect(opened.kernels.recent[0].timings[0]).toMatchObject(kernels.recent[0].timings[0]);
    const [line] = new TextDecoder().decode(files['kernels.ndjson']).split('\n');
    expect(JSON.parse(line)).toMatchObject({ cycle: 20, backend: 'reference', grid: [4, 4], bound: 'bandwidth' });
  });

  it('has the trace of what was done, and continues in it as far as its checkpoint', async () => {
    const run = createRunTrace();
    run.beginTrace(NONE.times.start);
    const nothing = {
      waits: 1,
      submissions: 2,
      dispatches: 3,
      uploads: 0,
      uploadedBytes: 0,
      readbacks: 0,
      readBytes: 0,
    };
    for (const cycle of [0, 1, 2]) {
      const spans = [{ part: 'cycle', cycle, begin: 10 * cycle, milliseconds: 8, bytes: 0 }] as const;
      const origin = Date.parse(NONE.times.start);
      run.addTrace({ cycle, origin, at: 10 * cycle + 9, spans, counts: nothing, clockErrorMicroseconds: 0 }, []);
    }
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1, 2, 3]) }, fingerprint: 'f' };
    const trace = run.storedTrace();
    const files = await runFolderFiles({ ...NONE, info: infoOf(scenario), diagnostics, checkpoint, trace });
    const written = readTraceText(new TextDecoder().decode(files['trace.json']), 60_000);
    expect(completeEvents(written).map(({ name }) => name)).toEqual(['cycle 0', 'cycle 1', 'cycle 2']);
    const opened = await readRunFolder(files);
    expect(opened.trace.cycles).toEqual(trace.cycles.slice(0, 2));
    expect(typicalWork(run.work.value)).toEqual(nothing);
  });

  it('carries the files that its scenario names', async () => {
    const bathymetry = { kind: 'file', file: 'beds/bed.npy' };
    const withBed = scenarioOf(4, { model: { bathymetry } });
    const bed = new TextEncoder().encode('the bytes of an array');
    const results = { ...NONE, info: infoOf(withBed), diagnostics, checkpoint: undefined };
    const files = { ...(await runFolderFiles({ ...results, files: { 'beds/bed.npy': bed } })) };
    expect(files['scenario-files/beds/bed.npy']).toStrictEqual(bed);
    await expect(readRunFolder(files)).resolves.toMatchObject({ files: { 'beds/bed.npy': bed } });
    files['scenario-files/beds/bed.npy'] = bed.with(3, 0);
    await expect(readRunFolder(files)).rejects.toThrow(
      'scenario-files/beds/bed.npy: its content is not what was written',
    );
    delete files['scenario-files/beds/bed.npy'];
    await expect(readRunFolder(files)).rejects.toThrow('the run folder has no copy of this file');
  });

  it('says when it began and ended, and why it cannot continue', async () => {
    const results = { ...NONE, info: infoOf(scenario), diagnostics, checkpoint: undefined };
    const files = await runFolderFiles({
      ...results,
      failure: { message: 'h became NaN at step 3', recoverable: false },
    });
    expect(JSON.parse(new TextDecoder().decode(files['run.json']))).toMatchObject({
      state: 'failed',
      reason: 'h became NaN at step 3',
      start: NONE.times.start,
      end: NONE.times.end,
    });
    await expect(readRunFolder(files)).resolves.toMatchObject({ times: NONE.times });
    const failure = { message: 'The truth diverged', recoverable: false, diverged: true } as const;
    const ofTruth = await runFolderFiles({ ...results, failure });
    expect(JSON.parse(new TextDecoder().decode(ofTruth['run.json']))).toMatchObject({
      state: 'diverged',
      reason: failure.message,
    });
  });

  it('says what was dropped, and why', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const files = { ...(await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint })) };
    expect((await readRunFolder(files)).remarks).toStrictEqual([]);
    const change = (from: string, to: string): Uint8Array =>
      new TextEncoder().encode(new TextDecoder().decode(files['run.json']).replace(from, to));
    const older = { ...files, 'run.json': change('"shoal": "', '"shoal": "0.0.') };
    const opened = await readRunFolder(older);
    expect(opened.checkpoint).toBeUndefined();
    expect(opened.remarks).toStrictEqual([
      expect.stringMatching(/^The run restarts when it is played: it was begun by Shoal 0\.0\./),
    ]);
    files['checkpoint/2/0.npy'] = files['checkpoint/2/0.npy'].with(100, 1);
    const damaged = await readRunFolder(files);
    expect(damaged.checkpoint).toBeUndefined();
    expect(damaged.remarks[0]).toContain('checkpoint/2/0.npy: its content is not what was written (checksum)');
  });

  it('opens without its checkpoint', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const files = { ...(await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint })) };
    delete files['checkpoint/2/0.npy'];
    const opened = await readRunFolder(files);
    expect(opened.checkpoint).toBeUndefined();
    expect(opened.remarks).toHaveLength(1);
    expect(opened.remarks[0]).toMatch(/^The run restarts when it is played: .*checkpoint/);
  });

  it('of an earlier version shows its results, and continues from nowhere', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const files = { ...(await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint })) };
    const record = JSON.parse(new TextDecoder().decode(files['run.json'])) as { scenario: object };
    const former = { ...record, scenario: { ...record.scenario, version: 1 } };
    files['run.json'] = new TextEncoder().encode(JSON.stringify(former));
    const opened = await readRunFolder(files);
    expect(opened).toMatchObject({
      parsed: { scenario: { version: 3 } },
      checkpoint: undefined,
      remarks: ['The run restarts when it is played: its scenario is of an earlier version'],
    });
    expect(opened.rows).toHaveLength(4);
  });

  it('holds the cycles that there are, of a run that continues in another page', async () => {
    const later = new Map(
      ['free-run', 'letkf'].map((method) => [method, [2, 3].map((cycle) => diagnosticsOf(method, cycle))]),
    );
    const files = await runFolderFiles({ info: infoOf(scenario), diagnostics: later, ...NONE, checkpoint: undefined });
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
    const whole = await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint });
    const index = JSON.parse(new TextDecoder().decode(whole['checkpoint.json']));
    index.arrays.truth.file = '../elsewhere.npy';
    const storage = createMemoryStorage();
    await storage.writeWhole('checkpoint.json', JSON.stringify(index));
    await storage.writeWhole('../elsewhere.npy', whole['checkpoint/2/0.npy']);
    await expect(readRunCheckpoint(storage)).rejects.toThrow(
      'checkpoint.json: arrays.truth.file: allowed: checkpoint/',
    );
    for (const [broken, told] of [
      ['{', 'not JSON'],
      ['null', 'checkpoint.json: '],
      ['{"format": 2, "cycle": -1}', 'checkpoint.json: cycle: '],
      ['{"cycle": 1}', 'of an earlier version of run folders'],
    ]) {
      await storage.writeWhole('checkpoint.json', broken);
      await expect(readRunCheckpoint(storage)).rejects.toThrow(told);
    }
  });

  it('opens without its kernels, as it was before totals were kept, and not with broken ones', async () => {
    const checkpoint = { cycle: 2, arrays: { truth: new Float64Array([1]) }, fingerprint: 'f' };
    const files = { ...(await runFolderFiles({ info: infoOf(scenario), diagnostics, ...NONE, checkpoint })) };
    files['kernel-totals.json'] = new TextEncoder().encode('{ "format": 1, "cycles": 3');
    await expect(readRunFolder(files)).rejects.toThrow(/^kernel-totals\.json:1:\d+: not JSON/);
    delete files['kernel-totals.json'];
    await expect(readRunFolder(files)).resolves.toMatchObject({ kernels: NONE.kernels });
    delete files['kernels.ndjson'];
    await expect(readRunFolder(files)).resolves.toMatchObject({ kernels: NONE.kernels });
  });

  it('is distinguished from any other folder', async () => {
    await expect(readRunFolder({ 'notes.txt': new Uint8Array(3) })).rejects.toThrow('no run.json');
  });
});
