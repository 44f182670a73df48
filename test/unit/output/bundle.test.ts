/** Bundles: whole or refused by name, the same bytes for the same run, and held against bit for bit or by their statistics. */
import { beforeAll, describe, expect, it } from 'vitest';
import { packBundle, unpackBundle } from '../../../app/bundle/bundle-file.ts';
import {
  createBundle,
  createExperiment,
  createMemoryStorage,
  createReferenceBackend,
  createRunFolder,
  extentOf,
  judgeReproduction,
  NO_FILES,
  ScenarioError,
} from '../../../engine/index.ts';
import type { Bundle, BundleFiles, CycleDiagnostics, Place, Storage } from '../../../engine/index.ts';
import { packFiles } from '../../../app/files/zip.ts';
import { tinyScenario } from '../session/scenario.ts';

const CYCLES = 4;
const versions = { shoal: '1' };
const scenario = tinyScenario();
const rows: CycleDiagnostics[] = [];
let folder: Storage;
let files: BundleFiles;
let bundle: Bundle;
let here: Place;

beforeAll(async () => {
  const storage = createMemoryStorage();
  const backend = createReferenceBackend();
  const { name, adapter } = backend;
  here = { backend: { name, adapter }, versions };
  const runFolder = createRunFolder(storage, {
    identity: { scenario, seed: scenario.seed, backend: here.backend },
    versions,
    now: () => new Date(0),
  });
  await runFolder.begin();
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => {
      runFolder.listen(event);
      if (event.type === 'diagnostics') rows.push(event.diagnostics);
    },
  });
  for (let cycle = 0; cycle < CYCLES; cycle++) await experiment.step();
  await runFolder.save(await experiment.checkpoint());
  await runFolder.finish('stopped');
  experiment.dispose();
  backend.dispose();
  folder = storage;
  files = (await createBundle(storage)) ?? {};
  bundle = await unpackBundle(packBundle(files), 'run.shoal');
});

const none = (): Promise<undefined> => Promise.resolve(undefined);
const elsewhere = (): Place => ({ ...here, backend: { name: 'wasm', adapter: 'another' } });

/** The rows, those of a method from a cycle on with other errors. */
function changed(factor: number, method: string, from: number): CycleDiagnostics[] {
  const scaled = (values: CycleDiagnostics['rmse']['analysis']): Record<string, number> =>
    Object.fromEntries(Object.entries(values).map(([variable, value]) => [variable, factor * value]));
  return rows.map((row) =>
    row.method === method && row.cycle >= from
      ? { ...row, rmse: { ...row.rmse, analysis: scaled(row.rmse.analysis) } }
      : row,
  );
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** The bundle with another record, and other files beside it. */
function withRecord(change: (record: Record<string, unknown>) => void, others: BundleFiles = {}): Uint8Array {
  const record = JSON.parse(new TextDecoder().decode(files['bundle.json'])) as Record<string, unknown>;
  change(record);
  return packFiles({ ...files, ...others, 'bundle.json': text(JSON.stringify(record)) });
}

describe('a bundle', () => {
  it('has what the run was made of, and the same bytes each time', async () => {
    expect(Object.keys(files)).toEqual(['bundle.json', 'scenario.json', 'expected.csv']);
    expect(bundle.parsed.scenario).toEqual(scenario);
    expect(bundle.record).toMatchObject({
      seed: scenario.seed,
      backend: here.backend,
      versions,
      completedCycles: CYCLES,
    });
    expect(bundle.record.statistics.length).toBeGreaterThan(4);
    expect(packBundle((await createBundle(folder)) ?? {})).toEqual(packBundle(files));
  });

  it.each<[string, () => Uint8Array, string]>([
    ['that is no archive', () => text('no archive'), 'run.shoal: this is not a zip archive that can be read'],
    [
      'that is cut off',
      () => packFiles(files).subarray(0, 900),
      'run.shoal: this is not a zip archive that can be read',
    ],
    [
      'of another kind',
      () => packFiles({ 'a.txt': text('a') }),
      'run.shoal: found no bundle.json; "shoal bundle" makes bundles',
    ],
    [
      'whose rows were changed',
      () => packFiles({ ...files, 'expected.csv': text('method,cycle\n') }),
      'run.shoal: expected.csv: found 13 bytes',
    ],
    [
      'with a file more',
      () => packFiles({ ...files, 'run.sh': text('rm') }),
      'run.shoal: run.sh: found a file that bundle.json does not name',
    ],
    [
      'without its scenario',
      () => packFiles(Object.fromEntries(Object.entries(files).filter(([path]) => path !== 'scenario.json'))),
      'run.shoal: scenario.json: found no such file, the bundle names it',
    ],
    [
      'with a name that leads out of it',
      () => packFiles({ ...files, '../x': text('') }),
      'run.shoal: the archive holds a file named "../x", which leads out of it',
    ],
    [
      'with more cycles than its scenario',
      () => withRecord((record) => (record['completedCycles'] = 1e6)),
      'run.shoal: bundle.json: completedCycles: found 1000000',
    ],
    [
      'of a later format',
      () => withRecord((record) => (record['format'] = 2)),
      'run.shoal: bundle.json:1:11: format: found 2, allowed is 1',
    ],
    [
      'whose statistics are no numbers',
      () => withRecord((record) => (record['statistics'] = [{ method: 'letkf' }])),
      'statistics[0].column: found nothing',
    ],
  ])('%s is refused by name', async (_, make, message) => {
    const reading = unpackBundle(make(), 'run.shoal');
    await expect(reading).rejects.toThrow(ScenarioError);
    await expect(reading).rejects.toThrow(message);
  });

  it('is refused where its rows tell of nothing that a run could miss', async () => {
    const rowsAlone = text('method,cycle\nletkf,0\n');
    const extent = await extentOf(rowsAlone);
    const packed = withRecord(
      (record) => (record['files'] = { ...(record['files'] as object), 'expected.csv': extent }),
      { 'expected.csv': rowsAlone },
    );
    await expect(unpackBundle(packed, 'run.shoal')).rejects.toThrow(
      'run.shoal: expected.csv: found no column rmse_analysis_h',
    );
    const others = withRecord((record) => (record['variables'] = ['h', 'speed']));
    await expect(unpackBundle(others, 'run.shoal')).rejects.toThrow(
      'bundle.json: variables: found h, speed, the scenario',
    );
  });

  it('is not made of a run without a complete cycle', async () => {
    const empty = createMemoryStorage();
    expect(await createBundle(empty)).toBeUndefined();
    await createRunFolder(empty, {
      identity: { scenario, seed: scenario.seed, backend: here.backend },
      versions,
      now: () => new Date(0),
    }).begin();
    await expect(createBundle(empty)).rejects.toThrow('found no complete cycle');
  });
});

describe('what is run again', () => {
  it('is the same bit for bit, whatever time it took', async () => {
    const slower = rows.map((row) => ({ ...row, milliseconds: { forecast: 1e3, analysis: 1e3 } }));
    const found = await judgeReproduction(bundle, slower, here, none);
    expect(found).toMatchObject({ reproduced: true, by: 'bits', first: undefined, rows: rows.length });
  });

  it('is not, where one number of one row has another last bit; and says where first', async () => {
    const [{ method }] = rows;
    const found = await judgeReproduction(bundle, changed(1 + 2 ** -52, method, 2), here, none);
    expect(found).toMatchObject({ reproduced: false, by: 'bits', first: { method, cycle: 2 } });
    expect(found?.first?.column).toMatch(/^rmse_analysis_/);
    const missing = await judgeReproduction(bundle, rows.slice(0, -1), here, none);
    expect(missing).toMatchObject({ reproduced: false, first: { expected: 'a row', found: undefined } });
  });

  it('elsewhere is held to its means: within 1 % where a rounding does not grow', async () => {
    const [{ method }] = rows;
    const near = changed(1.005, method, 0);
    const same = await judgeReproduction(bundle, near, elsewhere(), () => Promise.resolve(near));
    expect(same).toMatchObject({ reproduced: true, by: 'statistics' });
    expect(same?.otherwise[0]).toBe('backend reference, now wasm');
    const far = changed(1.05, method, 0);
    const other = await judgeReproduction(bundle, far, elsewhere(), () => Promise.resolve(far));
    expect(other?.reproduced).toBe(false);
    const failed = other?.statistics.filter(({ passed }) => !passed) ?? [];
    expect(new Set(failed.map((each) => each.method))).toEqual(new Set([method]));
    expect(failed.every(({ tolerance }) => tolerance === 0.01)).toBe(true);
  });

  it('where a rounding grows, may be another draw of the same statistics, but not in its first cycle', async () => {
    const [{ method }] = rows;
    const found = changed(1.02, method, 1);
    const moved = changed(1.1, method, 1);
    const judged = await judgeReproduction(bundle, found, elsewhere(), () => Promise.resolve(moved));
    const means = judged?.statistics.filter((each) => each.method === method && each.to > 1) ?? [];
    expect(means.some(({ tolerance }) => tolerance > 0.02)).toBe(true);
    const beginning = judged?.statistics.filter(({ to }) => to === 1) ?? [];
    expect(beginning.every(({ tolerance }) => tolerance === 0.01)).toBe(true);
    expect(await judgeReproduction(bundle, found, elsewhere(), none)).toBeUndefined();
  });
});
