/** How methods differ over the cycles of one run, and which is better over seeds; README.md explains why the two are not the same. */
export { uncertaintyOfMean, meanOfSeries, ratioOfSeries, type SeriesEstimate } from './block-bootstrap.ts';
export { compareSeries, compareFamily, fewestSeeds, comparePaired } from './compare-paired.ts';
export type { SeriesDifference, PairedComparison } from './compare-paired.ts';
export { exchange, exchangeChange, type Change, type Comparison, type Difference, type Goal } from './words.ts';
export { medianInterval, median, quantile, sortedQuantile, selectInPlace, studentHalfWidth } from './quantile.ts';
export type { Interval } from './quantile.ts';
export { chiSquareProbability, summariseRanks, sumRanks, type RankSummary } from './rank-histogram.ts';
export { describeAgainst, describeComparedChange, describeInRun, describePaired, explainInRun } from './words.ts';
