/** Which of two methods is better, and whether that is more than chance: over seeds, and over the cycles of one run. */
export { compareSeries } from './compare-series.ts';
export type { SeriesComparison } from './compare-series.ts';
export { comparePaired } from './compare-paired.ts';
export type { ComparisonOptions, PairedComparison } from './compare-paired.ts';
export { exchange } from './comparison.ts';
export type { Change, Comparison, Goal, Verdict } from './comparison.ts';
export { medianInterval } from './median-interval.ts';
export type { Interval } from './median-interval.ts';
export { median, quantile, sortedQuantile } from './quantile.ts';
export { meanOfSeries, ratioOfSeries } from './series-mean.ts';
export type { SeriesEstimate } from './series-mean.ts';
export { chiSquareProbability, summariseRanks, sumRanks } from './rank-histogram.ts';
export type { RankSummary } from './rank-histogram.ts';
export { describeAgainst, describeComparedChange, describePaired } from './words.ts';
export type { Names } from './words.ts';
