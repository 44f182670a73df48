/** The kernels in C: they build where this machine has gcc and AVX2, and compute what the reference does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compare } from '../../bench/compare/compare.ts';
import { comparisonsOf } from '../../bench/compare/comparisons.ts';
import { buildNative } from '../../bench/compare/native.ts';

const SOURCES = new URL('../../bench/native', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'shoal-native-'));
const native = await buildNative(SOURCES, folder);
const { missing } = native;
if (missing !== undefined) process.stderr.write(`SKIPPED: the programs in C: ${missing}\n`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the programs in C', () => {
  it('are not there without a compiler, which is said', async () => {
    const { compiler, missing: reason } = await buildNative(SOURCES, folder, 'no-such-compiler');
    expect(compiler).toBeUndefined();
    expect(reason).toBe('missing: no-such-compiler (apt-get install gcc libc6-dev); nothing native was timed');
  });

  it('are not there if they do not build, which is said with the first error', async () => {
    const { missing: reason } = await buildNative(SOURCES, join(folder, 'no such folder'));
    expect(reason).toMatch(/^missing: /);
  });

  it.skipIf(missing !== undefined)('compute the same, on one thread and on two (needs gcc and AVX2)', async () => {
    const comparisons = comparisonsOf([], true).filter(({ program }) => program !== undefined);
    const { rows, failures } = await compare(comparisons, {
      contenders: [],
      python: undefined,
      scripts: '',
      programs: folder,
      threads: [1, 2],
      rounds: 1,
      budget: { milliseconds: 10, longestMilliseconds: 1000 },
      progress: () => undefined,
    });
    expect(failures).toEqual([]);
    expect(rows.map(({ benchmark, threads }) => [benchmark, threads])).toEqual(
      comparisons.flatMap(({ benchmark }) => [1, 2].map((threads) => [benchmark.name, threads])),
    );
    // Of numbers about one, with the rounding of float32 and some hundred operations on each.
    expect(Math.max(...rows.map(({ difference }) => difference ?? Infinity))).toBeLessThan(1e-5);
  });
});
