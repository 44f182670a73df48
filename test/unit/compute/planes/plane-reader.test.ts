/** Planes on a device: whole, in pieces, along lines, at single cells; and when they or the device are gone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeGpu } from '../../../../app/cli/adapters.ts';
import { blockMeans } from '../../../../app/document/values/plane-reader.ts';
import { STAGING_BYTES } from '../../../../engine/compute/webgpu/planes/staging.ts';
import { createDevicePlaneReader, requestDevice } from '../../../../engine/index.ts';
import type { DevicePlane } from '../../../../engine/index.ts';
import { backends } from '../../../setup/backends.ts';

const onGpu = backends.some(({ name }) => name === 'webgpu');
const waiting = new AbortController().signal;

/** Any whole number below 2²⁴ is exact in float32. */
function valueAt(cell: number, plane: number): number {
  return ((cell * 7919 + plane * 104_729) % 16_777_213) - 1000;
}

describe.skipIf(!onGpu)('numbers of planes on the GPU', () => {
  let device: GPUDevice;
  let refusals: string[];
  beforeAll(async () => {
    ({ device } = await requestDevice(await nodeGpu()));
    device.addEventListener('uncapturederror', ({ error }) => refusals.push(error.message));
    refusals = [];
  });
  afterAll(() => {
    device.destroy();
    if (refusals.length > 0) throw new Error(`the GPU refused commands:\n${refusals.join('\n')}`);
  });

  /** Planes of one buffer, as a snapshot has them. */
  function planesOf(cells: number, count: number, on = device) {
    const stride = Math.ceil((4 * cells) / 256) * 256;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = on.createBuffer({ size: stride * count, usage });
    const lease = { over: false };
    const planes = Array.from({ length: count }, (_, k): DevicePlane => {
      const values = Float32Array.from({ length: cells }, (_, cell) => valueAt(cell, k));
      on.queue.writeBuffer(buffer, k * stride, values);
      return { kind: 'device', buffer, byteOffset: k * stride, cells, lease };
    });
    return { planes, lease, buffer };
  }

  it('are those of the planes that were asked for, whole, at cells and along lines', async () => {
    const read = createDevicePlaneReader(device);
    const { planes } = planesOf(37 * 23, 4);
    const line = Array.from({ length: 137 }, (_, k) => (k * 31) % (37 * 23));
    const other = line.map((cell) => (cell + 5) % (37 * 23)).slice(0, 64);
    const [whole, few, along, besides, across] = await read(
      [
        { plane: planes[2] },
        { plane: planes[1], cells: [850, 0, 12] },
        { plane: planes[3], cells: line },
        { plane: planes[0], cells: line },
        { plane: planes[1], cells: other },
      ],
      waiting,
    );
    expect(whole).toEqual(Float32Array.from({ length: 37 * 23 }, (_, cell) => valueAt(cell, 2)));
    for (const cell of [850, 0, 12]) expect(few[cell]).toBe(valueAt(cell, 1));
    for (const cell of line) {
      expect(along[cell]).toBe(valueAt(cell, 3));
      expect(besides[cell]).toBe(valueAt(cell, 0));
    }
    for (const cell of other) expect(across[cell]).toBe(valueAt(cell, 1));
    expect(few[1]).toBeUndefined();
    expect(await read([], waiting)).toEqual([]);
  });

  it('are means over blocks, of a plane or of its difference from another, as they are in memory', async () => {
    const read = createDevicePlaneReader(device);
    const { planes, lease } = planesOf(37 * 23, 2);
    const [a, b] = [0, 1].map((k) => Float32Array.from({ length: 37 * 23 }, (_, cell) => valueAt(cell, k)));
    const blocks = { nx: 37, ny: 23, x: 5, y: 2 };
    const [own, difference, other] = await read(
      [
        { plane: planes[0], means: { blocks } },
        { plane: planes[1], means: { blocks, minus: planes[0] } },
        { plane: planes[1], cells: [3] },
      ],
      waiting,
    );
    expect(own).toHaveLength(7 * 11);
    for (const [found, wanted] of [
      [own, blockMeans(a, blocks)],
      [difference, blockMeans(b, blocks, a)],
    ]) {
      const largest = Math.max(...Array.from(wanted, Math.abs));
      for (let at = 0; at < wanted.length; at++) expect(Math.abs(found[at] - wanted[at])).toBeLessThan(1e-6 * largest);
    }
    expect(other[3]).toBe(valueAt(3, 1));
    const tooMany = { nx: 1024, ny: 1024, x: 1, y: 1 };
    await expect(read([{ plane: planes[0], means: { blocks: tooMany } }], waiting)).rejects.toThrow(/1048576 means/);
    lease.over = true;
    await expect(read([{ plane: planes[0], means: { blocks } }], waiting)).rejects.toThrow('released');
  });

  it('come in pieces where a plane is larger than the staging buffers, without mixing with other questions', async () => {
    const read = createDevicePlaneReader(device);
    const cells = STAGING_BYTES / 4 + 1000;
    const { planes } = planesOf(cells, 2);
    const [[first, second], [cell]] = await Promise.all([
      read([{ plane: planes[0] }, { plane: planes[1] }], waiting),
      read([{ plane: planes[1], cells: [cells - 1] }], waiting),
    ]);
    // Every element would be slow to compare: the seams between the pieces, and a few on the way.
    for (const at of [0, 1, cells / 2, STAGING_BYTES / 4 - 1, STAGING_BYTES / 4, cells - 1]) {
      expect([first[at], second[at]]).toEqual([valueAt(at, 0), valueAt(at, 1)]);
    }
    expect(cell[cells - 1]).toBe(valueAt(cells - 1, 1));
  });

  it('are many questions at a time through two staging buffers', async () => {
    const read = createDevicePlaneReader(device);
    const { planes } = planesOf(500, 3);
    const found = await Promise.all(
      Array.from({ length: 200 }, (_, cell) => read([{ plane: planes[cell % 3], cells: [cell] }], waiting)),
    );
    for (const [cell, [numbers]] of found.entries()) expect(numbers[cell]).toBe(valueAt(cell, cell % 3));
  });

  it('are not those of another snapshot that took the place of a released one', async () => {
    const read = createDevicePlaneReader(device);
    const { planes, lease, buffer } = planesOf(500, 1);
    const before = read([{ plane: planes[0], cells: [3] }], waiting);
    lease.over = true;
    device.queue.writeBuffer(buffer, 0, new Float32Array(500).fill(-1));
    // What was asked before the release was copied before the buffer was written again.
    expect((await before)[0][3]).toBe(valueAt(3, 0));
    await expect(read([{ plane: planes[0], cells: [3] }], waiting)).rejects.toThrow('released');
    buffer.destroy();
    await expect(read([{ plane: planes[0] }], waiting)).rejects.toThrow('released');
  });

  it('are not read for an asker that left', async () => {
    const read = createDevicePlaneReader(device);
    const { planes } = planesOf(500, 1);
    const end = new AbortController();
    end.abort();
    await expect(read([{ plane: planes[0] }], end.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('are given up when the device is lost, those on their way and those that are asked for later', async () => {
    const { device: lost } = await requestDevice(await nodeGpu());
    const read = createDevicePlaneReader(lost);
    const { planes } = planesOf(500, 1, lost);
    const pending = read([{ plane: planes[0] }], waiting);
    lost.destroy();
    await expect(pending).rejects.toBeInstanceOf(Error);
    await expect(read([{ plane: planes[0], cells: [1] }], waiting)).rejects.toBeInstanceOf(Error);
  });
});
