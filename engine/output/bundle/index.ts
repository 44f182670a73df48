/** Bundles: a run as one file that reproduces it, and what came of reproducing it. */
export { createBundle, readBundle } from './bundle.ts';
export type { Bundle, BundleFiles } from './bundle.ts';
export type { BundleRecord } from './record.ts';
export { judgeReproduction, rowDifference } from './reproduction.ts';
export type { Place, Reproduction } from './reproduction.ts';
export type { RowDifference } from './rows.ts';
export type { StatedMean } from './stated-means.ts';
export type { StatisticComparison } from './statistics.ts';
