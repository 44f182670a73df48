import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digits, benchDocument, formatFindings, markdownOf } from '../../../app/cli/bench/report.ts';
import type { BenchFindings } from '../../../app/cli/bench/report.ts';
import { oneThreadJobs } from '../../../app/cli/bench/execute.ts';
import type { BenchJob } from '../../../app/cli/bench/execute.ts';
import { assertWritable, jsonTarget, markdownPath, writeDocument } from '../../../app/cli/targets.ts';
import { selectExtent, selectSuites } from '../../../app/cli/commands/bench.ts';
import { benchDocumentSchema, benchmarksOf, SUITES } from '../../../engine/index.ts';
import type { BenchmarkRow } from '../../../engine/index.ts';
import { benchmarkRow } from '../../setup/benchmark-document.ts';

const row: BenchmarkRow = {
  ...benchmarkRow,
  table: 'LETKF: the whole analysis',
  parameters: { n: 256, k: 32 },
  series: 'letkf-k32',
  backend: 'webgpu',
  threads: null,
  milliseconds: 0.3751,
  median: 0.4,
  clock: 'device',
  bytes: 17e6,
  flops: 4.8e8,
  GBs: 45.87,
  GFLOPs: 1286.4,
  fractionOfCeiling: 0.0249,
  bound: 'arithmetic',
  published: {
    value: 2.75,
    unit: 'ms for 16384 points',
    hardware: 'H100',
    source: 'somewhere',
    includes: null,
    measured: 0.09375,
    ratio: 29.333,
  },
  otherPublished: [
    {
      value: 92.7,
      unit: '× one core',
      hardware: 'GTX 460',
      source: 'elsewhere',
      includes: 'C alone',
      measured: null,
      ratio: null,
    },
  ],
};
const slow: BenchmarkRow = {
  ...row,
  suite: 'cycle',
  name: 'cycle-256-k32-s20',
  table: null,
  parameters: {},
  backend: 'reference',
  threads: 1,
  milliseconds: 12_345.6,
  clock: 'wall',
  GBs: null,
  GFLOPs: null,
  fractionOfCeiling: null,
  bound: null,
  errorAgainstReference: null,
  published: null,
  otherPublished: [],
  waits: 0,
  submissions: 0,
  dispatches: 74,
  deviceMilliseconds: null,
  notes: [],
};
const findings: BenchFindings = {
  machine: { system: 'linux', processor: 'a processor', cores: 2, memoryBytes: 1024, versions: { shoal: '0.1.0' } },
  asked: { suites: ['letkf', 'cycle'], extent: 'usual', backends: ['webgpu'], threads: null },
  backends: [
    {
      name: 'webgpu',
      adapter: 'a GPU',
      precision: 'float32',
      threads: null,
      ceilings: {
        copyGBs: 3900,
        fmaGFLOPs: 51_623,
        dispatchMicroseconds: 6.65,
        clock: 'device',
        tickMicroseconds: 0.001,
      },
    },
  ],
  rows: [row, slow],
  failures: [{ name: 'convolution-256x256x256', backend: 'webgpu', reason: 'too large' }],
};

describe('the table', () => {
  const lines = formatFindings(findings).join('\n').split('\n');
  const cells = (name: string): string[] =>
    (lines.find((line) => line.includes(`│   ${name}`)) ?? '')
      .split('│')
      .map((cell) => cell.trim())
      .slice(1, -1);

  it('has units in its head and a row a benchmark under its suite', () => {
    expect(lines.join('\n')).toMatch(/best, ms.*median, ms.*clock.*GB\/s.*GFLOP\/s.*of ceiling.*error.*published/);
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(at('letkf:')).toBeLessThan(at('│   letkf-256-k32-l9'));
    expect(at('│   letkf-256-k32-l9')).toBeLessThan(at('cycle:'));
    expect(cells('letkf-256-k32-l9')).toEqual([
      'letkf-256-k32-l9',
      'webgpu',
      '0.375',
      '0.4',
      'device',
      '45.9',
      '1286',
      '2.49 %',
      '9.6e-7',
      '2.75 ms for 16384 points',
      '29.3 ×',
    ]);
  });

  it('marks what is not known', () => {
    expect(cells('cycle-256-k32-s20')).toEqual([
      'cycle-256-k32-s20',
      'reference',
      '12346',
      '0.4',
      'wall',
      '–',
      '–',
      '–',
      '–',
      '–',
      '–',
    ]);
  });

  it('is followed by sources, notes and what could not be run', () => {
    const text = lines.join('\n');
    expect(lines[0]).toContain('copy 3900 GB/s, multiply-add 51623 GFLOP/s, empty run 6.65 µs, by the device clock');
    expect(text).toContain(
      'letkf-256-k32-l9, webgpu: 2.75 ms for 16384 points on H100 (somewhere); here 0.0938 ms for 16384 points, 29.3 ×',
    );
    expect(text).toContain('92.7 × one core on GTX 460 (elsewhere; C alone); a ratio of its own, not comparable');
    expect(text).toContain('letkf-256-k32-l9, webgpu: a note');
    expect(text).toContain('convolution-256x256x256, webgpu: too large');
  });

  it('has notes of the same kind together, with the range of their numbers', () => {
    const noted = [1.5, 1.25, 2].map((times, at) => ({
      ...row,
      name: `row-${at}`,
      notes: [`unsteady: ${times} times`],
    }));
    const few = formatFindings({ ...findings, rows: noted }).join('\n');
    expect(few).toContain('row-0, row-1, row-2, webgpu: unsteady: 1.25 to 2 times');
    const many = formatFindings({ ...findings, rows: [...noted, { ...noted[0], name: 'row-3' }] }).join('\n');
    expect(many).toContain('4 rows, row-0 the first, webgpu: unsteady: 1.25 to 2 times');
  });

  it.each([
    [null, '–'],
    [0, '0'],
    [0.000_014_23, '1.42e-5'],
    [0.014_23, '0.0142'],
    [999.4, '999'],
    [51_623.4, '51623'],
    [5.34e7, '5.34e+7'],
  ])('writes %s as %s', (value, text) => {
    expect(digits(value)).toBe(text);
  });
});

describe('Markdown', () => {
  const text = markdownOf(findings, 'npm run shoal -- bench');
  it('has a table for each published one, with its parameters, hardware and what figures include', () => {
    expect(text).toContain('By `npm run shoal -- bench` on a processor, 2 cores');
    expect(text).toContain('- webgpu (a GPU, float32): copy 3900 GB/s');
    const [, analysis] = text.split(/^## LETKF: the whole analysis$/m);
    const lines = analysis.trim().split('\n');
    expect(lines[0]).toMatch(
      /^\| benchmark \| n \| k \| backend \| best, ms \| .* \| error \| published \(hardware; includes\): better by \|$/,
    );
    expect(lines[1]).toMatch(/^\| --- \| ---: \| ---: \| --- \| ---: \|/);
    expect(lines[2]).toContain(
      '| letkf-256-k32-l9 | 256 | 32 | webgpu | 0.375 | 0.4 | device | 45.9 | 1286 | 2.49 % | 9.6e-7 |',
    );
    expect(lines[2]).toContain('2.75 ms for 16384 points (H100): 29.3 ×<br>92.7 × one core (GTX 460; C alone) |');
    expect(text).toContain('\n## cycle\n');
    expect(text).toContain('\n- letkf-256-k32-l9, webgpu: a note\n');
    expect(text).toContain('\n- convolution-256x256x256, webgpu: too large\n');
    expect(text).toContain('\n- elsewhere\n- somewhere\n');
  });

  it('keeps a bar in a cell from ending it', () => {
    const odd = { ...findings, rows: [{ ...row, parameters: { form: 'a|b' } }] };
    expect(markdownOf(odd, '')).toContain('| a\\|b |');
  });
});

describe('one thread', () => {
  const benchmarks = benchmarksOf(['letkf', 'convolution'], 'papers');
  const job = (backend: BenchJob['backend'], threads?: number): BenchJob => ({ backend, threads, benchmarks });
  const asked = (jobs: readonly BenchJob[]) =>
    oneThreadJobs(jobs, benchmarks).map(({ backend, threads }) => [backend, threads]);

  it('of reference and wasm is timed where ratios to one core were published, and it is not timed anyway', () => {
    expect(asked([job('webgpu')])).toEqual([
      ['reference', undefined],
      ['wasm', 1],
    ]);
    expect(asked([job('wasm'), job('reference')])).toEqual([['wasm', 1]]);
    expect(asked([job('wasm', 1), job('reference')])).toEqual([]);
    const [{ benchmarks: timed }] = oneThreadJobs([job('webgpu')], benchmarks);
    expect(timed.map(({ name }) => name)).toContain('letkf-c-full-192-k32-l9');
    expect(timed.map(({ name }) => name)).not.toContain('letkf-c-full-naive-192-k32-l9');
    expect(timed.every(({ suite }) => suite === 'letkf')).toBe(true);
    expect(oneThreadJobs([job('webgpu')], benchmarksOf(['convolution'], 'papers'))).toEqual([]);
  });
});

describe('the document', () => {
  it('is read as earlier versions wrote it', () => {
    const added = new Set([
      'table',
      'parameters',
      'series',
      'bytes',
      'flops',
      'growth',
      'errorAgainstExact',
      'overOneThread',
    ]);
    const earlier = Object.fromEntries(Object.entries(row).filter(([key]) => !added.has(key)));
    const document = { ...benchDocument(findings), rows: [earlier] };
    expect(benchDocumentSchema.parse(document).rows[0]).toMatchObject({ table: null, parameters: {}, growth: null });
  });

  it('keeps to its schema, whatever is not known', () => {
    const document = JSON.parse(JSON.stringify(benchDocument(findings)));
    expect(benchDocumentSchema.parse(document)).toEqual(document);
    expect(document.ceilings).toEqual({ copyGBs: 3900, fmaGFLOPs: 51_623, dispatchMicroseconds: 6.65 });
    expect(document.rows[0]).toEqual(row);
  });

  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-bench-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is written to a file, in a folder that is made', async () => {
    const path = join(folder, 'deeper', 'bench.json');
    await assertWritable(path);
    await writeDocument(path, { rows: [] });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ rows: [] });
    await expect(assertWritable(path)).resolves.toBeUndefined();
    await expect(assertWritable(folder)).rejects.toThrow(`--json ${folder}: is a folder, a file is needed`);
    await expect(assertWritable(join(path, 'bench.json'))).rejects.toThrow('ENOTDIR');
  });

  it('goes where --json says', () => {
    expect(jsonTarget(undefined)).toBeUndefined();
    expect(jsonTarget(true)).toEqual({ kind: 'stdout' });
    expect(jsonTarget('-')).toEqual({ kind: 'stdout' });
    expect(jsonTarget('bench.json')).toEqual({ kind: 'file', path: 'bench.json' });
    expect(() => jsonTarget('letkf')).toThrow('--json letkf: this is the name of a suite');
    expect(() => jsonTarget('')).toThrow('empty');
    expect(markdownPath('bench.md')).toBe('bench.md');
    expect(() => markdownPath('letkf')).toThrow('--markdown letkf: this is the name of a suite');
    expect(() => markdownPath('')).toThrow('empty');
  });
});

describe('the suites', () => {
  it('are all of them, or those named, in their order', () => {
    expect(selectSuites([], 'usual')).toEqual(SUITES);
    expect(selectSuites(['cycle', 'letkf', 'cycle'], 'usual')).toEqual(['letkf', 'cycle']);
  });

  it('are those of the papers with --papers, and a paper names its own', () => {
    expect(selectSuites([], 'papers')).toEqual(['recursive-filter', 'convolution', 'letkf', 'gain-covariance']);
    expect(selectSuites(['separable-convolution'], 'papers')).toEqual(['convolution']);
    expect(selectSuites(['shallow-water'], 'papers')).toEqual(['shallow-water']);
  });

  it('are quick, usual or those of the papers', () => {
    expect(selectExtent({})).toBe('usual');
    expect(selectExtent({ quick: true })).toBe('quick');
    expect(selectExtent({ papers: true })).toBe('papers');
    expect(selectExtent({ quick: true, papers: true })).toBe('papers');
  });

  it('are named in the error for one that is none', () => {
    expect(() => selectSuites(['letfk'], 'usual')).toThrow("unknown suite 'letfk' (did you mean letkf?)");
    expect(() => selectSuites(['zzzzzzzzzz'], 'usual')).toThrow(
      /^unknown suite 'zzzzzzzzzz'; suites are recursive-filter, /,
    );
  });
});
