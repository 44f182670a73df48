/** Bundles: whole or refused by name, the same bytes for the same run, and held against bit for bit or by their statistics. */
import { beforeAll, describe, expect, it } from 'vitest';
import { packBundle, unpackBundle } from '../../../app/bundle/bundle-file.ts';
import { describeReproduction } from '../../../app/cli/commands/reproduce.ts';
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
import { parseRows } from '../../../engine/output/bundle/statistics.ts';
import { statedMeans } from '../../../engine/output/bundle/record.ts';
import { ARCHIVE_BOUNDS, packFiles, unpackFolder } from '../../../app/files/zip.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

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

const again = (): Promise<CycleDiagnostics[]> => Promise.resolve(rows);
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
      'run.shoal: bundle.json:1:11: format: found 2, allowed: 1',
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

  it('is refused where its rows report nothing that a run could miss', async () => {
    const rowsAlone = text('method,cycle\nletkf,0\n');
    const extent = await extentOf(rowsAlone);
    const packed = withRecord(
      (record) => (record['files'] = { ...(record['files'] as object), 'expected.csv': extent }),
      { 'expected.csv': rowsAlone },
    );
    await expect(unpackBundle(packed, 'run.shoal')).rejects.toThrow(
      'run.shoal: expected.csv: found no column rmse_forecast_h',
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
    expect(same).toMatchObject({ reproduced: true, by: 'statistics', decided: true });
    expect(same?.otherwise[0]).toBe('backend reference, now wasm');
    const far = changed(1.05, method, 0);
    const other = await judgeReproduction(bundle, far, elsewhere(), () => Promise.resolve(far));
    expect(other).toMatchObject({ reproduced: false, decided: true });
    const failed = other?.statistics.filter(({ verdict }) => verdict === 'failed') ?? [];
    expect(new Set(failed.map((each) => each.method))).toEqual(new Set([method]));
    expect(failed.every(({ tolerance }) => tolerance === 0.01)).toBe(true);
    // Each method has an error of each variable, before and after the analysis; no rounding has grown, so that one mean is that of all cycles.
    const kinds = new Set(rows.map((row) => row.method)).size * bundle.record.variables.length * 2;
    expect(other?.statistics.filter(({ column }) => /^rmse_(?:forecast|analysis)_/.test(column))).toHaveLength(kinds);
  });

  it('where a rounding grows, may be another draw of the same statistics, but not before it has grown', async () => {
    const [{ method }] = rows;
    const found = changed(1.02, method, 1);
    const moved = (draw: number): Promise<CycleDiagnostics[]> =>
      Promise.resolve(changed(1.02 + 0.005 * (draw % 3), method, 1));
    const judged = await judgeReproduction(bundle, found, elsewhere(), moved);
    expect(judged).toMatchObject({ reproduced: true, decided: true });
    const means = judged?.statistics.filter((each) => each.method === method && each.to === CYCLES) ?? [];
    expect(means.some(({ tolerance }) => tolerance > 0.02 && tolerance < 0.25)).toBe(true);
    const beginning = judged?.statistics.filter(({ to }) => to === 1) ?? [];
    expect(beginning.every(({ tolerance }) => tolerance === 0.01)).toBe(true);
    expect(await judgeReproduction(bundle, found, elsewhere(), none)).toBeUndefined();
    const early = await judgeReproduction(bundle, changed(1.02, method, 0), elsewhere(), moved);
    expect(early?.reproduced).toBe(false);
  });

  it('is undecided, and no success, if the runs differ more than a comparison can bear', async () => {
    const [{ method }] = rows;
    const draws: number[] = [];
    const wild = await judgeReproduction(bundle, changed(1.02, method, 1), elsewhere(), (draw) => {
      draws.push(draw);
      return Promise.resolve(changed(draw % 2 === 0 ? 0.5 : 2, method, 1));
    });
    expect(draws).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(wild).toMatchObject({ reproduced: false, by: 'statistics', decided: false });
    if (!wild) throw new Error('nothing was judged');
    expect(describeReproduction(wild, { completed: CYCLES, of: CYCLES }, false)[0]).toMatch(
      /^\? not enough cycles to compare by statistics/,
    );
  });
});

/** A bundle whose rows, record and checksums were written by somebody who wants other results believed. */
async function forged(
  change: (cells: Record<string, string>, cycle: number) => Record<string, string> | undefined,
  record: (record: Record<string, unknown>) => void = () => undefined,
): Promise<Uint8Array> {
  const [header, ...lines] = new TextDecoder().decode(files['expected.csv']).trimEnd().split('\n');
  const names = header.split(',');
  const changedLines = lines.flatMap((line) => {
    const cells = Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell]));
    const made = change(cells, Number(cells['cycle']));
    return made ? [names.map((name) => made[name]).join(',')] : [];
  });
  const csv = text(`${[header, ...changedLines].join('\n')}\n`);
  const extent = await extentOf(csv);
  return withRecord(
    (each) => {
      each['versions'] = { shoal: '0.0.9' };
      each['files'] = { ...(each['files'] as object), 'expected.csv': extent };
      record(each);
    },
    { 'expected.csv': csv },
  );
}

/** The same rows with another record. */
const forgedRecord = (record: (record: Record<string, unknown>) => void) => () => forged((cells) => cells, record);

/** States the means that follow from the rows, as whoever forges would. */
function withItsMeans(make: (cells: Record<string, string>, cycle: number) => Record<string, string> | undefined) {
  return async (): Promise<Bundle> => {
    const packed = await forged(make, (record) => (record['statistics'] = []));
    const opened = unpackFolder(packed, ARCHIVE_BOUNDS);
    const rowsNow = parseRows(new TextDecoder().decode(opened['expected.csv']), 'expected.csv');
    const means = statedMeans(rowsNow, { cycles: CYCLES, spinup: scenario.experiment.spinup });
    return unpackBundle(await forged(make, (record) => (record['statistics'] = means)), 'run.shoal');
  };
}

function scaled(cells: Record<string, string>, pattern: RegExp, factor: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [
      name,
      pattern.test(name) && cell ? String(factor * Number(cell)) : cell,
    ]),
  );
}

describe('a forged bundle', () => {
  it.each<[string, (cells: Record<string, string>, cycle: number) => Record<string, string> | undefined]>([
    ['a hundredth of each error', (cells) => scaled(cells, /^rmse/, 0.01)],
    ['errors that are 3 % smaller', (cells) => scaled(cells, /^rmse/, 0.97)],
    [
      'smaller errors after the first cycle',
      (cells, cycle) => (cycle > 0 ? scaled(cells, /^rmse_analysis/, 0.5) : cells),
    ],
    ['a spread of its own', (cells) => scaled(cells, /^spread/, 2)],
    ['a better CRPS', (cells) => scaled(cells, /^crps/, 0.5)],
    ['one method less', (cells) => (cells['method'] === rows[0].method ? undefined : cells)],
    [
      'a method that ends early',
      (cells, cycle) => (cells['method'] === rows[0].method && cycle > 1 ? undefined : cells),
    ],
    ['spreads that are missing', (cells, cycle) => (cycle > 0 ? { ...cells, spread_analysis_h: 'NaN' } : cells)],
  ])('with %s is not reproduced, whatever versions it claims', async (_, change) => {
    const read = await withItsMeans(change)();
    const judged = await judgeReproduction(read, rows, here, again);
    expect(judged).toMatchObject({ reproduced: false, by: 'statistics', decided: true });
  });

  it.each<[string, () => Promise<Uint8Array>, string]>([
    ['other means than its rows', () => forged((cells) => scaled(cells, /^rmse/, 0.01)), 'statistics[0].mean: found'],
    [
      'fewer means than its rows',
      forgedRecord((record) => (record['statistics'] = (record['statistics'] as unknown[]).slice(0, 1))),
      'statistics: found 1 means, expected.csv has',
    ],
    [
      'a tolerance that lets everything pass',
      forgedRecord(
        (record) =>
          (record['statistics'] = (record['statistics'] as object[]).map((each) => ({
            ...each,
            toleranceOfDraws: 1e9,
          }))),
      ),
      'statistics[0].toleranceOfDraws: found 1000000000, allowed: a number above 0, at most 0.25',
    ],
    [
      'another seed than its scenario',
      forgedRecord((record) => (record['seed'] = scenario.seed + 1)),
      `bundle.json: seed: found ${scenario.seed + 1}, the scenario has ${scenario.seed}`,
    ],
    [
      'no method selected',
      forgedRecord((record) => (record['selected'] = [])),
      'selected: found no method, allowed: one at least',
    ],
    [
      'a method selected that the scenario does not have',
      forgedRecord((record) => (record['selected'] = ['magic'])),
      'selected: found "magic", the scenario has the methods',
    ],
    [
      'rows of a method that was not selected',
      forgedRecord((record) => (record['selected'] = ['free-run'])),
      'the methods that ran are free-run',
    ],
    [
      'an error that is no number',
      () => forged((cells, cycle) => (cycle === 2 ? { ...cells, rmse_analysis_h: 'NaN' } : cells)),
      'rmse_analysis_h: found "NaN", allowed: a number of at least 0',
    ],
    [
      'fewer cycles than it states',
      () => forged((cells, cycle) => (cycle < 2 ? cells : undefined)),
      `found rows of 2 cycles, bundle.json says that ${CYCLES} were completed`,
    ],
    [
      'a cycle twice',
      () => forged((cells, cycle) => (cycle === 2 ? { ...cells, cycle: '1' } : cells)),
      'found cycle "1", the next is 2',
    ],
  ])('with %s is refused', async (_, make, message) => {
    const reading = make().then((packed) => unpackBundle(packed, 'run.shoal'));
    await expect(reading).rejects.toThrow(ScenarioError);
    await expect(reading).rejects.toThrow(message);
  });

  it('with a column of its own is not called the same bit for bit', async () => {
    const csv = new TextDecoder().decode(files['expected.csv']).trimEnd().split('\n');
    const wider = text(`${csv.map((line, index) => `${line},${index === 0 ? 'prize' : '1'}`).join('\n')}\n`);
    const extent = await extentOf(wider);
    const packed = withRecord(
      (record) => (record['files'] = { ...(record['files'] as object), 'expected.csv': extent }),
      { 'expected.csv': wider },
    );
    const judged = await judgeReproduction(await unpackBundle(packed, 'run.shoal'), rows, here, again);
    expect(judged).toMatchObject({ reproduced: false, by: 'bits', notCompared: ['prize'] });
  });
});
