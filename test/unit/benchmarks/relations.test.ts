import { describe, expect, it } from 'vitest';
import {
  benchmarkNamed,
  compareWithPublished,
  createReferenceBackend,
  relateRows,
  rowOf,
} from '../../../engine/index.ts';
import type { BenchmarkRow, Ceilings } from '../../../engine/index.ts';

const ceilings: Ceilings = {
  copyGigabytesPerSecond: 40,
  fmaGigaflopsPerSecond: 20,
  dispatchMicroseconds: 1,
  clock: 'wall',
  tickMicroseconds: 0.1,
};

function row(name: string, milliseconds: number, change: Partial<BenchmarkRow> = {}): BenchmarkRow {
  const benchmark = benchmarkNamed(name);
  if (!benchmark) throw new Error(`there is no benchmark ${name}`);
  const measurement = {
    microseconds: [1000 * milliseconds],
    clock: 'wall',
    cost: { bytes: 1, flops: 1 },
    whole: undefined,
    result: Float64Array.of(1),
    tooLongMilliseconds: undefined,
  } as const;
  return { ...rowOf(benchmark, createReferenceBackend(), measurement, ceilings), ...change };
}

/** The published values beside a benchmark. */
function figures(name: string) {
  const { published, otherPublished } = row(name, 1);
  return [published, ...otherPublished].map((figure) => figure?.value);
}

describe('rows of one process', () => {
  it('of a series say how the time of a cell grows from 256² on', () => {
    const rows = relateRows(
      [
        row('lax-wendroff-256', 2),
        row('lax-wendroff-512', 10),
        row('lax-wendroff-1024', 48, { backend: 'webgpu', threads: null }),
        row('richtmyer-512', 10),
      ],
      () => false,
    );
    // 256² cells and 20 steps in 2 ms.
    expect(rows[0].nanosecondsPerCell).toBeCloseTo(2e6 / (256 * 256 * 20), 12);
    expect(rows.map(({ growth }) => growth)).toEqual([1, 1.25, null, null]);
  });

  it('are beside one thread where that is what was published', () => {
    const name = 'letkf-c-full-256-k32-l9';
    const form = 'letkf-c-full-members-256-k32-l9';
    const [gpu, reference, wasm] = relateRows(
      [
        row(form, 0.5, { backend: 'webgpu', threads: null }),
        row(name, 100, { backend: 'reference' }),
        row(name, 10, { backend: 'wasm', threads: 1 }),
      ],
      () => true,
    );
    expect(gpu.overOneThread).toEqual({ reference: 200, wasm: 20 });
    expect(wasm.overOneThread).toEqual({ reference: 10, wasm: 1 });
    // 181.1 and 225.8 of Table on 256² cells; ours is the ratio to one thread of wasm.
    expect(gpu.published).toMatchObject({ value: 181.1, unit: '× one core', measured: 20 });
    expect(gpu.published?.ratio).toBeCloseTo(20 / 181.1, 12);
    expect(gpu.otherPublished).toMatchObject([{ value: 225.8, measured: 20 }]);
    expect(reference.overOneThread).toEqual({ reference: 1, wasm: 0.1 });
    // One thread is the measure itself.
    expect(wasm.published).toMatchObject({ value: 181.1, measured: null, ratio: null });
    const [alone] = relateRows([row(form, 0.5, { backend: 'webgpu', threads: null })], () => true);
    expect(alone).toMatchObject({ overOneThread: { reference: null, wasm: null }, published: { measured: null } });
  });

  it('have the published figures of their tables', () => {
    expect(figures('recursive-filter-1d-100000-k500')).toEqual([757.912]);
    expect(figures('recursive-filter-1d-50000-k100-sweeps')).toEqual([172.197]);
    expect(figures('recursive-filter-1d-50000-k100-t1000-m5')).toEqual([4.711]);
    // Table 2 alone; Table 3 and Table 2.
    expect(figures('recursive-filter-1d-10000-k500-3x1024-m5')).toEqual([0.12]);
    expect(figures('recursive-filter-1d-10000-k500-1x1024-m5')).toEqual([0.13, 0.38]);
    expect(figures('recursive-filter-1d-100000-k10-t100-m5')).toEqual([6.93, 7.24]);
    expect(figures('convolution-passes-1d-124x132x130-scalar-1x1-transposed-inverse')).toEqual([105, 92]);
    expect(figures('convolution-passes-1d-1x32x5040-vector-1x6')).toEqual([8.57]);
    expect(figures('gain-covariance-16384x64-m129')).toEqual([9, 17, 20, 60, 3600]);
    const [gain] = benchmarkNamed('gain-covariance-16384x64-m129')?.published ?? [];
    expect(compareWithPublished(gain, 9).includes).toContain('CSV');
  });
});
