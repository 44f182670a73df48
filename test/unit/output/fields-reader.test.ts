import { Dataset, File, ready } from 'h5wasm';
import { describe, expect, it } from 'vitest';
import {
  createMemoryStorage,
  openFields,
  readHdf5Here,
  readStoredCells,
  readStoredSnapshot,
} from '../../../engine/index.ts';
import type { FieldsReader } from '../../../engine/index.ts';
import { openHdf5 } from '../../../engine/files/hdf5.ts';
import { gaspariCohn } from '../../../engine/operators/localisation/index.ts';
import { FILL, NETCDF_FILE } from '../../../engine/output/fields/netcdf-parts.ts';
import { writeRunRecord } from '../../../engine/output/run-record.ts';
import { CYCLES, NX, NY, plane, snapshot, storedRun } from '../../setup/stored-run.ts';

async function opened(form: 'records' | 'netcdf'): Promise<FieldsReader> {
  const reader = await openFields(await storedRun(form), readHdf5Here);
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
    const inflation = { of: 'größe', variable: 'eta', when: 'inflation' } as const;
    expect(await reader.readPlane({ ...inflation, cycle: 3 })).toEqual(plane(156).values);
    expect(await reader.readPlane({ ...inflation, cycle: 1 })).toEqual(new Float32Array(NX * NY).fill(1.25));
    const member = { cycle: 1, of: 'größe', variable: 'hv', member: 2 } as const;
    expect(await reader.readPlane(member)).toEqual(plane(64).values);
    expect(await reader.readPlane({ ...member, member: 1 })).toBeUndefined();
    // One state has no spread, what has diverged nothing at all.
    expect(await reader.readPlane({ ...spread, of: 'free-run' })).toBeUndefined();
    expect(await reader.readPlane({ ...inflation, of: 'free-run', cycle: 3 })).toBeUndefined();
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

describe.each(['records', 'netcdf'] as const)('cells of a stored cycle, from %s', (form) => {
  it('are those of its planes: truth, means, and the members that were kept', async () => {
    const reader = await opened(form);
    const found = await readStoredCells(reader, 1, [7, 11]);
    expect(found.map(({ reading }) => reading)).toEqual(
      [7, 11].map((cell) => ({
        cycle: 1,
        timeSeconds: 2,
        truth: plane(1).values[cell],
        methods: {
          'free-run': {
            forecast: plane(10).values[cell],
            analysis: plane(20).values[cell],
            members: new Float32Array(),
          },
          größe: {
            forecast: plane(30).values[cell],
            analysis: plane(40).values[cell],
            members: Float32Array.of(plane(60).values[cell], Number.NaN, plane(62).values[cell]),
          },
        },
      })),
    );
    // Observed are (1, 2), (1.25, 2.25) and (1.5, 2.5): the first and the second lie in this cell, the third on its corner.
    const [cell, other] = (await readStoredCells(reader, 1, [2 * NX + 1, 0])).map(({ observations }) => observations);
    const { values, inverseErrorStd, variable } = snapshot(1).observations;
    expect(cell).toMatchObject({ values, inverseErrorStd, variable });
    expect(other.values).toHaveLength(0);
    reader.dispose();
  });

  it('are without what had diverged', async () => {
    const reader = await opened(form);
    const [{ reading }] = await readStoredCells(reader, 5, [0], new Map([['größe', 5]]));
    expect(Object.keys(reading.methods)).toEqual(['free-run']);
    await expect(readStoredCells(reader, 5, [0])).rejects.toThrow('the stored states of cycle 5 lack those of größe');
    reader.dispose();
  });
});

describe.each(['records', 'netcdf'] as const)('a stored cycle, from %s', (form) => {
  it('is what was on screen: truth and means before and after the analysis, and the observations', async () => {
    const reader = await opened(form);
    const found = await readStoredSnapshot(reader, 3);
    const { truth, methods } = snapshot(3);
    expect(found).toMatchObject({ cycle: 3, timeSeconds: 4, truth });
    // Of a grid whose cells are 2 m by 4 m, by a half-width of 4 m.
    const volumes = { nx: NX, ny: NY, periodicX: false, periodicY: false, aspect: 2, halfWidthCells: 2, every: 1 };
    expect(found.methods).toEqual(
      methods.map(({ method, forecast, analysis, spread, inflation }, index) => ({
        method,
        forecast,
        analysis,
        spread,
        inflation,
        volumes: index === 0 ? undefined : volumes,
      })),
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

describe('what the analyses of the cells see', () => {
  it('is in fields.nc, of the observations that were used', async () => {
    const bytes = (await (await storedRun('netcdf')).read(NETCDF_FILE)) ?? new Uint8Array();
    const { FS } = await ready;
    FS.writeFile('/seen.nc', bytes);
    const file = new File('/seen.nc', 'r');
    const [count, weight] = ['local_observations', 'local_weight'].map((name) => {
      const found = file.get(name);
      if (!(found instanceof Dataset)) throw new Error(`there is no ${name}`);
      const values = found.value as Float32Array;
      return (method: number, time: number, x: number, y: number): number =>
        values[((method * CYCLES.length + time) * NY + y) * NX + x];
    });
    file.close();
    // In cycle 1 those at (1, 2) and (1.5, 2.5) are used, the one between them is missing.
    expect([count(1, 0, 1, 2), count(1, 0, 4, 2), count(1, 0, 4, 0)]).toEqual([2, 2, 0]);
    expect(weight(1, 0, 1, 2)).toBeCloseTo(1 + gaspariCohn(Math.hypot(0.5, 1) / 2), 6);
    expect(weight(1, 0, 4, 0)).toBe(0);
    // In cycle 3 nothing is observed; in cycle 5 the method has diverged, and the free run sees nothing at all.
    expect([count(1, 1, 1, 2), weight(1, 1, 1, 2)]).toEqual([0, 0]);
    expect([count(1, 2, 1, 2), weight(0, 0, 1, 2)]).toEqual([Math.fround(FILL), Math.fround(FILL)]);
  });
});

describe('states that are not as they were', () => {
  it('are refused where they are those of another run', async () => {
    const storage = await storedRun('netcdf');
    const [first, second] = storage.record.methods;
    await writeRunRecord(storage, { ...storage.record, methods: [second, first] });
    await expect(openFields(storage, readHdf5Here)).rejects.toThrow(
      'fields.nc: assimilation: found the methods free-run, größe, run.json has größe, free-run: it is the file of another run',
    );
    await writeRunRecord(storage, { ...storage.record, methods: [first] });
    await expect(openFields(storage, readHdf5Here)).rejects.toThrow(
      'fields.nc: assimilation: found the shape [2], needed: [1]',
    );
    await writeRunRecord(storage, { ...storage.record, cycles: 4, completedCycles: 4 });
    await expect(openFields(storage, readHdf5Here)).rejects.toThrow(
      'fields.nc: cycle[2]: found 5, allowed: ascending numbers from 0 to 3',
    );
  });

  it('are refused with their file', async () => {
    const storage = await storedRun('netcdf');
    const bytes = (await storage.read(NETCDF_FILE)) ?? new Uint8Array();
    await storage.writeWhole(NETCDF_FILE, bytes.subarray(0, bytes.length - 1));
    await expect(openFields(storage, readHdf5Here)).rejects.toThrow(
      /^fields\.nc: the file is cut off: it says that it has \d+ bytes$/,
    );
    await storage.writeWhole(NETCDF_FILE, 'CDF');
    await expect(openFields(storage, readHdf5Here)).rejects.toThrow('fields.nc: not a NetCDF-4 file of this program');
    await storage.writeWhole(NETCDF_FILE, bytes.fill(0, 48, 4000));
    await expect(openFields(storage, readHdf5Here)).rejects.toThrow(/^fields\.nc: assimilation: cannot be read: /);
  });

  it('are none where a run kept none', async () => {
    const storage = await storedRun('records');
    const { fields: _fields, ...record } = storage.record;
    await writeRunRecord(storage, record);
    expect(await openFields(storage, readHdf5Here)).toBeUndefined();
    expect(await openFields(createMemoryStorage(), readHdf5Here)).toBeUndefined();
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
