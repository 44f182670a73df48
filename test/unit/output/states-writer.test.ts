/** States that are written in one go, where a program keeps files otherwise than Node does. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStatesWriter, FIELDS_FILE, NETCDF_FILE } from '../../../engine/index.ts';
import { createMemoryFile } from '../../../app/features/saving/memory-file.ts';
import { CYCLES, plane, snapshot, storedRun } from '../../setup/stored-run.ts';

async function areBytes(found: Blob, wanted: Uint8Array | undefined): Promise<boolean> {
  return wanted !== undefined && Buffer.compare(new Uint8Array(await found.arrayBuffer()), wanted) === 0;
}

describe('the states of a run', () => {
  // HDF5 notes when something was written.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('are the same bytes as where HDF5 writes by itself, and grow beside them as records', async () => {
    const [netcdf, records] = [createMemoryFile(2 ** 24), createMemoryFile(2 ** 24)];
    const whole = await storedRun('netcdf');
    const writer = await createStatesWriter({ netcdf, records }, { record: whole.record, bed: plane(0).values });
    for (const cycle of CYCLES) writer.add(snapshot(cycle));
    const extent = writer.finish();
    expect(await areBytes(await netcdf.finish(), await whole.read(NETCDF_FILE))).toBe(true);
    expect(extent).toEqual(whole.record.files?.[FIELDS_FILE]);
    const growing = await storedRun('records');
    expect(await areBytes(await records.finish(), await growing.read(FIELDS_FILE))).toBe(true);
  });

  it('say what the file said where it has no room, and are given up', async () => {
    const { record } = await storedRun('records');
    const netcdf = createMemoryFile(20_000);
    const writing = async (): Promise<void> => {
      const writer = await createStatesWriter({ netcdf }, { record, bed: plane(0).values });
      for (const cycle of CYCLES) writer.add(snapshot(cycle));
      writer.finish();
    };
    await expect(writing()).rejects.toThrow('more than 20000 bytes of memory would be needed');
  });
});

describe('a file in memory', () => {
  it('is read and written at any place, and is zero if nothing was written', async () => {
    const file = createMemoryFile(2 ** 23);
    const bytes = Uint8Array.from({ length: 2 ** 21 }, (_, i) => i % 251);
    file.write(bytes, 2 ** 20 - 3);
    expect(file.size).toBe(2 ** 20 - 3 + 2 ** 21);
    const found = new Uint8Array(10);
    file.read(found, 2 ** 20 - 5);
    expect([...found]).toEqual([0, 0, 0, 1, 2, 3, 4, 5, 6, 7]);
    file.truncate(2 ** 20);
    file.truncate(2 ** 20 + 2);
    file.read(found.subarray(0, 4), 2 ** 20 - 2);
    expect([...found.subarray(0, 4)]).toEqual([1, 2, 0, 0]);
    expect((await file.finish()).size).toBe(2 ** 20 + 2);
  });
});
