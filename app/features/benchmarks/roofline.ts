/**
 * The roofline of results: what a kernel does to a byte that it moves (FLOP/byte) against what it does in a second (GFLOP/s), under
 * the roof of what the machine can do: bandwidth times intensity as far as the multiply-add rate. Pure functions; the component
 * draws their layout.
 *
 * Source: Williams, Waterman and Patterson, Roofline, Communications of the ACM 52 (2009).
 */
import { publishedOf, type BenchmarkRow, type Suite } from '../../../engine/index.ts';
import type { DataTable } from '../../format/tables.ts';
import { createScale, type AxisScale, type AxisSpec } from '../../plot/scales.ts';
import type { BenchmarkResults } from './benchmarks-state.ts';

type ResultBackend = BenchmarkResults['backends'][number];

/** A kernel that computes, and moves what it computes on. */
export interface RooflinePoint {
  readonly key: string;
  readonly row: BenchmarkRow;
  /** FLOP/byte. */
  readonly intensity: number;
  /** GFLOP/s. */
  readonly rate: number;
  /** What the machine can do at this intensity, GFLOP/s. */
  readonly roof: number;
}

export interface Roof {
  readonly backend: ResultBackend;
  /** FLOP/byte at which bandwidth and multiply-add rate meet. */
  readonly ridge: number;
}

/** @returns what distinguishes a row from all others */
export function keyOfRow({ name, backend, threads }: BenchmarkRow): string {
  return `${name} ${backend} ${threads ?? ''}`;
}

export function roofsOf({ backends }: Pick<BenchmarkResults, 'backends'>): Roof[] {
  return backends.map((backend) => ({ backend, ridge: backend.ceilings.fmaGFLOPs / backend.ceilings.copyGBs }));
}

/** @returns GFLOP/s that a backend can do at most at an intensity */
export function roofAt({ ceilings }: ResultBackend, intensity: number): number {
  return Math.min(ceilings.fmaGFLOPs, ceilings.copyGBs * intensity);
}

/** @returns the rows that have a place under the roof of their backend: those with operations, bytes, and a time for both */
export function rooflinePoints({ backends, rows }: Pick<BenchmarkResults, 'backends' | 'rows'>): RooflinePoint[] {
  return rows.flatMap((row): RooflinePoint[] => {
    const { GBs, GFLOPs } = row;
    const backend = backends.find(({ name }) => name === row.backend);
    if (!backend || !GBs || !GFLOPs) return [];
    const intensity = GFLOPs / GBs;
    return [{ key: keyOfRow(row), row, intensity, rate: GFLOPs, roof: roofAt(backend, intensity) }];
  });
}

export interface RooflineLayout {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: AxisScale;
  readonly y: AxisScale;
  readonly roofs: readonly RoofLayout[];
  readonly points: readonly (RooflinePoint & { readonly at: Place; readonly roofY: number })[];
}

interface RoofLayout extends Roof {
  readonly path: string;
  /** Along the slope, and over the flat end. */
  readonly bandwidth: Place;
  /** Whether no other roof is above it there. */
  readonly isHighest: boolean;
  readonly arithmetic: Place;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

export const X_AXIS: AxisSpec = { label: 'Arithmetic intensity', unit: 'FLOP/byte', scale: 'log' };
export const Y_AXIS: AxisSpec = { label: 'Rate', unit: 'GFLOP/s', scale: 'log' };

/** Room beside what is shown, as a factor. */
const BESIDE = 2.5;
const ABOVE = 3;

function domains(roofs: readonly Roof[], points: readonly RooflinePoint[]) {
  const ridges = roofs.map(({ ridge }) => ridge);
  const intensities = [...points.map(({ intensity }) => intensity), ...ridges];
  const rates = points.map(({ rate }) => rate);
  const tops = roofs.map(({ backend }) => backend.ceilings.fmaGFLOPs);
  const x = [Math.min(...intensities) / BESIDE, Math.max(...intensities) * BESIDE] as const;
  const lowest = Math.min(...rates, ...roofs.map(({ backend }) => roofAt(backend, x[0])));
  return { x, y: [lowest / BESIDE, Math.max(...rates, ...tops) * ABOVE] as const };
}

/** @param em size of the type, pixels. @returns undefined if there is no roof */
export function layoutRoofline(
  results: Pick<BenchmarkResults, 'backends' | 'rows'>,
  { width, height, em }: { readonly width: number; readonly height: number; readonly em: number },
): RooflineLayout | undefined {
  const roofs = roofsOf(results);
  if (roofs.length === 0) return undefined;
  const found = rooflinePoints(results);
  const domain = domains(roofs, found);
  const top = Math.round(2.2 * em);
  const bottom = Math.max(top + 20, Math.round(height - 2.9 * em));
  const [left, right] = [Math.round(4.2 * em), Math.max(80, Math.round(width - 1.2 * em))];
  const x = createScale({ ...X_AXIS, domain: domain.x }, [], [left, right], false, em);
  const y = createScale({ ...Y_AXIS, domain: domain.y }, [], [bottom, top], false, em);
  const [from, to] = domain.x;
  return {
    left,
    right,
    top,
    bottom,
    x,
    y,
    roofs: roofs.map((roof): RoofLayout => {
      const { backend, ridge } = roof;
      const height = (intensity: number): number => y.at(roofAt(backend, intensity));
      const corner = { x: x.at(ridge), y: height(ridge) };
      const slope = Math.sqrt(from * ridge);
      return {
        ...roof,
        path: `M${x.at(from)},${height(from)}L${corner.x},${corner.y}L${x.at(to)},${corner.y}`,
        bandwidth: { x: x.at(slope), y: height(slope) },
        isHighest: roofs.every((other) => roofAt(other.backend, slope) <= roofAt(backend, slope)),
        arithmetic: { x: x.at(to), y: corner.y },
      };
    }),
    points: found.map((point) => ({
      ...point,
      at: { x: x.at(point.intensity), y: y.at(point.rate) },
      roofY: y.at(point.roof),
    })),
  };
}

/** The suites' hues, of the Okabe–Ito family as those of the methods, and marks: never colour alone. */
export const SUITE_STYLES: Readonly<
  Record<Suite, { readonly title: string; readonly symbol: number; readonly colour: string }>
> = {
  'recursive-filter': { title: 'Recursive filter', symbol: 0, colour: 'light-dark(#9a6200, #e69f00)' },
  convolution: { title: 'Convolution', symbol: 1, colour: 'light-dark(#1b6f9e, #56b4e9)' },
  letkf: { title: 'LETKF', symbol: 2, colour: 'light-dark(#00714f, #00b383)' },
  'gain-covariance': { title: 'Gain covariance P_HT', symbol: 3, colour: 'light-dark(#b04a00, #f07c3a)' },
  'shallow-water': { title: 'Shallow water', symbol: 4, colour: 'light-dark(#a34578, #d98fb8)' },
  cycle: { title: 'Whole cycle', symbol: 5, colour: 'light-dark(#14181d, #ffffff)' },
  answer: { title: 'Answer', symbol: 6, colour: 'light-dark(#6a4fa3, #b39ddb)' },
};

/** All there is to save. */
export function benchmarkTable({ backends, rows }: Pick<BenchmarkResults, 'backends' | 'rows'>): DataTable {
  return {
    columns: [
      'suite',
      'benchmark',
      'backend',
      'threads',
      'best (ms)',
      'median (ms)',
      'runs',
      'clock',
      'FLOP/byte',
      'GB/s',
      'GFLOP/s',
      'ceiling that applies',
      'fraction of ceiling',
      'time over floor',
      'error against the reference',
      'error against the exact result',
      'published',
      'published unit',
      'published on',
      'published in',
      'published figure includes',
      'times better',
      'copy ceiling (GB/s)',
      'multiply-add ceiling (GFLOP/s)',
      'notes',
    ],
    rows: rows.flatMap((row) => {
      const { GBs, GFLOPs, fractionOfCeiling } = row;
      const backend = backends.find(({ name }) => name === row.backend);
      const figures = publishedOf(row);
      return (figures.length > 0 ? figures : [undefined]).map((published) => [
        row.suite,
        row.name,
        row.backend,
        row.threads,
        row.milliseconds,
        row.median,
        row.runs,
        row.clock,
        GBs && GFLOPs ? GFLOPs / GBs : null,
        GBs,
        GFLOPs,
        row.bound,
        fractionOfCeiling,
        fractionOfCeiling ? 1 / fractionOfCeiling : null,
        row.errorAgainstReference,
        row.errorAgainstExact,
        published?.value ?? null,
        published?.unit ?? null,
        published?.hardware ?? null,
        published?.source ?? null,
        published?.includes ?? null,
        published?.ratio ?? null,
        backend?.ceilings.copyGBs ?? null,
        backend?.ceilings.fmaGFLOPs ?? null,
        row.notes.join('; '),
      ]);
    }),
  };
}
