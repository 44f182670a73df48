import { describe, expect, it } from 'vitest';
import { workgroupOf } from '../../../engine/compute/webgpu/kernel-builder.ts';
import { measureCeilings, occupy, type KernelSample } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';

describe.each(backends)('the ceilings of $name', ({ open }) => {
  it('are measured, by kernels that nothing else in the process sees afterwards', async () => {
    const backend = await open();
    const measured = await measureCeilings(backend);
    const { copyGigabytesPerSecond, fmaGigaflopsPerSecond, dispatchMicroseconds, tickMicroseconds } = measured;
    // Between a millionth and a million times what a core does: units that are off by 10⁹ would show.
    for (const rate of [copyGigabytesPerSecond, fmaGigaflopsPerSecond]) {
      expect(rate).toBeGreaterThan(1e-3);
      expect(rate).toBeLessThan(1e6);
    }
    // An empty run takes some time, and less than a tenth of a second.
    expect(dispatchMicroseconds).toBeGreaterThan(0);
    expect(dispatchMicroseconds).toBeLessThan(1e5);
    expect(tickMicroseconds).toBeGreaterThan(0);
    expect(tickMicroseconds).toBeLessThan(1000);
    const later: KernelSample[] = [];
    backend.onKernel((sample) => later.push(sample));
    await backend.settle();
    expect(later).toEqual([]);
    backend.dispose();
  });

  it('are preceded by as much work as is asked for', async () => {
    const backend = await open();
    const begin = performance.now();
    const samples: KernelSample[] = [];
    backend.onKernel((sample) => samples.push(sample));
    await occupy(backend, 40);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(40);
    const busy = samples.reduce((sum, { microseconds }) => sum + microseconds, 0);
    // Nearly all of it in the kernel; the rest is waiting for it.
    expect(busy).toBeGreaterThan(20_000);
    backend.dispose();
  });
});

describe('workgroupOf', () => {
  it.each([
    ['@compute @workgroup_size(256)\nfn main() {}', {}, [256]],
    ['const COLUMNS = 32u;\nconst ROWS: u32 = 4u;\n@compute @workgroup_size(COLUMNS, ROWS) fn main() {}', {}, [32, 4]],
    ['override LANES: u32 = 8;\n@compute @workgroup_size(LANES) fn main() {}', { LANES: 128 }, [128]],
    ['@compute @workgroup_size(8) fn other() {}\n@compute @workgroup_size(16, 16, 2) fn main() {}', {}, [16, 16, 2]],
    ['fn main() {}', {}, [1]],
  ])('reads %j with %j', (code, constants, expected) => {
    expect(workgroupOf(code, 'main', constants)).toEqual(expected);
  });
});
