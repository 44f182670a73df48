/** Planes as textures: whichever way they go, the texels are the numbers that the same sum gives on the host. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { nodeGpu } from '../../../../app/cli/adapters.ts';
import { alignedBinding, copyRoute, createPlaneTextures } from '../../../../engine/compute/webgpu/planes/index.ts';
import { requestDevice } from '../../../../engine/index.ts';
import { backends } from '../../../setup/backends.ts';

test.each([
  [64, 'copy'],
  [128, 'copy'],
  [1024, 'copy'],
  [1, 'compute'],
  [63, 'compute'],
  [100, 'compute'],
  [500, 'compute'],
] as const)('rows of %s numbers go by %s', (nx, route) => {
  expect(copyRoute(nx)).toBe(route);
});

describe('binding a plane inside a buffer', () => {
  test('an aligned plane is bound alone', () => {
    expect(alignedBinding(512, 10, 256)).toEqual({ offset: 512, size: 40, skip: 0 });
  });

  test('another is bound from the boundary before it, and skipped to', () => {
    expect(alignedBinding(600, 10, 256)).toEqual({ offset: 512, size: 128, skip: 22 });
  });
});

const READ = `
@group(0) @binding(0) var texels: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> numbers: array<f32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3u) {
  let size = textureDimensions(texels);
  if (at.x < size.x && at.y < size.y) {
    numbers[at.y * size.x + at.x] = textureLoad(texels, at.xy, 0).x;
  }
}`;

/** The texels of an r32float texture, [y][x]. */
async function texelsOf(device: GPUDevice, texture: GPUTexture): Promise<Float32Array> {
  const { width, height } = texture;
  const size = 4 * width * height;
  const numbers = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const mapped = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: READ }), entryPoint: 'main' },
  });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [
      { binding: 0, resource: texture.createView() },
      { binding: 1, resource: { buffer: numbers } },
    ],
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(width / 8), Math.ceil(height / 8));
  pass.end();
  encoder.copyBufferToBuffer(numbers, 0, mapped, 0, size);
  device.queue.submit([encoder.finish()]);
  await mapped.mapAsync(GPUMapMode.READ);
  const found = new Float32Array(mapped.getMappedRange()).slice();
  for (const buffer of [numbers, mapped]) buffer.destroy();
  return found;
}

const onGpu = backends.some(({ name }) => name === 'webgpu');

describe.skipIf(!onGpu)('textures of planes on the GPU', () => {
  let device: GPUDevice;
  const refusals: string[] = [];
  beforeAll(async () => {
    ({ device } = await requestDevice(await nodeGpu()));
    device.addEventListener('uncapturederror', ({ error }) => refusals.push(error.message));
  });
  afterAll(() => {
    device.destroy();
    if (refusals.length > 0) throw new Error(`the GPU refused commands:\n${refusals.join('\n')}`);
  });

  /** Two planes of one buffer, the second where the first ends: not where a binding may begin. */
  function planesOf(nx: number, ny: number) {
    const cells = nx * ny;
    const values = Float32Array.from({ length: 2 * cells }, (_, i) => Math.sin(i) * 10 ** (i % 5));
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = device.createBuffer({ size: values.byteLength, usage });
    device.queue.writeBuffer(buffer, 0, values);
    return {
      values: [values.subarray(0, cells), values.subarray(cells)] as const,
      planes: [
        { buffer, byteOffset: 0 },
        { buffer, byteOffset: 4 * cells },
      ] as const,
    };
  }

  it.each([
    [64, 9],
    [37, 23],
    [1, 5],
  ])('are the planes themselves, %s × %s', async (nx, ny) => {
    const { values, planes } = planesOf(nx, ny);
    const textures = createPlaneTextures(device, nx, ny);
    const made = [textures.create('first'), textures.create('second')];
    // A copy begins at multiples of 4, a binding before the plane.
    for (const [k, texture] of made.entries()) textures.copy(planes[k], texture);
    for (const [k, texture] of made.entries()) expect(await texelsOf(device, texture)).toEqual(values[k]);
    for (const texture of made) texture.destroy();
    textures.dispose();
  });

  it('are weighted sums of two planes, each texture with weights of its own in one frame', async () => {
    const [nx, ny] = [37, 23];
    const { values, planes } = planesOf(nx, ny);
    const textures = createPlaneTextures(device, nx, ny);
    const weights = [
      [0.25, 0.75],
      [1, -1],
    ] as const;
    const made = weights.map(([a, b]) => {
      const texture = textures.create('blend');
      textures.blend(planes[0], a, planes[1], b, texture);
      return texture;
    });
    for (const [k, [a, b]] of weights.entries()) {
      const expected = values[0].map((value, cell) => a * value + b * values[1][cell]);
      const most = Math.max(...values[0].map(Math.abs));
      // Two products and a sum in float32, each to half a unit of the largest term.
      expect(await texelsOf(device, made[k])).toBeClose(expected, { absolute: 4 * most * 2 ** -24 });
    }
    for (const texture of made) texture.destroy();
    textures.dispose();
  });
});
