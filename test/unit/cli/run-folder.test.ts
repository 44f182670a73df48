import { describe, expect, it } from 'vitest';
import {
  createMemoryStorage,
  createRunFolder,
  describeDifference,
  readRun,
  readRunCheckpoint,
  readRunToContinue,
  ScenarioError,
} from '../../../engine/index.ts';
import type { Ceilings, CycleDiagnostics, ExperimentEvent, RunIdentity, Storage } from '../../../engine/index.ts';
import { parseScenario } from '../../../engine/index.ts';
import { readText } from '../../../engine/output/stored-files.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

const { scenario } = parseScenario(
  '{"version": 3, "name": "small", "experiment": {"cycles": 3, "spinup": 0}}',
  'small.json',
);
const identity: RunIdentity = { scenario, seed: 1, backend: { name: 'reference', adapter: 'JavaScript' } };

function row(method: string, cycle: number): CycleDiagnostics {
  return diagnosticsRow(method, cycle, { h: 0.1 + cycle, hu: 1 / 3 });
}

const START: ExperimentEvent = {
  type: 'start',
  scenario: 'small',
  seed: 1,
  backend: identity.backend,
  methods: [
    { label: 'free-run', kind: 'free-run', members: 4 },
    { label: 'letkf', kind: 'letkf', members: 4 },
  ],
  variables: ['h', 'hu'],
  cycles: 3,
  firstCycle: 0,
  memoryBytes: 1,
};

function cycleOf(cycle: number): ExperimentEvent[] {
  const sample = { name: 'step', begin: 0, microseconds: 10, clock: 'wall', bytes: 1000, flops: 500 } as const;
  return [
    { type: 'kernel', cycle, sample },
    { type: 'diagnostics', diagnostics: row('free-run', cycle) },
    { type: 'diagnostics', diagnostics: row('letkf', cycle) },
    { type: 'cycle', cycle, cycles: 3 },
  ];
}

const CEILINGS: Ceilings = {
  copyGigabytesPerSecond: 2,
  fmaGigaflopsPerSecond: 4,
  dispatchMicroseconds: 0.5,
  clock: 'wall',
  tickMicroseconds: 0.125,
};

function clock(): () => Date {
  let seconds = 0;
  return () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++));
}

const checkpoint = {
  cycle: 2,
  fingerprint: 'f',
  arrays: { truth: Float64Array.of(0.1, -0, 1e-310), 'method.letkf': Float64Array.of(1 / 3) },
};

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.[\](){}*+?^$|\\]/g, String.raw`\$&`)}$`);
}

/** Makes a folder one of format 1, which said nothing of how far its files belong to the run. */
async function makeOld(storage: Storage): Promise<void> {
  const { files: _files, ...record } = JSON.parse((await readText(storage, 'run.json')) ?? '');
  await storage.writeWhole('run.json', JSON.stringify({ ...record, format: 1 }));
}

describe('a run folder', () => {
  it('keeps rows, kernels and checkpoint exactly', async () => {
    const storage = createMemoryStorage();
    const folder = createRunFolder(storage, { identity, versions: { shoal: '1' }, now: clock() });
    for (const event of [START, ...cycleOf(0), ...cycleOf(1)]) folder.listen(event);
    await folder.save(checkpoint);
    const stored = await readRun(storage);
    expect(stored?.record).toMatchObject({ state: 'running', completedCycles: 2, seed: 1, variables: ['h', 'hu'] });
    expect(stored?.rows).toEqual([row('free-run', 0), row('letkf', 0), row('free-run', 1), row('letkf', 1)]);
    expect(await readRunCheckpoint(storage)).toEqual(checkpoint);
  });

  it('continues from the checkpoint: what came after it is run again', async () => {
    const storage = createMemoryStorage();
    const first = createRunFolder(storage, { identity, versions: {}, now: clock() });
    for (const event of [START, ...cycleOf(0), ...cycleOf(1)]) first.listen(event);
    await first.save(checkpoint);
    for (const event of cycleOf(2)) first.listen(event);
    await first.finish('stopped');
    const continued = await readRunToContinue(storage, scenario);
    if (!continued) throw new Error('nothing was stored');
    expect(continued.record.state).toBe('stopped');
    expect(continued.checkpoint).toEqual(checkpoint);
    const second = createRunFolder(storage, { identity, versions: {}, now: clock(), continued });
    await second.begin();
    for (const event of cycleOf(2)) second.listen(event);
    await second.finish('complete');
    const whole = await readRun(storage);
    expect(whole?.rows.map(({ method, cycle }) => `${method} ${cycle}`)).toEqual([
      'free-run 0',
      'letkf 0',
      'free-run 1',
      'letkf 1',
      'free-run 2',
      'letkf 2',
    ]);
    expect(whole?.kernels.records.map(({ cycle }) => cycle)).toEqual([0, 1, 2]);
    expect(whole?.kernels.totals).toMatchObject({ cycles: 3, kernels: [{ name: 'step', calls: 3, bytes: 3000 }] });
    expect(whole?.record).toMatchObject({ state: 'complete', completedCycles: 3, resumed: [expect.any(String)] });
  });

  it('omits a cycle of which only some methods are done', async () => {
    const storage = createMemoryStorage();
    const folder = createRunFolder(storage, { identity, versions: {}, now: clock() });
    for (const event of [START, ...cycleOf(0), ...cycleOf(1).slice(0, 2)]) folder.listen(event);
    await folder.finish('stopped', 'Ctrl-C');
    expect((await readRun(storage))?.rows).toHaveLength(2);
    expect((await readRun(storage))?.record.reason).toBe('Ctrl-C');
  });

  it('keeps one checkpoint, and the earlier one until the next is whole', async () => {
    const storage = createMemoryStorage();
    const folder = createRunFolder(storage, { identity, versions: {}, now: clock() });
    folder.listen(START);
    await folder.save(checkpoint);
    const failing = {
      ...storage,
      writeWhole: (path: string, content: Uint8Array | string) =>
        path === 'checkpoint.json' ? Promise.reject(new Error('disk full')) : storage.writeWhole(path, content),
    };
    const unlucky = createRunFolder(failing, { identity, versions: {}, now: clock() });
    unlucky.listen(START);
    await expect(unlucky.save({ ...checkpoint, cycle: 3 })).rejects.toThrow('disk full');
    expect((await readRunCheckpoint(storage))?.cycle).toBe(2);
    await folder.save({ ...checkpoint, cycle: 4 });
    expect(await storage.list('checkpoint')).toEqual(['4']);
  });

  it('names the first difference from another run', () => {
    expect(describeDifference(identity, structuredClone(identity))).toBeUndefined();
    expect(describeDifference(identity, { ...identity, backend: { name: 'webgpu', adapter: 'x' } })).toContain(
      'backend.name is "reference" in the folder, "webgpu" now',
    );
    expect(describeDifference(identity, { ...identity, selected: ['letkf'] })).toContain('selected is absent');
    const other = structuredClone(scenario);
    Object.assign(other.grid, { nx: 128 });
    expect(describeDifference(identity, { ...identity, scenario: other })).toContain('scenario.grid.nx is 64');
  });

  it('of a scenario of version 2 is the same run as its scenario now', async () => {
    const storage = createMemoryStorage();
    const folder = createRunFolder(storage, { identity, versions: {}, now: clock() });
    for (const event of [START, ...cycleOf(0)]) folder.listen(event);
    await folder.finish('stopped');
    const written = (await readText(storage, 'run.json')) ?? '';
    const former = written
      .replace('"version": 3', '"version": 2')
      .replaceAll('"localisation"', '"localization"')
      .replaceAll('"normalised"', '"normalized"');
    expect(former).toContain('"localization"');
    await storage.writeWhole('run.json', former);
    const run = await readRun(storage);
    expect(run?.record.scenario).toEqual(scenario);
    expect(run && describeDifference(run.record, identity)).toBeUndefined();
    expect((await readRunToContinue(storage, scenario))?.record.state).toBe('stopped');
  });

  it('has the kernels of the whole run beside the ceilings of the machine', async () => {
    const storage = createMemoryStorage();
    const folder = createRunFolder(storage, { identity, versions: {}, now: clock() });
    for (const event of [START, { type: 'ceilings', ...CEILINGS } as const, ...cycleOf(0), ...cycleOf(1)]) {
      folder.listen(event);
    }
    await folder.finish('stopped');
    const file = JSON.parse(new TextDecoder().decode(await storage.read('kernel-totals.json')));
    expect(file).toEqual({
      format: 1,
      cycles: 2,
      ceilings: CEILINGS,
      kernels: [
        {
          name: 'step',
          calls: 2,
          meanMicroseconds: 10,
          totalMicroseconds: 20,
          minimumMicroseconds: 10,
          maximumMicroseconds: 10,
          clock: 'wall',
          bytes: 2000,
          flops: 1000,
          gigabytesPerSecond: 0.1,
          gigaflopsPerSecond: 0.05,
          bound: 'bandwidth',
          fractionOfCeiling: 0.05,
          workgroup: null,
        },
      ],
    });
    expect((await readRun(storage))?.kernels).toMatchObject({ ceilings: CEILINGS, totals: { cycles: 2 } });
  });

  it('reads a folder from before totals were kept: they are those of its records', async () => {
    const storage = createMemoryStorage();
    const folder = createRunFolder(storage, { identity, versions: {}, now: clock() });
    for (const event of [START, ...cycleOf(0), ...cycleOf(1)]) folder.listen(event);
    await folder.finish('stopped');
    const old = ['step', 'analysis'].map((name) =>
      JSON.stringify({
        cycle: 1,
        name,
        backend: 'reference',
        grid: [64, 64],
        calls: 2,
        medianMicroseconds: 4,
        totalMicroseconds: 8,
        clock: 'wall',
        bytes: 6,
        flops: 2,
        gigabytesPerSecond: 0,
        gigaflopsPerSecond: 0,
        workgroup: null,
        fractionOfCeiling: null,
      }),
    );
    await storage.writeWhole('kernels.ndjson', `${old.join('\n')}\n`);
    await storage.remove('kernel-totals.json');
    await makeOld(storage);
    expect((await readRun(storage))?.kernels).toMatchObject({
      ceilings: undefined,
      totals: { cycles: 1, kernels: [{ name: 'step', calls: 2, minimumMicroseconds: 4 }, { name: 'analysis' }] },
    });
    await storage.remove('kernels.ndjson');
    expect((await readRun(storage))?.kernels.totals).toEqual({ cycles: 0, kernels: [] });
  });

  it.each([
    ['run.json', (text: string) => text.slice(0, 40), /^run\.json:\d+:\d+: not JSON/],
    [
      'run.json',
      (text: string) => text.replace('"format": 2', '"format": 7'),
      exactly('run.json:2:13: format: found 7, allowed: 1 or 2'),
    ],
    ['run.json', () => '[]', exactly('run.json:1:1: found [], allowed: an object')],
    [
      'diagnostics.csv',
      (text: string) => text.replace(/^letkf,0/m, 'letkf,first'),
      exactly('diagnostics.csv: line 3: cycle: found "first", allowed: a whole number of at least 0'),
    ],
    [
      'diagnostics.csv',
      (text: string) => text.replace(/\n[^\n]*\n$/, '\nletkf,1,0.5\n'),
      /^diagnostics\.csv: line 5: found 3 columns, the header has \d+$/,
    ],
    [
      'kernels.ndjson',
      (text: string) => text.replace('"cycle":1,"name":"step"', '"cycle":-1,"name":"st"'),
      exactly('kernels.ndjson:2: cycle: found -1, allowed: a whole number of at least 0'),
    ],
    [
      'kernels.ndjson',
      (text: string) => text.replace('}\n{', '?\n{'),
      /^kernels\.ndjson:1: found "\{.*….*", allowed: one JSON object a line$/,
    ],
    ['kernels.ndjson', (text: string) => text.slice(0, -20), /^kernels\.ndjson: found \d+ bytes, \d+ were written$/],
    [
      'diagnostics.csv',
      (text: string) => text.replace('0.125', '0.126'),
      exactly('diagnostics.csv: its content is not what was written (checksum)'),
    ],
    [
      'kernel-totals.json',
      (text: string) => text.replace('"calls": 2', '"calls": "many"'),
      exactly('kernel-totals.json:8:16: kernels[0].calls: found "many", allowed: a whole number of at least 1'),
    ],
    [
      'kernel-totals.json',
      (text: string) => text.replace('"clock": "wall"', '"clock": "sun"'),
      /^kernel-totals\.json:\d+:\d+: kernels\[0\]\.clock: found "sun", allowed: "device" or "wall"$/,
    ],
    [
      'kernel-totals.json',
      (text: string) => text.replace('"ceilings": null', '"ceilings": {"copyGigabytesPerSecond": 0}'),
      /^kernel-totals\.json:4:42: ceilings\.copyGigabytesPerSecond: found 0, allowed: a number above 0\n/,
    ],
  ])('names file, place, what was found and what is allowed in a broken %s', async (name, breakIt, message) => {
    const storage = createMemoryStorage();
    const folder = createRunFolder(storage, { identity, versions: {}, now: clock() });
    for (const event of [START, ...cycleOf(0), ...cycleOf(1)]) folder.listen(event);
    await folder.finish('stopped');
    const whole = new TextDecoder().decode(await storage.read(name));
    const broken = breakIt(whole);
    expect(broken).not.toBe(whole);
    await storage.writeWhole(name, broken);
    const error = await readRun(storage).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScenarioError);
    expect((error as Error).message).toMatch(message);
  });
});
