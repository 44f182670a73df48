import { describe, expect, it } from 'vitest';
import { measureCeilings, type KernelSample } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';

const webgpu = backends.find(({ name }) => name === 'webgpu');

describe.runIf(webgpu)('the GPU under Node', () => {
  it('times kernels to less than the 65.536 µs that pages are given', async () => {
    if (!webgpu) return;
    const backend = await webgpu.open();
    const samples: KernelSample[] = [];
    const stop = backend.onKernel((sample) => samples.push(sample));
    await measureCeilings(backend);
    stop();
    backend.dispose();
    const nanoseconds = samples.map(({ microseconds }) => Math.round(1000 * microseconds));
    expect(samples.map(({ clock }) => clock)).toContain('device');
    expect(nanoseconds.filter((time) => time % 65_536 !== 0).length).toBeGreaterThan(nanoseconds.length / 2);
  });
});
