import { describe, expect, it } from 'vitest';
import { addTimings, NO_KERNELS, timingsOf } from '../../../engine/index.ts';
import { typicalWork } from '../../../app/document/run/run-kernels.ts';
import {
  describeClock,
  describeFloor,
  describeFraction,
  describeRates,
  describeWork,
  kernelRows,
  kernelTable,
  totalsOfCycle,
} from '../../../app/figures/kernels.ts';

describe('kernels', () => {
  const ceilings = {
    copyGigabytesPerSecond: 8,
    fmaGigaflopsPerSecond: 16,
    dispatchMicroseconds: 10,
    clock: 'device',
    tickMicroseconds: 0.5,
  } as const;
  const sample = { begin: 0, clock: 'device', flops: 0 } as const;
  const one = timingsOf([
    { ...sample, name: 'a', microseconds: 500, bytes: 1e6 },
    { ...sample, name: 'b', microseconds: 3000, bytes: 1e5, flops: 24e6 },
    { ...sample, name: 'a', microseconds: 500, bytes: 3e6 },
    { ...sample, name: 'short', microseconds: 0.5, bytes: 5 },
  ]);
  const totals = addTimings(addTimings(NO_KERNELS, one), one);
  const rows = kernelRows(totals, ceilings);

  it('are in the mean of a cycle, the slowest first, with rates and the share of the nearer ceiling', () => {
    expect(rows.map(({ name }) => name)).toEqual(['b', 'a', 'short']);
    // 24 MFLOP in 3 ms are 8 GFLOP/s of 16; 4 MB in 1 ms are 4 GB/s of 8.
    expect(rows[0]).toMatchObject({
      milliseconds: 3,
      gigaflopsPerSecond: 8,
      bound: 'arithmetic',
      fractionOfCeiling: 0.5,
    });
    expect(rows[1]).toMatchObject({ milliseconds: 1, calls: 4, gigabytesPerSecond: 4, fractionOfCeiling: 0.5 });
    expect(rows[1].share).toBeCloseTo(2000 / 8001, 12);
    expect(kernelRows(totalsOfCycle({ cycle: 1, timings: one }), ceilings)[1]).toMatchObject({
      milliseconds: 1,
      calls: 2,
    });
  });

  it('say what is known of them, and what is not', () => {
    expect(rows.map((row) => describeFraction(row, ceilings))).toEqual([
      '50 % of the multiply-add rate',
      '50 % of the copy bandwidth',
      'too quick for the clock’s steps of 0.5 µs',
    ]);
    expect(rows.map(describeRates)).toEqual([['0.0333 GB/s', '8 GFLOP/s'], ['4 GB/s'], []]);
    const slow = { ...rows[0], gigabytesPerSecond: 5.14e-4, gigaflopsPerSecond: 5.22e-5 };
    expect(describeRates(slow)).toEqual(['0.514 MB/s', '0.0522 MFLOP/s']);
    const slowDispatch = { ...ceilings, dispatchMicroseconds: 300 };
    const [, a] = kernelRows(totals, slowDispatch);
    expect(describeFraction(a, slowDispatch)).toBe('50 % of the copy bandwidth, mostly dispatch');
    const [b] = kernelRows(totals, undefined);
    expect(describeFraction(b, undefined)).toBe('');
    expect(describeFraction({ ...rows[0], fractionOfCeiling: 0.0123 }, ceilings)).toBe(
      '1.2 % of the multiply-add rate',
    );
    expect(describeFraction({ ...rows[0], fractionOfCeiling: 0.0004 }, ceilings)).toContain('< 0.1 %');
    // No share above 100 %.
    const above = { ...rows[1], fractionOfCeiling: 4.82 };
    expect(describeFraction(above, ceilings)).toBe('above the copy bandwidth');
    expect(describeFloor(above)).toBe('');
    expect(describeFraction({ ...rows[1], fractionOfCeiling: 1.03 }, ceilings)).toBe('100 % of the copy bandwidth');
    expect(rows.map(describeFloor)).toEqual(['2 × floor', '2 × floor', '']);
    expect(describeClock(['device', 'device'], ceilings)).toBe('GPU timestamps, 0.5 µs steps');
    expect(describeClock(['wall'], undefined)).toBe('wall clock');
  });

  it('are beside what a cycle asks of the device, or of the threads that compute', () => {
    const work = {
      waits: 1,
      submissions: 6,
      dispatches: 312,
      uploads: 14,
      uploadedBytes: 23_400,
      readbacks: 22,
      readBytes: 810,
    };
    expect(describeWork(work, undefined)).toEqual([
      ['Waits for the device a cycle', '1'],
      ['Submissions a cycle', '6'],
      ['Dispatches a cycle', '312'],
      ['Uploads a cycle', '14, 23.4 kB'],
      ['Readbacks a cycle', '22, 810 B'],
    ]);
    expect(describeWork(work, 2)).toEqual([
      ['Threads', '2'],
      ['Dispatches a cycle', '312'],
      ['Waits, uploads, readbacks', 'none'],
    ]);
    expect(describeWork(undefined, undefined)).toEqual([]);
    expect(typicalWork([])).toBeUndefined();
    const cycles = [1, 1, 9].map((waits, cycle) => ({ cycle, counts: { ...work, waits } }));
    expect(typicalWork(cycles)).toEqual(work);
  });

  it('are saved with their ceilings, and without a rate that the clock cannot give', () => {
    const { columns, rows: cells } = kernelTable(rows, totals.cycles, ceilings);
    const cell = (line: number, column: string) => cells[line][columns.indexOf(column)];
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([columns.length]));
    expect(cell(1, 'mean (µs)')).toBe(500);
    expect(cell(1, 'fraction of ceiling')).toBe(0.5);
    expect(cell(1, 'ceiling that applies')).toBe('bandwidth');
    expect(cell(1, 'copy ceiling (GB/s)')).toBe(8);
    expect([cell(2, 'GB/s'), cell(2, 'fraction of ceiling'), cell(2, 'quicker than the clock')]).toEqual([
      null,
      null,
      'yes',
    ]);
    expect(kernelTable(rows, 2, undefined).rows[0].at(-1)).toBeNull();
  });
});
