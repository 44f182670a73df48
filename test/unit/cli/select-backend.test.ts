import { describe, expect, it } from 'vitest';
import { addressProblem, selectBackend } from '../../../app/cli/select-backend.ts';
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
    limitOf: () => Promise.resolve(undefined),
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

  it('starts again with SwiftShader where WebGPU is asked for without a GPU', async () => {
    expect(await selectBackend('webgpu', machine(undefined, true))).toMatchObject({
      kind: 'restart',
      environment: { VK_ICD_FILENAMES: 'icd.json' },
    });
    expect(await selectBackend('webgpu', machine(software, false))).toMatchObject({ kind: 'here', name: 'webgpu' });
  });

  it('refuses WebGPU if there is none, with the next step', async () => {
    await expect(selectBackend('webgpu', machine(undefined, false))).rejects.toThrow(BackendError);
    await expect(selectBackend('webgpu', machine(undefined, false))).rejects.toThrow('--backend wasm');
  });
});

describe('without the package that carries WebGPU', () => {
  const webGpuRemedy = 'npm install webgpu@1.2.3';
  const without: Surroundings = { ...machine(hardware, true), webGpuRemedy };

  it('computes on the processor by itself, and says how a GPU is used', async () => {
    expect(await selectBackend('auto', without)).toMatchObject({ name: 'wasm', why: `to use a GPU: ${webGpuRemedy}` });
    expect(await selectBackend('wasm', without)).not.toMatchObject({ why: expect.stringContaining(webGpuRemedy) });
  });

  it('refuses WebGPU with the command that adds it', async () => {
    await expect(selectBackend('webgpu', without)).rejects.toThrow(`which is not installed: ${webGpuRemedy}`);
  });
});

describe('a limit of addresses', () => {
  const GIBIBYTE = 2 ** 30;
  /** As `ulimit -v` with so many GiB. */
  const limited = (gibibytes: number): Surroundings => ({
    ...machine(undefined, false),
    limitOf: (name) =>
      Promise.resolve(addressProblem(name, { limit: gibibytes * GIBIBYTE, reserved: 1.2 * GIBIBYTE }, 2)),
  });

  it('within which wasm does not fit leaves the reference backend, and says why', async () => {
    for (const gibibytes of [4, 12, 16, 20]) {
      const found = await selectBackend('auto', limited(gibibytes));
      expect(found).toMatchObject({ kind: 'here', name: 'reference' });
      expect(found.why).toBe(
        `slow; addresses of this process are limited to ${gibibytes}.0 GiB (ulimit -v), ` +
          'the wasm backend needs 23.7 GiB: raise the limit (ulimit -v unlimited), or use --backend reference',
      );
    }
    expect(await selectBackend('auto', limited(24))).toMatchObject({ name: 'wasm', why: 'no GPU was found' });
  });

  it('refuses what was asked for and does not fit, with the next step', async () => {
    await expect(selectBackend('wasm', limited(16))).rejects.toThrow(BackendError);
    await expect(selectBackend('wasm', limited(16))).rejects.toThrow('or use --backend reference');
    expect(await selectBackend('reference', limited(4))).toMatchObject({ name: 'reference', why: 'as asked for' });
    for (const asked of ['auto', 'reference'] as const) {
      await expect(selectBackend(asked, limited(1.5))).rejects.toThrow('the reference backend needs 2.7 GiB');
    }
  });
});
