import { describe, expect, it } from 'vitest';
import { selectBackend } from '../../../app/cli/select-backend.ts';
import type { Surroundings } from '../../../app/cli/select-backend.ts';
import { BackendError } from '../../../engine/index.ts';

const adapter = (description: string, software: boolean) => ({
  description,
  vendor: '',
  software,
  features: [],
  limits: {},
});
const hardware = adapter('a real GPU', false);
const software = adapter('SwiftShader', true);

/** A machine: its own adapter, and the one that appears with SwiftShader's environment. */
function machine(own: typeof hardware | undefined, standIn: boolean): Surroundings {
  return {
    findAdapter: (environment) => Promise.resolve(environment ? software : own),
    findSoftwareDriver: () => Promise.resolve(standIn ? { VK_ICD_FILENAMES: 'icd.json' } : undefined),
  };
}

describe('the choice of a backend', () => {
  it('is WebGPU on a real GPU', async () => {
    expect(await selectBackend('auto', machine(hardware, true))).toMatchObject({ name: 'webgpu', why: 'a real GPU' });
    expect(await selectBackend('webgpu', machine(hardware, true))).toMatchObject({ name: 'webgpu', why: 'a real GPU' });
  });

  it('is never software by itself', async () => {
    for (const own of [undefined, software]) {
      expect(await selectBackend('auto', machine(own, true))).toMatchObject({ kind: 'here', name: 'wasm' });
    }
  });

  it('starts anew with SwiftShader where WebGPU is asked for without a GPU', async () => {
    expect(await selectBackend('webgpu', machine(undefined, true))).toMatchObject({
      kind: 'anew',
      environment: { VK_ICD_FILENAMES: 'icd.json' },
    });
    expect(await selectBackend('webgpu', machine(software, false))).toMatchObject({ kind: 'here', name: 'webgpu' });
  });

  it('refuses WebGPU where there is none, with the next step', async () => {
    await expect(selectBackend('webgpu', machine(undefined, false))).rejects.toThrow(BackendError);
    await expect(selectBackend('webgpu', machine(undefined, false))).rejects.toThrow('--backend wasm');
  });
});
