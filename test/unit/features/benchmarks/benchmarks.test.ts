/** The benchmark page without its window: what is read, what is timed, and where everything is on the roofline. */
import { describe, expect, it } from 'vitest';
import { benchDocumentSchema, benchmarksOf, createReferenceBackend, serveCalls } from '../../../../engine/index.ts';
import type { BenchDocument, BenchmarkRow, ServicePort } from '../../../../engine/index.ts';
import type { BenchmarkCommands, BenchmarkEvent } from '../../../../app/services/benchmarks.ts';
import {
  createBenchmarks,
  betterCeilings,
  MOST_RESULT_BYTES,
  readResults,
  TIMED_HERE,
} from '../../../../app/features/benchmarks/benchmarks-state.ts';
import type { BenchmarkResults } from '../../../../app/features/benchmarks/benchmarks-state.ts';
import {
  benchmarkTable,
  keyOfRow,
  layoutRoofline,
  roofAt,
  rooflinePoints,
  roofsOf,
} from '../../../../app/features/benchmarks/roofline.ts';
import { serveBenchmarks } from '../../../../app/services/benchmarks.ts';
import { benchmarkDocument, benchmarkRow } from '../../../setup/benchmark-document.ts';
import { wires } from '../../workers/wires.ts';

const line = () => wires<BenchmarkCommands, BenchmarkEvent>();
const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

describe('a file of results', () => {
  it('is read, with the machine that it comes from', () => {
    const document = benchmarkDocument();
    const results = readResults(bytesOf(document), 'results.json');
    expect(results).toMatchObject({ source: 'results.json', machine: 'A processor, 8 cores, linux' });
    expect(results.rows).toEqual(benchDocumentSchema.parse(document).rows);
    expect(results.backends).toHaveLength(2);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'no JSON: results.json:1:2: '],
    ['another document', { version: 3 }, 'results.json holds no results of shoal bench: machine'],
    ['a row without its time', { ...benchmarkDocument(), rows: [{ name: 'x' }] }, 'rows[0]'],
    [
      'a time that is none',
      { ...benchmarkDocument(), rows: [{ ...benchmarkRow, milliseconds: -1 }] },
      'rows[0].milliseconds',
    ],
    ['no backend', { ...benchmarkDocument(), backends: [] }, 'backends'],
  ])('is refused where it is %s, with the place', (_what, value, message) => {
    expect(() => readResults(bytesOf(value), 'results.json')).toThrow(message);
  });

  it('is refused where it is too large, before it is looked at', () => {
    expect(() => readResults(new Uint8Array(MOST_RESULT_BYTES + 1), 'results.json')).toThrow('allowed:');
  });

  it('takes the place of what was shown only where it can be shown', async () => {
    const { open, results, failure, reading } = createBenchmarks({ benchmarks: [] });
    await open({ name: 'a.json', bytes: bytesOf(benchmarkDocument()) });
    await open({ name: 'b.json', bytes: bytesOf('[]') });
    expect(results.value?.source).toBe('a.json');
    expect(failure.value).toContain('b.json');
    await open({ name: 'c.json', bytes: bytesOf(benchmarkDocument()) });
    expect([results.value?.source, failure.value, reading.value]).toEqual(['c.json', undefined, undefined]);
  });

  it('is reported if it cannot be read, and does not take the place of one that was asked for later', async () => {
    const { open, results, failure, reading } = createBenchmarks({ benchmarks: [] });
    await open({ name: 'gone.json', bytes: Promise.reject(new Error('The file has gone.')) });
    expect([failure.value, reading.value]).toEqual(['The file has gone.', undefined]);
    // It arrives a turn of the page later.
    const late = new Promise<Uint8Array>((resolve) => setTimeout(() => resolve(bytesOf('[]')), 0));
    const slow = open({ name: 'slow.json', bytes: late });
    expect(reading.value).toBe('slow.json');
    await open({ name: 'quick.json', bytes: bytesOf(benchmarkDocument()) });
    await slow;
    expect([results.value?.source, failure.value, reading.value]).toEqual(['quick.json', undefined, undefined]);
  });
});

describe('the roofline', () => {
  const results = readResults(bytesOf(benchmarkDocument()), 'results.json');
  const [wasm] = results.backends;

  it('is the bandwidth times the intensity as far as the multiply-add rate', () => {
    const [roof] = roofsOf(results);
    // 40 GFLOP/s over 10 GB/s.
    expect(roof.ridge).toBe(4);
    expect([0.5, 4, 100].map((intensity) => roofAt(wasm, intensity))).toEqual([5, 40, 40]);
  });

  it('has a mark for each row with operations, bytes and a time, at its share of the roof', () => {
    const points = rooflinePoints(results);
    const timed = results.rows.filter(({ GBs, GFLOPs }) => GBs && GFLOPs);
    expect(points.map(({ key }) => key)).toEqual(timed.map(keyOfRow));
    expect(points.length).toBeLessThan(results.rows.length);
    const [first] = points;
    expect(first.intensity).toBe(4 / 2);
    expect(first.rate / first.roof).toBeCloseTo(4 / 20, 12);
  });

  it('has everything inside of its frame, and bars that end at the roof', () => {
    const layout = layoutRoofline(results, { width: 600, height: 400, em: 11 });
    if (!layout) throw new Error('nothing was laid out');
    const { left, right, top, bottom, points, y } = layout;
    expect(points).toHaveLength(rooflinePoints(results).length);
    for (const { at, roofY, roof } of points) {
      expect(at.x).toBeGreaterThanOrEqual(left);
      expect(at.x).toBeLessThanOrEqual(right);
      expect(at.y).toBeGreaterThanOrEqual(top);
      expect(at.y).toBeLessThanOrEqual(bottom);
      expect(roofY).toBeCloseTo(y.at(roof), 9);
    }
    expect(layoutRoofline({ ...results, backends: [] }, { width: 600, height: 400, em: 11 })).toBeUndefined();
  });

  it('is saved with what was published, a line a row', () => {
    const { columns, rows } = benchmarkTable(results);
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([columns.length]));
    const cell = (line: number, column: string) => rows[line][columns.indexOf(column)];
    expect(cell(0, 'FLOP/byte')).toBe(2);
    expect(cell(0, 'time over floor')).toBe(5);
    expect(cell(0, 'published')).toBe(2.75);
    expect(cell(0, 'times better')).toBe(29.3);
    expect(cell(2, 'GFLOP/s')).toBeNull();
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A worker whose backend cannot be opened. */
function broken(): ServicePort<BenchmarkCommands, BenchmarkEvent> {
  const { page, worker } = line();
  serveBenchmarks(
    worker,
    () => Promise.reject(new Error('there is no WebGPU here')),
    () => Promise.resolve(),
  );
  return page;
}

/** A worker on the reference backend. */
function served(): ServicePort<BenchmarkCommands, BenchmarkEvent> {
  const { page, worker } = line();
  serveBenchmarks(
    worker,
    () => Promise.resolve(createReferenceBackend()),
    () => new Promise((resolve) => setTimeout(resolve, 0)),
  );
  return page;
}

/** A worker that has a row of every benchmark at once. */
function untimed(): ServicePort<BenchmarkCommands, BenchmarkEvent> {
  const { page, worker } = line();
  const ceilings = {
    copyGigabytesPerSecond: 1,
    fmaGigaflopsPerSecond: 1,
    dispatchMicroseconds: 1,
    clock: 'wall',
    tickMicroseconds: 1,
  } as const;
  const say = serveCalls<BenchmarkCommands, BenchmarkEvent>(worker, {
    measure({ names }) {
      const backend = { name: 'wasm', adapter: 'none', precision: 'float32', threads: 2, ceilings } as const;
      say({ type: 'opened', backend });
      for (const name of names) say({ type: 'row', row: { ...benchmarkRow, name } });
    },
    result: () => new Float64Array(1),
  });
  return page;
}

describe('benchmarks that are timed here', () => {
  const few = benchmarksOf(['convolution'], 'quick').slice(0, 3);
  it('give a row each, with the ceilings of their backend', async () => {
    const { measure, measuring, results, failure } = createBenchmarks({ benchmarks: few, start: served });
    const measured = measure('reference');
    expect(measuring.value).toEqual({ backend: 'reference', done: 0, total: few.length, name: '' });
    await measured;
    expect([measuring.value, failure.value]).toEqual([undefined, undefined]);
    const found = results.value;
    expect(found?.rows.map(({ name }: BenchmarkRow) => name)).toEqual(few.map(({ name }) => name));
    expect(found?.backends).toMatchObject([{ name: 'reference', precision: 'float64', threads: 1 }]);
    expect(found?.failures).toEqual([]);
  });

  it('stop on request, and keep what was found', async () => {
    const { measure, measuring, cancel, results, failure } = createBenchmarks({ benchmarks: few, start: served });
    const measured = measure('reference');
    await until(() => (measuring.value?.done ?? few.length) > 0);
    cancel();
    await measured;
    expect([measuring.value, failure.value]).toEqual([undefined, undefined]);
    expect(results.value?.rows.length).toBeGreaterThan(0);
  });

  it('are timed in part, continue with those that have no row, and leave the others when they are timed again', async () => {
    const { measure, measuring, results } = createBenchmarks({ benchmarks: few, keepsRows: true, start: untimed });
    const names = (): readonly string[] => results.value?.rows.map(({ name }) => name) ?? [];
    const [first, ...others] = few.map(({ name }) => name);
    await measure('wasm', [few[0]]);
    expect(names()).toEqual([first]);
    const continued = measure('wasm');
    expect(measuring.value).toMatchObject({ done: 1, total: few.length });
    await continued;
    expect(names()).toEqual([first, ...others]);
    await measure('wasm', [few[0]]);
    expect(names()).toEqual([...others, first]);
  });

  it('say why nothing could be timed', async () => {
    const { measure, failure, measuring } = createBenchmarks({ benchmarks: few, start: broken });
    await measure('webgpu');
    expect(failure.value).toBe('there is no WebGPU here');
    expect(measuring.value).toBeUndefined();
  });

  it('lists what could not be run beside what could', async () => {
    const [first] = few;
    const missing = { ...first, name: 'no-such-benchmark' };
    const { measure, failure } = createBenchmarks({ benchmarks: [missing], start: served });
    await measure('reference');
    expect(failure.value).toContain('there is no benchmark no-such-benchmark');
  });
});

it('has a document whose keys are those of the schema', () => {
  const document: BenchDocument = benchmarkDocument();
  expect(benchDocumentSchema.parse(document)).toEqual(document);
});

it('ceilings that were measured under load give way to better ones of benchmarks of the same backend that were timed here', () => {
  const beside = {
    copyGigabytesPerSecond: 0.9,
    fmaGigaflopsPerSecond: 20,
    dispatchMicroseconds: 1,
    clock: 'wall',
    tickMicroseconds: 5,
  } as const;
  const ceilings = { ...beside, copyGBs: 12.8, fmaGFLOPs: 10 };
  const timed = { source: TIMED_HERE, machine: '', backends: [{ name: 'wasm', ceilings }], rows: [], failures: [] };
  const results = timed as unknown as BenchmarkResults;
  expect(betterCeilings(beside, results, 'wasm')).toStrictEqual({ ...beside, copyGigabytesPerSecond: 12.8 });
  expect(betterCeilings(beside, results, 'webgpu')).toBe(beside);
  expect(betterCeilings(beside, { ...results, source: 'elsewhere.json' }, 'wasm')).toBe(beside);
});
