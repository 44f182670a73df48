import { expect, it } from 'vitest';
import { chooseBackend } from '../../../engine/index.ts';

const hardware = { description: 'a GPU', software: false };
const software = { description: 'SwiftShader', software: true };

it('takes the GPU where it is hardware, and says so', () => {
  expect(chooseBackend('auto', hardware)).toEqual({ name: 'webgpu', reason: 'a GPU was found' });
});

it('never takes a software adapter by itself, and says why', () => {
  expect(chooseBackend('auto', software)).toEqual({
    name: 'wasm',
    reason: 'the only adapter, SwiftShader, is software',
  });
  expect(chooseBackend('auto', undefined)).toEqual({ name: 'wasm', reason: 'no GPU was found' });
});

it('falls back on the reference if there is no SIMD', () => {
  expect(chooseBackend('auto', undefined, false)).toEqual({
    name: 'reference',
    reason: 'no GPU was found, and no WebAssembly SIMD',
  });
});

it('does as it is asked, and reports where WebGPU is not available', () => {
  expect(chooseBackend('reference', hardware)).toEqual({ name: 'reference', reason: 'as asked for' });
  expect(chooseBackend('wasm', hardware)).toEqual({ name: 'wasm', reason: 'as asked for' });
  expect(chooseBackend('webgpu', hardware)).toEqual({ name: 'webgpu', reason: 'as asked for' });
  expect(chooseBackend('webgpu', software)).toMatchObject({ name: 'webgpu', reason: expect.stringContaining('slow') });
  expect(chooseBackend('webgpu', undefined)).toBeUndefined();
});
