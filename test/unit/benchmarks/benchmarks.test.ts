import { describe, expect, it } from 'vitest';
import { benchmarkNamed, benchmarksOf, createReferenceBackend, resultOf, SUITES } from '../../../engine/index.ts';

const full = benchmarksOf(SUITES, 'papers');
const usual = benchmarksOf(SUITES, 'usual');
const quick = benchmarksOf(SUITES, 'quick');

/** The name without its numbers. */
function pattern(name: string): string {
  return name.replaceAll(/\d+/g, '#').replace(/-k#$/, '');
}

describe('benchmarks', () => {
  it('have names of their own, among them those that others rely on', () => {
    const names = [...full, ...quick].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of [
      'recursive-filter-1d-100000-k500',
      'recursive-filter-2d-1024-k10',
      'convolution-124x132x130',
      'letkf-256-k32-l9',
      'gain-covariance-16384x64-m129',
      'lax-wendroff-512',
      'richtmyer-512',
    ]) {
      expect(usual.find((benchmark) => benchmark.name === name)).toBeDefined();
      expect(benchmarkNamed(name)?.name).toBe(name);
    }
    expect(benchmarkNamed('letkf')).toBeUndefined();
  });

  it('exist for every suite in all sizes, in the order of the suites', () => {
    for (const sizes of [full, usual, quick]) expect([...new Set(sizes.map(({ suite }) => suite))]).toEqual(SUITES);
    const chosen = benchmarksOf(['cycle', 'letkf'], 'quick').map(({ suite }) => suite);
    expect([...new Set(chosen)]).toEqual(['letkf', 'cycle']);
    expect(chosen).toHaveLength(chosen.lastIndexOf('letkf') + 1 + chosen.filter((suite) => suite === 'cycle').length);
  });

  it('have quick sizes of the same pattern of names', () => {
    const patterns = new Set(full.map(({ name }) => pattern(name)));
    for (const { name } of quick) expect(patterns).toContain(pattern(name));
  });

  it.each(quick)('$name computes something, the same each time', async (benchmark) => {
    const backend = createReferenceBackend();
    const first = await resultOf(backend, benchmark);
    expect(first.every(Number.isFinite)).toBe(true);
    expect(new Set(first).size).toBeGreaterThan(first.length / 4);
    expect(await resultOf(createReferenceBackend(), benchmark)).toEqual(first);
    backend.dispose();
  });

  it('put back what runs change, and notice when they went wrong', async () => {
    const backend = createReferenceBackend();
    const workload = await (benchmarkNamed('lax-wendroff-48')?.open(backend) ?? Promise.reject(new Error('missing')));
    await workload.run();
    const once = await workload.result();
    await workload.run();
    expect(await workload.result()).not.toEqual(once);
    workload.reset();
    await workload.run();
    expect(await workload.result()).toEqual(once);
    await expect(workload.verify()).resolves.toBeUndefined();
    workload.dispose();
  });
});
