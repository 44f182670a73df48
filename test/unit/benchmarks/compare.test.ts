/** Shoal beside C and Python: the tables, what is missing, and, where this machine has numpy, the suites themselves. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWasmBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { compare } from '../../bench/compare/compare.ts';
import type { CompareOptions } from '../../bench/compare/compare.ts';
import { comparisonsOf } from '../../bench/compare/comparisons.ts';
import { findPython, missingLines } from '../../bench/compare/python.ts';
import type { Python } from '../../bench/compare/python.ts';
import { comparisonMarkdown, formatComparison } from '../../bench/compare/table.ts';
import type { ComparedRow } from '../../bench/compare/table.ts';
import { startKernelThread } from '../../setup/kernel-threads.ts';
import { isNightly } from '../../setup/nightly.ts';

const SCRIPTS = new URL('../../bench/python', import.meta.url).pathname;
const python = await findPython(['python3', '/usr/bin/python3']);
const hasNumpy = typeof python?.libraries.numpy === 'string';
if (!hasNumpy) process.stderr.write('SKIPPED: the Python suites, because no python3 with numpy was found\n');

const row: ComparedRow = {
  benchmark: 'letkf-256-k32-l9',
  who: 'wasm, 1 thread',
  by: 'wasm',
  threads: 1,
  milliseconds: 40,
  median: 41,
  difference: 3e-6,
  note: null,
};
const rows: readonly ComparedRow[] = [
  row,
  { ...row, who: 'webgpu', by: 'webgpu', threads: null, milliseconds: 0.4, median: 0.5 },
  { ...row, who: 'numpy', by: 'python', threads: null, milliseconds: 400, median: 420, note: 'on | one thread' },
  { ...row, benchmark: 'lax-wendroff-512', difference: null },
];

function cells(line: string): string[] {
  return line
    .split('│')
    .map((cell) => cell.trim())
    .slice(1, -1);
}

describe('the table', () => {
  const lines = formatComparison(rows).join('\n').split('\n');

  it('has a column of ratios for each of Shoal’s backends', () => {
    expect(cells(lines[1])).toEqual([
      'benchmark',
      'by',
      'best, ms',
      'median, ms',
      'difference',
      'over wasm, 1 thread',
      'over webgpu',
    ]);
    const body = lines.filter((line) => line.includes('│')).slice(1);
    expect(body.map(cells)).toEqual([
      ['letkf-256-k32-l9', 'wasm, 1 thread', '40', '41', '3.0e-6', '', ''],
      ['', 'webgpu', '0.4', '0.5', '3.0e-6', '', ''],
      ['', 'numpy', '400', '420', '3.0e-6', '10 ×', '1000 ×'],
      ['lax-wendroff-512', 'wasm, 1 thread', '40', '41', '–', '', ''],
    ]);
    expect(lines.slice(-2)).toEqual(['notes:', '  letkf-256-k32-l9, numpy: on | one thread']);
  });

  it('begins with the distance to C, if that was timed', () => {
    const two = { ...row, who: 'wasm, 2 threads', threads: 2, milliseconds: 25 };
    const native = { ...row, who: 'C, 1 thread', by: 'native', milliseconds: 16 } as const;
    const numpy = { ...row, who: 'numpy', by: 'python', threads: null, milliseconds: 400 } as const;
    const other = { ...numpy, who: 'another filter', milliseconds: 4, note: 'not the same' };
    const all = [row, two, native, { ...native, threads: 2, milliseconds: 8 }, numpy, other];
    const [table] = formatComparison(all);
    const [head, body] = table.split('\n').filter((text) => text.includes('│'));
    expect(cells(head)).toEqual([
      'kernel, ms',
      'C, 1',
      'C, 2',
      'wasm, 1',
      'wasm, 2',
      'Python',
      'wasm over C',
      'wasm, 1 over 2',
    ]);
    expect(cells(body)).toEqual(['letkf-256-k32-l9', '16', '8', '40', '25', '400', '2.5 ×', '1.6 ×']);
    expect(comparisonMarkdown(all, 'about')).toContain(
      '| letkf-256-k32-l9 | 16 | 8 | 40 | 25 | 400 | 2.5 × | 1.6 × |\n',
    );
    const alone = comparisonMarkdown(all.slice(0, 4), 'about');
    expect(alone).toContain('| letkf-256-k32-l9 | 16 | 8 | 40 | 25 | 2.5 × | 1.6 × |\n');
  });

  it('is Markdown as well', () => {
    const text = comparisonMarkdown(rows, 'about this machine');
    expect(text).toMatch(
      /^about this machine\n\n\| benchmark \| by \| best, ms \|.*\| over webgpu \|\n\| --- \| --- \| ---: /,
    );
    expect(text).toContain('\n|  | numpy | 400 | 420 | 3.0e-6 | 10 × | 1000 × |\n');
  });
});

describe('what is missing', () => {
  const all: Python = {
    command: 'python3',
    version: '3.11.2',
    libraries: { numpy: '1.24.2', scipy: '1.10.1', jax: '0.11', cupy: '14.2' },
  };
  it('is said with what adds it', () => {
    expect(missingLines(undefined)).toEqual([
      'missing: python3 (apt-get install python3-numpy python3-scipy); only Shoal was timed',
    ]);
    expect(missingLines(all)).toEqual([]);
    expect(missingLines({ ...all, libraries: { ...all.libraries, numpy: null, scipy: null } })).toEqual([
      'missing: numpy for python3, Python 3.11.2 (apt-get install python3-numpy); only Shoal was timed',
      'missing: scipy for python3, Python 3.11.2 (apt-get install python3-scipy)',
    ]);
  });
});

describe('the comparison', () => {
  let folder = '';
  let wasm: Backend;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-python-'));
    wasm = await createWasmBackend({ threads: 1, startThread: startKernelThread });
  });
  afterAll(() => {
    wasm.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A command that answers as Python would: to what is asked of its libraries, and to a suite. */
  function pretending(name: string, libraries: Python['libraries'], suite = 'exit 0'): string {
    const command = join(folder, name);
    const answer = JSON.stringify({ version: '3.0.0', libraries });
    writeFileSync(command, `#!/bin/sh\nif [ "$1" = -c ]; then echo '${answer}'; else ${suite}; fi\n`);
    chmodSync(command, 0o755);
    return command;
  }
  const none = { numpy: null, scipy: null, jax: null, cupy: null };
  const numpy = { ...none, numpy: '2.0.0' };

  const options = (change: Partial<CompareOptions> = {}): CompareOptions => ({
    contenders: [{ who: 'wasm, 1 thread', backend: wasm }],
    python: undefined,
    scripts: SCRIPTS,
    programs: undefined,
    threads: [1],
    rounds: 1,
    budget: { milliseconds: 10, longestMilliseconds: 1000 },
    progress: () => undefined,
    ...change,
  });

  it('takes the Python that has most of what is needed', async () => {
    const [bare, withNumpy, withBoth] = [
      pretending('bare', none),
      pretending('with-numpy', numpy),
      pretending('with-both', { ...numpy, scipy: '1.0.0' }),
    ];
    expect((await findPython([bare, withNumpy, withBoth]))?.command).toBe(withBoth);
    expect((await findPython([bare, withNumpy]))?.command).toBe(withNumpy);
    expect((await findPython([join(folder, 'absent'), bare]))?.command).toBe(bare);
    expect(await findPython([join(folder, 'absent')])).toBeUndefined();
  });

  it('has Shoal alone if there is no Python', async () => {
    const { rows: found, failures } = await compare(comparisonsOf(['letkf'], true), options());
    expect(failures).toEqual([]);
    expect(found.map(({ benchmark, who }) => [benchmark, who])).toEqual([['letkf-32-k12-l9', 'wasm, 1 thread']]);
    expect(found[0].difference).toBeLessThan(2e-4);
  });

  it('keeps the better time, and says what failed or computed something else', async () => {
    const json = JSON.stringify({
      versions: {},
      rows: [
        { form: 'right', note: null, difference: 1e-6, milliseconds: 2, median: 3, runs: 5 },
        { form: 'wrong', note: null, difference: 0.5, milliseconds: 2, median: 3, runs: 5 },
        { form: 'another', note: 'by choice', difference: 0.5, tolerance: 1, milliseconds: 2, median: 3, runs: 5 },
        { form: 'empty', note: null, difference: null, milliseconds: 2, median: 3, runs: 5 },
        { form: 'too large', note: null, failure: 'not enough memory' },
      ],
    });
    const found = await findPython([pretending('answers', numpy, `echo '${json}'`)]);
    const answered = await compare(comparisonsOf(['letkf'], true), options({ python: found, rounds: 2 }));
    expect(answered.rows.map(({ who }) => who)).toEqual(['wasm, 1 thread', 'right', 'wrong', 'another', 'empty']);
    expect(answered.failures).toEqual([
      'letkf-32-k12-l9, wrong: computed something else: 0.5 from the reference, 0.0002 is allowed',
      'letkf-32-k12-l9, empty: computed something else: no numbers',
      'letkf-32-k12-l9, too large: not enough memory',
    ]);
    const breaks = await findPython([pretending('breaks', numpy, 'echo ValueError: no >&2; exit 1')]);
    const broken = await compare(comparisonsOf(['letkf'], true), options({ python: breaks }));
    expect(broken.failures).toEqual([expect.stringMatching(/^letkf-32-k12-l9: .*letkf\.py failed: ValueError: no$/)]);
  });

  it('knows its suites', () => {
    expect(() => comparisonsOf(['letfk'], true)).toThrow("unknown suite 'letfk'; suites are recursive-filter, ");
    expect(comparisonsOf([], true)).toHaveLength(comparisonsOf([], false).length);
  });

  it.runIf(hasNumpy && isNightly)('computes the same in Python (needs python3 with numpy)', async () => {
    const comparisons = comparisonsOf([], true).filter(({ script }) => script !== undefined);
    const { rows: found, failures } = await compare(comparisons, options({ python }));
    expect(failures).toEqual([]);
    for (const { benchmark } of comparisons) {
      const others = found.filter((one) => one.benchmark === benchmark.name && one.by === 'python');
      expect(others.length).toBeGreaterThan(0);
    }
  });
});
