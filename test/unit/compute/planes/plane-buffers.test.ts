/** Copies of planes that are kept on the device: what they hold, and when their memory is another's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeGpu } from '../../../../app/cli/adapters.ts';
import { createPlaneBuffers, planeStride } from '../../../../engine/compute/webgpu/planes/index.ts';
import type { DevicePlane } from '../../../../engine/compute/webgpu/planes/index.ts';
import { createDevicePlaneReader, hasRoomFor, requestDevice } from '../../../../engine/index.ts';
import { backends } from '../../../setup/backends.ts';

const CELLS = 37;
const onGpu = backends.some(({ name }) => name === 'webgpu');
const waiting = new AbortController().signal;

function planeOf(values: Float32Array, plane: number): number[] {
  return [...values.subarray(plane * CELLS, (plane + 1) * CELLS)];
}

describe.skipIf(!onGpu)('planes that are kept on the GPU', () => {
  let device: GPUDevice;
  let source: GPUBuffer;
  beforeAll(async () => {
    ({ device } = await requestDevice(await nodeGpu()));
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    source = device.createBuffer({ size: 3 * 4 * CELLS, usage });
  });
  afterAll(() => device.destroy());

  const write = (from: number): Float32Array => {
    const values = Float32Array.from({ length: 3 * CELLS }, (_, i) => from + i);
    device.queue.writeBuffer(source, 0, values);
    return values;
  };
  const numbersOf = async (planes: readonly DevicePlane[]): Promise<number[][]> => {
    const found = await createDevicePlaneReader(device)(
      planes.map((plane) => ({ plane })),
      waiting,
    );
    return found.map((numbers) => Array.from(numbers));
  };
  it('hold what the source held when they were submitted, from offsets that can be bound', async () => {
    const buffers = createPlaneBuffers(device);
    const values = write(100);
    const copies = buffers.begin('kept', 3, CELLS);
    const kept = [2, 0, 1].map((plane) => copies.add(source, plane));
    copies.submit();
    write(-1);
    expect(await numbersOf(kept)).toEqual([2, 0, 1].map((plane) => planeOf(values, plane)));
    expect(kept.map(({ byteOffset }) => byteOffset)).toEqual([0, 256, 512]);
    expect(planeStride(CELLS)).toBe(256);
    expect(() => copies.add(source, 0)).toThrow('more than 3 planes');
  });

  it('give their buffer to the next of that size when they are released, once', async () => {
    const buffers = createPlaneBuffers(device);
    const keep = (): DevicePlane => {
      const copies = buffers.begin('kept', 2, CELLS);
      const plane = copies.add(source, 0);
      copies.submit();
      return plane;
    };
    const [first, second] = [keep(), keep()];
    expect(second.buffer).not.toBe(first.buffer);
    buffers.release(first);
    expect(first.lease.over).toBe(true);
    const third = keep();
    expect(third.buffer).toBe(first.buffer);
    // The buffer is another's by now.
    buffers.release(first);
    expect(third.lease.over).toBe(false);
    expect(keep().buffer).not.toBe(third.buffer);
    expect(second.lease.over).toBe(false);
  });

  it('stay until they are released when nothing more is kept', async () => {
    const buffers = createPlaneBuffers(device);
    const values = write(7);
    const copies = buffers.begin('kept', 1, CELLS);
    const plane = copies.add(source, 1);
    copies.submit();
    buffers.close();
    expect(await numbersOf([plane])).toEqual([planeOf(values, 1)]);
    buffers.release(plane);
    await expect(numbersOf([plane])).rejects.toThrow('released');
  });

  it('ask a device for room without a fault to whoever else uses it', async () => {
    const refusals: string[] = [];
    device.addEventListener('uncapturederror', ({ error }) => refusals.push(error.message));
    expect(await hasRoomFor(device, [1024, 1024])).toBe(true);
    expect(refusals).toEqual([]);
  });
});
