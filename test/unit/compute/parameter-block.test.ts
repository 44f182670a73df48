import { describe, expect, it } from 'vitest';
import { classesOf } from '../../../app/cli/bootstrap/kernels.mjs';
import { blockBindings, parameterBlock, uniformBlock, uniformBytes } from '../../../engine/compute/parameter-block.ts';
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
    expect(() => uniformBytes(block, { count: 1 })).toThrow('Sizes: lag has no value');
    // @ts-expect-error: step is no member
    expect(uniformBytes(block, { ...values, step: 1 }).byteLength).toBe(32);
    // @ts-expect-error: f16 is no type of a member
    expect(uniformBlock('Sizes', { count: 'f16' }).name).toBe('Sizes');
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

describe('parameterBlock', () => {
  const described = `parameterBlock('Sizes', {
    /** Cells, at least 1. */
    cells: 'count',
    periodic: 'flag',
    factor: 'f32',
    input: 'read real',
    rows: 'read index',
    output: 'write real',
    table: 'pointer',
    segment: 'part',
  })`;
  const sizes = parameterBlock('Sizes', {
    cells: 'count',
    periodic: 'flag',
    factor: 'f32',
    input: 'read real',
    rows: 'read index',
    output: 'write real',
    table: 'pointer',
    segment: 'part',
  });

  it('gives WGSL its numbers as a struct and its arrays as bindings', () => {
    expect(blockBindings(sizes)).toBe(
      'struct Parameters {\n  cells: u32,\n  periodic: u32,\n  factor: f32,\n}\n' +
        '@group(0) @binding(0) var<uniform> parameters: Parameters;\n' +
        '@group(0) @binding(1) var<storage, read> input: array<f32>;\n' +
        '@group(0) @binding(2) var<storage, read> rows: array<u32>;\n' +
        '@group(0) @binding(3) var<storage, read_write> output: array<f32>;\n',
    );
    expect(sizes.fields).toEqual({ input: 'real', rows: 'index', output: 'real' });
    expect([...new Uint32Array(uniformBytes(sizes, { cells: 7, periodic: true, factor: 0 }))]).toEqual([7, 1, 0, 0]);
  });

  it('gives AssemblyScript all of them as a class, in their order', () => {
    expect(classesOf('sizes.ts', described)).toBe(
      '@unmanaged\nexport class Sizes {\n  cells: i32;\n  periodic: i32;\n  factor: f32;\n  input: usize;\n  rows: usize;\n' +
        '  output: usize;\n  table: usize;\n  segment: i32;\n}\n',
    );
  });

  it('spreads a constant of the file into the class', () => {
    const source =
      "const SHAPE = {\n  nx: 'count',\n  ny: 'count',\n} as const;\nparameterBlock('Plane', { ...SHAPE, dx: 'f32' })";
    expect(classesOf('plane.ts', source)).toContain('{\n  nx: i32;\n  ny: i32;\n  dx: f32;\n}');
  });

  it('does not make a class of what it cannot read', () => {
    expect(() => classesOf('plane.ts', "parameterBlock('Plane', { nx: kind })")).toThrow(
      "plane.ts: 'nx: kind' is no member of a parameter block",
    );
    expect(() => classesOf('plane.ts', "parameterBlock('Plane', { nx: 'f16' })")).toThrow("'nx: 'f16''");
    expect(() => classesOf('plane.ts', "parameterBlock('Plane', { ...SHAPE })")).toThrow(
      'SHAPE is neither a constant of the file nor imported',
    );
  });

  it('writes words by name, little-endian and one after the other', () => {
    const memory = new ArrayBuffer(64);
    sizes.write(memory, 16, { table: 0xf000_0000, cells: 3, factor: 0.1, periodic: true });
    const view = new DataView(memory, 16);
    expect(sizes.bytes).toBe(32);
    expect(view.getInt32(0, true)).toBe(3);
    expect(view.getUint32(4, true)).toBe(1);
    expect(view.getFloat32(8, true)).toBe(Math.fround(0.1));
    expect(view.getUint32(24, true)).toBe(0xf000_0000);
  });

  it('leaves what is not given as it was', () => {
    const block = parameterBlock('Sizes', { lag: 'i32', place: 'pointer' });
    const memory = new ArrayBuffer(8);
    block.write(memory, 0, { lag: -5, place: 7 });
    block.write(memory, 0, { place: 9 });
    expect([...new Int32Array(memory)]).toEqual([-5, 9]);
  });
});
