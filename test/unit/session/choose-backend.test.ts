import { expect, it } from 'vitest';
import { BackendError } from '../../../engine/index.ts';
import { chooseBackend } from '../../../app/renderer/session/choose-backend.ts';
import { findAdapter } from '../../../app/renderer/session/page-gpu.ts';

const hardware = { description: 'a GPU', vendor: 'v', software: false, features: [], limits: {} };
const software = { ...hardware, description: 'SwiftShader', software: true };

it('takes the GPU where it is hardware, and says so', () => {
  expect(chooseBackend('auto', hardware)).toEqual({ name: 'webgpu', reason: 'a GPU was found' });
});

it('never takes a software adapter by itself, and says why', () => {
  expect(chooseBackend('auto', software)).toEqual({
    name: 'reference',
    reason: 'the only adapter, SwiftShader, is software',
  });
  expect(chooseBackend('auto', undefined)).toEqual({ name: 'reference', reason: 'no GPU was found' });
});

it('does as it is asked, and refuses WebGPU where there is none', () => {
  expect(chooseBackend('reference', hardware).name).toBe('reference');
  expect(chooseBackend('webgpu', software)).toMatchObject({ name: 'webgpu', reason: expect.stringContaining('slow') });
  expect(() => chooseBackend('webgpu', undefined)).toThrow(BackendError);
});

it('takes a browser that refuses its GPU for one without', async () => {
  const refusing = { requestAdapter: () => Promise.reject(new Error('blocked')) } as unknown as GPU;
  expect(await findAdapter(refusing)).toBeUndefined();
  expect(await findAdapter(undefined)).toBeUndefined();
});
