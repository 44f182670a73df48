/** Kernel times for people and for files: how long, how much of a cycle, how fast, and how near to what the machine can do. */
import { addTimings, isSeen, NO_KERNELS, ratesOf } from '../../engine/index.ts';
import type { Ceilings, KernelRates, KernelTotal, KernelTotals } from '../../engine/index.ts';
import type { KernelCycle, DeviceWork } from '../document/run/run-kernels.ts';
import type { DataTable } from '../format/tables.ts';
import { formatNumber } from '../format/numbers.ts';

export interface KernelRow extends KernelTotal, KernelRates {
  /** Mean milliseconds of a cycle. */
  readonly milliseconds: number;
  /** Share of all kernels' time. */
  readonly share: number;
  /** Whether the clock is fine enough for a rate. */
  readonly seen: boolean;
  /** Whether a call takes hardly longer than one that does nothing. */
  readonly mostlyDispatch: boolean;
}

/** A call that takes less than that many times an empty one is mostly dispatch. */
const MOSTLY_DISPATCH = 2;

/** @returns the totals of one cycle alone */
export function totalsOfCycle({ timings }: KernelCycle): KernelTotals {
  return addTimings(NO_KERNELS, timings);
}

/** @returns one entry a kernel and clock, the slowest first */
export function kernelRows({ cycles, kernels }: KernelTotals, ceilings: Ceilings | undefined): KernelRow[] {
  const all = kernels.reduce((sum, { totalMicroseconds }) => sum + totalMicroseconds, 0);
  return kernels
    .map((total) => ({
      ...total,
      ...ratesOf(total, ceilings),
      milliseconds: total.totalMicroseconds / 1000 / Math.max(1, cycles),
      share: all > 0 ? total.totalMicroseconds / all : 0,
      seen: isSeen(total, ceilings),
      mostlyDispatch:
        ceilings !== undefined &&
        total.totalMicroseconds < MOSTLY_DISPATCH * ceilings.dispatchMicroseconds * total.calls,
    }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

const CLOCKS = { device: 'GPU timestamps', wall: 'wall clock' } as const;
const BOUNDS = { bandwidth: 'the copy bandwidth', arithmetic: 'the multiply-add rate' } as const;

/** @returns how the time was taken, `wall clock, 5 µs steps` */
export function describeClock(clocks: Iterable<KernelTotal['clock']>, ceilings: Ceilings | undefined): string {
  const names = [...new Set(clocks)].map((clock) => CLOCKS[clock]).join(' and ');
  return ceilings ? `${names}, ${formatNumber(ceilings.tickMicroseconds)} µs steps` : names;
}

/** A slow one in millions, so that it needs no power of ten. */
function describeRate(giga: number, unit: string): string {
  return giga < 1e-3 ? `${formatNumber(1000 * giga)} M${unit}` : `${formatNumber(giga)} G${unit}`;
}

/** @returns the rates as text; none if the clock is too coarse */
export function describeRates({ gigabytesPerSecond, gigaflopsPerSecond }: KernelRates): string[] {
  return [
    ...(gigabytesPerSecond ? [describeRate(gigabytesPerSecond, 'B/s')] : []),
    ...(gigaflopsPerSecond ? [describeRate(gigaflopsPerSecond, 'FLOP/s')] : []),
  ];
}

/** Bytes with their unit: `23.4 kB`. */
function describeBytes(bytes: number): string {
  if (bytes < 1e3) return `${formatNumber(bytes)} B`;
  return bytes < 1e6 ? `${formatNumber(bytes / 1e3)} kB` : `${formatNumber(bytes / 1e6)} MB`;
}

/**
 * @param threads of the processor that compute; undefined where a device does
 * @returns what a cycle asks of whatever computes it, name and value
 */
export function describeWork(
  work: DeviceWork | undefined,
  threads: number | undefined,
): [name: string, value: string][] {
  const computing: [string, string][] = threads === undefined ? [] : [['Threads', String(threads)]];
  if (!work) return computing;
  const { waits, submissions, dispatches, uploads, uploadedBytes, readbacks, readBytes } = work;
  const started: [string, string] = ['Dispatches a cycle', formatNumber(dispatches)];
  if (threads !== undefined) return [...computing, started, ['Waits, uploads, readbacks', 'none']];
  return [
    ['Waits for the device a cycle', formatNumber(waits)],
    ['Submissions a cycle', formatNumber(submissions)],
    started,
    ['Uploads a cycle', `${formatNumber(uploads)}, ${describeBytes(uploadedBytes)}`],
    ['Readbacks a cycle', `${formatNumber(readbacks)}, ${describeBytes(readBytes)}`],
  ];
}

/** @returns how many times the least time that the ceilings allow a kernel takes; empty if that cannot be said, or it takes less */
export function describeFloor({ fractionOfCeiling }: Pick<KernelRates, 'fractionOfCeiling'>): string {
  return fractionOfCeiling && fractionOfCeiling <= 1 ? `${formatNumber(1 / fractionOfCeiling)} × floor` : '';
}

/** Less above its ceiling than this is the scatter of the measurement. */
const SCATTER = 1.05;

/** @returns whether a kernel was faster than what the machine was measured to do at most */
export function isAboveCeiling({ fractionOfCeiling }: Pick<KernelRates, 'fractionOfCeiling'>): boolean {
  return fractionOfCeiling !== null && fractionOfCeiling > SCATTER;
}

/** @returns how near a kernel comes to its ceiling, that it is above it, or why neither can be said; empty if nothing is to be said */
export function describeFraction(
  { seen, bound, fractionOfCeiling, mostlyDispatch }: KernelRow,
  ceilings: Ceilings | undefined,
): string {
  if (!seen) {
    const step = ceilings ? ` of ${formatNumber(ceilings.tickMicroseconds)} µs` : '';
    return `too quick for the clock’s steps${step}`;
  }
  if (bound === null || fractionOfCeiling === null) return '';
  // The figure's note says why.
  if (isAboveCeiling({ fractionOfCeiling })) return `above ${BOUNDS[bound]}`;
  const percent = Math.min(100, 100 * fractionOfCeiling);
  const share = percent < 0.1 ? '< 0.1' : percent < 10 ? percent.toFixed(1) : percent.toFixed(0);
  return `${share} % of ${BOUNDS[bound]}${mostlyDispatch ? ', mostly dispatch' : ''}`;
}

/** All there is to save: each line holds the ceilings too, so that it can be read by itself. */
export function kernelTable(rows: readonly KernelRow[], cycles: number, ceilings: Ceilings | undefined): DataTable {
  return {
    columns: [
      'kernel',
      'time of a cycle (ms)',
      'share of the cycle',
      'calls',
      'cycles',
      'least (µs)',
      'mean (µs)',
      'most (µs)',
      'GB/s',
      'GFLOP/s',
      'ceiling that applies',
      'fraction of ceiling',
      'time over floor',
      'quicker than the clock',
      'clock',
      'clock step (µs)',
      'copy ceiling (GB/s)',
      'multiply-add ceiling (GFLOP/s)',
      'empty run (µs)',
    ],
    rows: rows.map((row) => [
      row.name,
      row.milliseconds,
      row.share,
      row.calls,
      cycles,
      row.minimumMicroseconds,
      row.totalMicroseconds / row.calls,
      row.maximumMicroseconds,
      row.gigabytesPerSecond,
      row.gigaflopsPerSecond,
      row.bound,
      row.fractionOfCeiling,
      row.fractionOfCeiling ? 1 / row.fractionOfCeiling : null,
      row.seen ? 'no' : 'yes',
      row.clock,
      ceilings?.tickMicroseconds ?? null,
      ceilings?.copyGigabytesPerSecond ?? null,
      ceilings?.fmaGigaflopsPerSecond ?? null,
      ceilings?.dispatchMicroseconds ?? null,
    ]),
  };
}
