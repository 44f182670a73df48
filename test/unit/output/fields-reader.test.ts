import { File, ready } from 'h5wasm';
import { describe, expect, it } from 'vitest';
import { createMemoryStorage, openFields, readStoredSnapshot, validateScenario } from '../../../engine/index.ts';
import type { FieldsReader, RunRecord, Snapshot, StatePlanes, Storage } from '../../../engine/index.ts';
import { openHdf5 } from '../../../engine/files/hdf5.ts';
import { createFieldsFile, FIELDS_FILE } from '../../../engine/output/fields/fields-file.ts';
import { createFieldsWriter } from '../../../engine/output/fields/netcdf.ts';
import { NETCDF_FILE } from '../../../engine/output/fields/netcdf-parts.ts';
import { writeRunRecord } from '../../../engine/output/run-record.ts';

const [NX, NY] = [5, 4];
const CYCLES = [1, 3, 5];

const { scenario } = validateScenario(
  {
    version: 3,
    name: 'small',
    grid: { nx: NX, ny: NY, dx: 2, dy: 4 },
    truth: { initial: { kind: 'rest' } },
    background: { initial: { kind: 'rest' }, members: 3 },
    observations: [
      { name: 'a', variable: 'h', network: { kind: 'regular', stride: [2, 2] } },
      { name: 'b', variable: 'speed', network: { kind: 'regular', stride: [2, 2] }, errorStandardDeviation: 0.1 },
    ],
    methods: [{ kind: 'free-run' }, { kind: 'letkf', label: 'größe', localisation: { halfWidth: 4 } }],
    experiment: { cycles: 6, window: 1 },
  },
  'small.json',
);

const plane = (first: number) => ({
  kind: 'host' as const,
  values: Float32Array.from({ length: NX * NY }, (_, i) => Math.sin(first + i)),
});
const state = (first: number): StatePlanes => ({ eta: plane(first), hu: plane(first + 1), hv: plane(first + 2) });

/** Of a run in which the second method diverges in cycle 5, and whose odd cycles have observations. */
function snapshot(cycle: number): Snapshot {
  const count = cycle === 3 ? 0 : 3;
  const numbers = (first: number): Float64Array => Float64Array.from({ length: count }, (_, i) => first + i / 4);
  const there = Float64Array.from([10, 0, 5]).subarray(0, count);
  const onlyThere = (first: number): Float64Array => numbers(first).map((value, i) => (there[i] > 0 ? value : 0));
  return {
    cycle,
    timeSeconds: cycle + 1,
    truth: state(cycle),
    methods: [
      { method: 'free-run', forecast: state(10 * cycle), analysis: state(20 * cycle), spread: undefined },
      {
        method: 'größe',
        ...(cycle === 5 && { divergedAt: 5 }),
        forecast: state(30 * cycle),
        analysis: state(40 * cycle),
        spread: plane(50 * cycle),
        forecastSpread: plane(51 * cycle),
        members: [0, 2].map((member) => ({ member, analysis: state(60 * cycle + member) })),
      },
    ],
    observations: {
      x: numbers(1),
      y: numbers(2),
      values: onlyThere(3),
      inverseErrorStd: there,
      network: Uint16Array.from({ length: count }, (_, i) => i % 2),
      variable: Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'h' : 'speed')),
      innovations: { 'free-run': onlyThere(7), ...(cycle < 5 && { größe: onlyThere(8) }) },
      departures: { 'free-run': onlyThere(9), ...(cycle < 5 && { größe: onlyThere(10) }) },
      believed: { 'free-run': there, ...(cycle < 5 && { größe: there }) },
    },
  };
}

async function storedRun(form: 'records' | 'netcdf'): Promise<Storage & { readonly record: RunRecord }> {
  const storage = createMemoryStorage();
  const file = createFieldsFile(storage, undefined);
  for (const cycle of CYCLES) await file.add(snapshot(cycle));
  await file.mark()();
  const record = {
    format: 2,
    state: 'complete',
    scenario,
    seed: 1,
    backend: { name: 'reference', adapter: 'host' },
    versions: {},
    methods: scenario.methods.map(({ label, kind }) => ({ label, kind, members: 3 })),
    variables: ['h', 'hu', 'hv'],
    cycles: 6,
    completedCycles: 6,
    start: '',
    end: '',
    resumed: [],
    warnings: [],
    fields: { every: 2, members: [0, 2] },
    files: { [FIELDS_FILE]: file.extent },
  } as unknown as RunRecord;
  await writeRunRecord(storage, record);
  if (form === 'netcdf') {
    const { FS } = await ready;
    const open = new File('/written.nc', 'w', { track_order: true, libver: ['v108', 'v110'] });
    const writer = createFieldsWriter(open, { record, bed: plane(0).values });
    for (const cycle of CYCLES) writer.add(snapshot(cycle));
    open.close();
    await storage.writeWhole(NETCDF_FILE, FS.readFile('/written.nc'));
    await storage.remove(FIELDS_FILE);
  }
  return Object.assign(storage, { record });
}

async function opened(form: 'records' | 'netcdf'): Promise<FieldsReader> {
  const reader = await openFields(await storedRun(form));
  if (!reader) throw new Error('nothing is stored');
  return reader;
}

describe.each(['records', 'netcdf'] as const)('the states of a run, from %s', (form) => {
  it('are read plane by plane', async () => {
    const reader = await opened(form);
    expect(reader).toMatchObject({ cycles: CYCLES, methods: ['free-run', 'größe'], members: [0, 2] });
    expect(await reader.readPlane({ cycle: 3, of: 'truth', variable: 'hv' })).toEqual(plane(5).values);
    expect(await reader.readPlane({ cycle: 1, of: 'größe', variable: 'hu', when: 'forecast' })).toEqual(
      plane(31).values,
    );
    expect(await reader.readPlane({ cycle: 3, of: 'free-run', variable: 'eta' })).toEqual(plane(60).values);
    const spread = { cycle: 3, variable: 'eta', when: 'analysis-spread' } as const;
    expect(await reader.readPlane({ ...spread, of: 'größe' })).toEqual(plane(150).values);
    expect(await reader.readPlane({ ...spread, of: 'größe', when: 'forecast-spread' })).toEqual(plane(153).values);
    const member = { cycle: 1, of: 'größe', variable: 'hv', member: 2 } as const;
    expect(await reader.readPlane(member)).toEqual(plane(64).values);
    expect(await reader.readPlane({ ...member, member: 1 })).toBeUndefined();
    // One state has no spread, what has diverged nothing at all.
    expect(await reader.readPlane({ ...spread, of: 'free-run' })).toBeUndefined();
    expect(await reader.readPlane({ cycle: 5, of: 'größe', variable: 'eta' })).toBeUndefined();
    await expect(reader.readPlane({ cycle: 2, of: 'truth', variable: 'eta' })).rejects.toThrow(
      'the states of cycle 2 are not stored',
    );
    await expect(reader.readPlane({ cycle: 1, of: 'enkf', variable: 'eta' })).rejects.toThrow('no method enkf');
    reader.dispose();
  });

  it('come with the observations of their cycle', async () => {
    const reader = await opened(form);
    const { believed: _believed, ...original } = snapshot(1).observations;
    expect(await reader.observationsAt(1)).toMatchObject(original);
    expect((await reader.observationsAt(3)).values).toHaveLength(0);
    expect((await reader.observationsAt(5)).innovations['free-run']).toEqual(
      snapshot(5).observations.innovations['free-run'],
    );
    reader.dispose();
  });
});

describe.each(['records', 'netcdf'] as const)('a stored cycle, from %s', (form) => {
  it('is what was on screen: truth and means before and after the analysis, and the observations', async () => {
    const reader = await opened(form);
    const found = await readStoredSnapshot(reader, 3);
    const { truth, methods } = snapshot(3);
    expect(found).toMatchObject({ cycle: 3, timeSeconds: 4, truth });
    expect(found.methods).toEqual(
      methods.map(({ method, forecast, analysis, spread }) => ({ method, forecast, analysis, spread })),
    );
    const { believed: _believed, departures: _departures, ...original } = snapshot(1).observations;
    expect((await readStoredSnapshot(reader, 1)).observations).toMatchObject(original);
    reader.dispose();
  });

  it('has a method that diverged at rest, and is refused where a method is missing that did not', async () => {
    const reader = await opened(form);
    const found = await readStoredSnapshot(reader, 5, new Map([['größe', 5]]));
    expect(found.methods[1]).toMatchObject({ method: 'größe', divergedAt: 5, spread: undefined });
    expect(found.methods[1].analysis.eta).toEqual({ kind: 'host', values: new Float32Array(NX * NY) });
    await expect(readStoredSnapshot(reader, 5)).rejects.toThrow('the stored states of cycle 5 lack those of größe');
    await expect(readStoredSnapshot(reader, 2)).rejects.toThrow('the states of cycle 2 are not stored');
    reader.dispose();
  });
});

describe('states that are not as they were', () => {
  it('are refused where they are those of another run', async () => {
    const storage = await storedRun('netcdf');
    const [first, second] = storage.record.methods;
    await writeRunRecord(storage, { ...storage.record, methods: [second, first] });
    await expect(openFields(storage)).rejects.toThrow(
      'fields.nc: assimilation: found the methods free-run, größe, run.json has größe, free-run: it is the file of another run',
    );
    await writeRunRecord(storage, { ...storage.record, methods: [first] });
    await expect(openFields(storage)).rejects.toThrow('fields.nc: assimilation: found the shape [2], needed is [1]');
    await writeRunRecord(storage, { ...storage.record, cycles: 4 });
    await expect(openFields(storage)).rejects.toThrow(
      'fields.nc: cycle[2]: found 5, allowed are ascending numbers from 0 to 3',
    );
  });

  it('are refused with their file', async () => {
    const storage = await storedRun('netcdf');
    const bytes = (await storage.read(NETCDF_FILE)) ?? new Uint8Array();
    await storage.writeWhole(NETCDF_FILE, bytes.subarray(0, bytes.length - 1));
    await expect(openFields(storage)).rejects.toThrow(
      /^fields\.nc: the file is cut off: it says that it has \d+ bytes$/,
    );
    await storage.writeWhole(NETCDF_FILE, 'CDF');
    await expect(openFields(storage)).rejects.toThrow('fields.nc: not a NetCDF-4 file of this program');
    await storage.writeWhole(NETCDF_FILE, bytes.fill(0, 48, 4000));
    await expect(openFields(storage)).rejects.toThrow(/^fields\.nc: cannot be read: /);
  });

  it('are refused with variable and cycle where a part of them is damaged', async () => {
    const storage = await storedRun('netcdf');
    const reader = await openFields(storage);
    const whole = (await storage.read(NETCDF_FILE)) ?? new Uint8Array();
    // Every plane is packed by itself: where one is broken the others are read.
    const isPacked = (at: number): boolean => whole[at] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(whole[at + 1]);
    const places = Array.from({ length: whole.length - 1 }, (_, at) => at).filter(isPacked);
    reader?.dispose();
    expect(places.length).toBeGreaterThan(10);
    await storage.writeWhole(
      NETCDF_FILE,
      whole.map((byte, at) => (places.includes(at) ? byte ^ 0xff : byte)),
    );
    const damaged = await openFields(storage);
    await expect(damaged?.readPlane({ cycle: 3, of: 'größe', variable: 'hu' })).rejects.toThrow(
      /^fields\.nc: hu_analysis of cycle 3: cannot be read: /,
    );
    damaged?.dispose();
  });

  it('are none where a run kept none', async () => {
    const storage = await storedRun('records');
    const { fields: _fields, ...record } = storage.record;
    await writeRunRecord(storage, record);
    expect(await openFields(storage)).toBeUndefined();
    expect(await openFields(createMemoryStorage())).toBeUndefined();
  });
});

describe('a file that is fetched part by part', () => {
  it('is asked for no more than is read of it', async () => {
    const { FS } = await ready;
    // Each plane is a chunk of 256 KiB that does not compress.
    const [planes, side] = [12, 256];
    const noise = Float32Array.from({ length: planes * side * side }, (_, i) => Math.sin(i * i));
    const open = new File('/large.h5', 'w');
    const shape = [planes, side, side];
    open.create_dataset({ name: 'noise', data: noise, shape, chunks: [1, side, side], compression: 4 });
    open.close();
    const bytes = FS.readFile('/large.h5');
    const asked: number[] = [];
    const source = {
      length: bytes.length,
      read: async (from: number, count: number) => {
        asked.push(count);
        return bytes.slice(from, from + count);
      },
    };
    const file = await openHdf5(source, 'large.h5');
    const found = await file.ask((root) => {
      const noiseOf = root.get('noise');
      if (!noiseOf || !('slice' in noiseOf)) throw new Error('no noise');
      return noiseOf.slice([[7, 8], [], []]);
    });
    file.close();
    expect(found).toEqual(noise.subarray(7 * side * side, 8 * side * side));
    const read = asked.reduce((sum, count) => sum + count, 0);
    expect(read).toBeGreaterThan(side * side * 3);
    expect(read).toBeLessThan(bytes.length / 3);
  });
});
