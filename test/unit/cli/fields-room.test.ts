/** Whether there is room for the states that a run is asked to keep, and what is said if there is not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFieldsRoom, judgeRoom } from '../../../app/cli/run/fields.ts';
import { fieldsSize, LimitError } from '../../../engine/index.ts';
import type { FieldsSize } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const MEBIBYTE = 2 ** 20;
const size: FieldsSize = {
  cycles: 20,
  cycleBytes: 5 * MEBIBYTE,
  bytes: 100 * MEBIBYTE,
  memoryBytes: 110 * MEBIBYTE,
};

describe('the room for states', () => {
  it.each([200 * MEBIBYTE, 2 ** 50])('is enough with twice of what they take: %i bytes', (free) => {
    expect(judgeRoom(size, 'runs/a', free)).toBeUndefined();
  });

  it.each([100 * MEBIBYTE, 200 * MEBIBYTE - 1])(
    'is reported where fields.nc may not fit beside them: %i bytes',
    (free) => {
      const told = judgeRoom(size, 'runs/a', free);
      expect(told).toContain('up to 200 MiB are needed');
      expect(told).toContain(`runs/a has ${(free / MEBIBYTE).toPrecision(3)} MiB free`);
      expect(told).toContain('--resume');
    },
  );

  it.each([0, 100 * MEBIBYTE - 1])('is refused where they do not fit: %i bytes', (free) => {
    const judge = (): unknown => judgeRoom(size, 'runs/a', free);
    expect(judge).toThrow(LimitError);
    expect(judge).toThrow(/states of 20 cycles need 100 MiB of the disk, runs\/a has .* free; keep fewer: --every/);
  });
});

describe('the room of a folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shoal-room-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const scenario = tinyScenario();

  it('that is not there yet is that of the disk where it will be', async () => {
    const target = join(folder, 'not', 'there', 'yet');
    const fields = { every: 1 };
    const found = await checkFieldsRoom(scenario, fields, { methods: undefined, folder: target });
    expect(found.size).toEqual(fieldsSize(scenario, fields));
    // A few kilobytes, of a disk that tests are run on.
    expect(found.warning).toBeUndefined();
  });

  it('is asked for what is still to come, of the methods that run', async () => {
    const fields = { every: 2 };
    const place = { methods: ['letkf'], folder, completed: 2 };
    const { size: found } = await checkFieldsRoom(scenario, fields, place);
    expect(found).toEqual(fieldsSize(scenario, fields, ['letkf'], 2));
    expect(found.cycles).toBe(1);
    expect(found.cycleBytes).toBeLessThan(fieldsSize(scenario, fields).cycleBytes);
  });

  it('that is too small is refused, with what it has', async () => {
    // 150 TB.
    const endless = tinyScenario({ grid: { nx: 1000, ny: 1000 }, experiment: { cycles: 1_000_000, window: 0.5 } });
    const asked = checkFieldsRoom(endless, { every: 1 }, { methods: undefined, folder });
    await expect(asked).rejects.toThrow(LimitError);
    await expect(asked).rejects.toThrow(`${folder} has`);
  });

  it('below a file cannot be determined', async () => {
    const asked = checkFieldsRoom(scenario, { every: 1 }, { methods: undefined, folder: join(__filename, 'below') });
    await expect(asked).rejects.toThrow(/ENOTDIR/);
  });
});
