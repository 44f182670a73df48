/** Pipelines of a device, shared by all that compute on it: each compiled once, and one that was refused asked for again. */
import { afterEach, expect, it, vi } from 'vitest';
import { pipelinesOf } from '../../../engine/compute/webgpu/kernel-builder.ts';

afterEach(() => vi.unstubAllGlobals());

/** A module without messages, or anything else that is made at once. */
const made = () => ({ getCompilationInfo: () => Promise.resolve({ messages: [] }) });

/** A device that refuses the first pipelines. */
function deviceThatRefuses(times: number) {
  vi.stubGlobal('GPUShaderStage', { COMPUTE: 4 });
  const compile = vi.fn(() => Promise.resolve({}));
  for (let i = 0; i < times; i++) compile.mockImplementationOnce(() => Promise.reject(new Error('out of memory')));
  const device = {
    pushErrorScope: () => undefined,
    popErrorScope: () => Promise.resolve(null),
    createShaderModule: made,
    createBindGroupLayout: made,
    createPipelineLayout: made,
    createComputePipelineAsync: compile,
  };
  return { device: device as unknown as GPUDevice, compile };
}

const KERNEL = { label: 'test.main', code: ['@compute @workgroup_size(1) fn main() {}'], bindings: [] };

it('are compiled once for a device', async () => {
  const { device, compile } = deviceThatRefuses(0);
  const first = await pipelinesOf(device).get(KERNEL);
  expect(await pipelinesOf(device).get(KERNEL)).toBe(first);
  expect(compile).toHaveBeenCalledOnce();
});

it('are asked for again where they were refused', async () => {
  const { device, compile } = deviceThatRefuses(1);
  await expect(pipelinesOf(device).get(KERNEL)).rejects.toThrow(
    'kernel test.main was refused by the GPU: out of memory',
  );
  expect(await pipelinesOf(device).get(KERNEL)).toMatchObject({ label: 'test.main' });
  expect(compile).toHaveBeenCalledTimes(2);
});
