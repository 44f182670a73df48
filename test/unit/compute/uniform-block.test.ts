import { describe, expect, it } from 'vitest';
import { uniformBlock, uniformBytes } from '../../../engine/compute/webgpu/uniform-block.ts';
import type { Operator } from '../../../engine/index.ts';
import { applyOperator, backends } from '../../setup/backends.ts';

const block = uniformBlock('Sizes', { count: 'u32', lag: 'i32', factor: 'f32', first: 'u32', last: 'f32' });
const values = { count: 4_000_000_000, lag: -3, factor: 0.1, first: 7, last: -2.5 };

describe('uniformBlock', () => {
  it('makes the struct of the description, members in order', () => {
    expect(block.wgsl).toBe(
      'struct Sizes {\n  count: u32,\n  lag: i32,\n  factor: f32,\n  first: u32,\n  last: f32,\n}\n',
    );
  });

  it('lays members out by name, whatever the order of the values, padded to 16 bytes', () => {
    const bytes = new DataView(
      uniformBytes(block, { last: -2.5, first: 7, factor: 0.1, lag: -3, count: 4_000_000_000 }),
    );
    expect(bytes.byteLength).toBe(32);
    expect(bytes.getUint32(0, true)).toBe(4_000_000_000);
    expect(bytes.getInt32(4, true)).toBe(-3);
    expect(bytes.getFloat32(8, true)).toBe(Math.fround(0.1));
    expect(bytes.getUint32(12, true)).toBe(7);
    expect(bytes.getFloat32(16, true)).toBe(-2.5);
  });

  it('does not compile with a member missing or unknown', () => {
    // @ts-expect-error: lag, factor, first and last are missing
    expect(uniformBytes(block, { count: 1 }).byteLength).toBe(32);
    // @ts-expect-error: step is no member
    expect(uniformBytes(block, { ...values, step: 1 }).byteLength).toBe(32);
    // @ts-expect-error: f16 is no type of a member
    expect(uniformBlock('Sizes', { count: 'f16' }).wgsl).toContain('f16');
  });

  const webgpu = backends.find(({ name }) => name === 'webgpu');
  it.skipIf(webgpu === undefined)('is read by a kernel as it was filled', async () => {
    const members: Operator<null, { output: 'real' }> = {
      name: 'uniform-members',
      fields: { output: 'real' },
      cost: () => ({ bytes: 0, flops: 0 }),
      implementations: {
        reference: () => () => undefined,
        webgpu: () =>
          Promise.resolve(async (builder) => {
            const program = await builder.program({
              label: 'uniform-members.main',
              code: [
                block.wgsl,
                `@group(0) @binding(0) var<uniform> sizes: Sizes;
                 @group(0) @binding(1) var<storage, read_write> output: array<f32>;
                 @compute @workgroup_size(1) fn main() {
                   output[0] = f32(sizes.count);
                   output[1] = f32(sizes.lag);
                   output[2] = sizes.factor;
                   output[3] = f32(sizes.first);
                   output[4] = sizes.last;
                 }`,
              ],
              bindings: ['uniform', 'write'],
            });
            const sizes = builder.uniform('sizes', block, values);
            return (recorder, { output }) => recorder.dispatch(program, [sizes, output], [1]);
          }),
      },
    };
    const backend = await webgpu?.open();
    if (!backend) throw new Error('no backend');
    const { output } = await applyOperator(backend, members, null, { output: 5 });
    expect(Array.from(output)).toEqual(Object.values(values).map(Math.fround));
    backend.dispose();
  });
});
