/** How methods differ over the cycles of one run, and which is better over seeds; README.md explains why the two are not the same. */
export { uncertaintyOfMean, meanOfSeries, ratioOfSeries } from './block-bootstrap.ts';
export type { SeriesEstimate } from './block-bootstrap.ts';
export { studentHalfWidth } from './distributions.ts';
export { compareSeries, compareFamily, fewestSeeds, comparePaired } from './compare-paired.ts';
export type { SeriesDifference, PairedComparison } from './compare-paired.ts';
export { exchange, exchangeChange } from './comparison.ts';
export type { Change, Comparison, Difference, Goal } from './comparison.ts';
export { medianInterval, median, quantile, sortedQuantile, selectInPlace } from './quantile.ts';
export type { Interval } from './quantile.ts';
export { chiSquareProbability, summariseRanks, sumRanks } from './rank-histogram.ts';
export type { RankSummary } from './rank-histogram.ts';
export { describeAgainst, describeComparedChange, describeInRun, describePaired, explainInRun } from './words.ts';
