import { describe, expect, it } from 'vitest';
import { createMemoryStorage, readFields, ScenarioError } from '../../../engine/index.ts';
import type { HostPlane, Snapshot, Storage } from '../../../engine/index.ts';
import { createFieldsFile, FIELDS_FILE, readFieldsBefore } from '../../../engine/output/fields/fields-file.ts';
import { decodeSnapshot, encodeSnapshot } from '../../../engine/output/fields/snapshot-record.ts';

const CELLS = 15;

function planes(first: number) {
  const [eta, hu, hv] = [0, 1, 2].map((n): HostPlane => ({
    kind: 'host',
    values: Float32Array.from({ length: CELLS }, (_, i) => Math.sin(first + n + i)),
  }));
  return { eta, hu, hv };
}

function snapshot(cycle: number, count = 3): Snapshot {
  const numbers = (first: number): Float64Array => Float64Array.from({ length: count }, (_, i) => first + i / 3);
  return {
    cycle,
    timeSeconds: (cycle + 1) / 2,
    truth: planes(cycle),
    methods: [
      { method: 'größe', forecast: planes(1), analysis: planes(2), spread: undefined },
      { method: 'letkf', divergedAt: 4, forecast: planes(3), analysis: planes(4), spread: planes(5).eta },
      { method: 'enks', forecast: planes(6), analysis: planes(7), spread: undefined, inflation: planes(8).hu },
      { method: 'enkf', forecast: planes(6), analysis: planes(7), spread: undefined, inflation: 1.5 },
    ],
    observations: {
      x: numbers(1),
      y: numbers(2),
      values: numbers(3),
      inverseErrorStd: numbers(4),
      network: Uint16Array.from({ length: count }, (_, i) => i % 2),
      variable: Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'h' : 'speed')),
      innovations: { letkf: numbers(-1) },
      impacts: { letkf: numbers(-2) },
    },
  };
}

async function collected(storage: Storage, extent: { bytes: number; sha256: string }): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  for await (const each of readFields(storage, extent)) found.push(each);
  return found;
}

const refused = (changed: Uint8Array) => () => decodeSnapshot(changed, 'fields.bin');

describe('a snapshot as bytes', () => {
  it.each([0, 3, 8])('comes back as it was, with %i observations', (count) => {
    const original = snapshot(7, count);
    expect(decodeSnapshot(encodeSnapshot(original), 'f')).toEqual(original);
  });

  it('that is cut off, or something else, is refused with the file', () => {
    const bytes = encodeSnapshot(snapshot(7));
    expect(refused(bytes.subarray(0, bytes.length - 8))).toThrow(ScenarioError);
    expect(refused(bytes.subarray(0, 9))).toThrow(/fields\.bin: a record has 9 bytes/);
    const other = bytes.slice();
    other[0] ^= 1;
    expect(refused(other)).toThrow(/fields\.bin: a record does not begin as one/);
    const broken = bytes.slice();
    broken[20] ^= 0x55;
    expect(refused(broken)).toThrow(/fields\.bin: .*the header of a record/);
    const long = bytes.slice();
    new DataView(long.buffer).setFloat64(8, Number.NaN, true);
    expect(refused(long)).toThrow(/states a length that cannot be/);
  });
});

describe('the file of states', () => {
  it('continues from a cycle, and forgets those behind it', async () => {
    const storage = createMemoryStorage();
    const file = createFieldsFile(storage, undefined);
    for (const cycle of [0, 2, 4]) await file.add(snapshot(cycle));
    await file.mark()();
    const kept = await readFieldsBefore(storage, file.extent, 3);
    const continued = createFieldsFile(storage, kept);
    for (const cycle of [3, 5]) await continued.add(snapshot(cycle));
    await continued.mark()();
    const found = await collected(storage, continued.extent);
    expect(found.map(({ cycle }) => cycle)).toEqual([0, 2, 3, 5]);
    expect(found[1]).toEqual(snapshot(2));
  });

  it('whose content was changed is not continued', async () => {
    const storage = createMemoryStorage();
    const file = createFieldsFile(storage, undefined);
    await file.add(snapshot(0));
    await file.mark()();
    const bytes = (await storage.read(FIELDS_FILE)) ?? new Uint8Array();
    bytes[bytes.length - 9] ^= 1;
    await storage.writeWhole(FIELDS_FILE, bytes);
    await expect(readFieldsBefore(storage, file.extent, 9)).rejects.toThrow(/fields\.bin/);
    await storage.writeWhole(FIELDS_FILE, bytes.subarray(0, 100));
    await expect(readFieldsBefore(storage, file.extent, 9)).rejects.toThrow(/found 100 bytes, needed:/);
  });

  it('lets the run continue while a slow disk writes, and waits when too much does', async () => {
    const memory = createMemoryStorage();
    const doors: (() => void)[] = [];
    const gate = new Promise<void>((resolve) => void doors.push(resolve));
    const slow: Storage = {
      ...memory,
      append: async (...args) => {
        await gate;
        await memory.append(...args);
      },
    };
    const size = encodeSnapshot(snapshot(0)).byteLength;
    const file = createFieldsFile(slow, undefined, 2.5 * size);
    await file.add(snapshot(0));
    await file.add(snapshot(1));
    let isTaken = false;
    const third = file.add(snapshot(2)).then(() => (isTaken = true));
    await new Promise((resolve) => setTimeout(resolve));
    expect(isTaken).toBe(false);
    for (const open of doors) open();
    await third;
    await file.mark()();
    expect(await collected(memory, file.extent)).toHaveLength(3);
  });

  it('reports what could not be written at the next cycle, and writes it if there is room again', async () => {
    const memory = createMemoryStorage();
    let isFull = true;
    const storage: Storage = {
      ...memory,
      append: (...args) => (isFull ? Promise.reject(new Error('no space')) : memory.append(...args)),
    };
    const file = createFieldsFile(storage, undefined);
    await file.add(snapshot(0));
    await expect(file.mark()()).rejects.toThrow('no space');
    await expect(file.add(snapshot(1))).rejects.toThrow('no space');
    isFull = false;
    await file.mark()();
    expect((await collected(memory, file.extent)).map(({ cycle }) => cycle)).toEqual([0]);
  });
});
