import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { nodeGpu, pollPatiently } from '../../../app/cli/adapters.ts';
import { requestDevice } from '../../../engine/compute/webgpu/device.ts';
import { backends } from '../../setup/backends.ts';

/** What the addon gives looks like this: native, without a name. */
const ofAddon = Function.prototype as unknown as () => void;

describe('patient polling', () => {
  it('lets what begins turn at once, others too, and puts Node’s own back', async () => {
    const scope = { setImmediate };
    const restore = pollPatiently(scope);
    expect(scope.setImmediate).not.toBe(setImmediate);
    const order: unknown[] = [];
    await new Promise<void>((resolve) => {
      scope.setImmediate(ofAddon);
      scope.setImmediate((...given) => order.push(given), 1, 'two');
      scope.setImmediate(resolve);
    });
    expect(order).toEqual([[1, 'two']]);
    expect(await promisify(scope.setImmediate)('value')).toBe('value');
    const cleared = scope.setImmediate(() => order.push('cleared'));
    clearImmediate(cleared);
    await new Promise(setImmediate);
    expect(order).toHaveLength(1);
    restore();
    expect(scope.setImmediate).toBe(setImmediate);
  });
});

const onSoftware = process.env['VK_ICD_FILENAMES']?.includes('swiftshader') ?? false;
const kernel = `@group(0) @binding(0) var<storage, read_write> results: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x);
  for (var i = 0u; i < 100000u; i++) { x = x * 0.999 + 0.1; }
  results[id.x] = x;
}`;

describe.runIf(onSoftware && backends.some(({ name }) => name === 'webgpu'))('a wait for SwiftShader', () => {
  it('leaves the thread to rest', async () => {
    const { device } = await requestDevice(await nodeGpu());
    const pipeline = device.createComputePipeline({
      layout: 'auto',
      compute: { module: device.createShaderModule({ code: kernel }) },
    });
    const buffer = device.createBuffer({ size: 4096, usage: GPUBufferUsage.STORAGE });
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer } }],
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(16);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const before = performance.eventLoopUtilization();
    await device.queue.onSubmittedWorkDone();
    // A thread that polls without a rest is never idle.
    expect(performance.eventLoopUtilization(before).idle).toBeGreaterThan(0);
    device.destroy();
  });
});
