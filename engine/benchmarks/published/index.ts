/** Published figures, a file a source. */
export { OVER_ONE_CORE, compareWithPublished } from './figure.ts';
export type { PublishedFigure } from './figure.ts';
export { publishedOnGpu, publishedOnOneCore } from './convolution.ts';
export { PUBLISHED_GAIN } from './gain-covariance.ts';
export { LETKF_PARTS, publishedAnalysis, publishedEigenproblems, publishedPart } from './letkf.ts';
export type { LetkfPart } from './letkf.ts';
export {
  PUBLISHED_BEST,
  PUBLISHED_BLOCKS,
  PUBLISHED_ITERATIONS,
  PUBLISHED_LENGTHS,
  PUBLISHED_OVERLAP,
  PUBLISHED_TEST_1,
  publishedConfigurations,
  publishedTable1,
} from './recursive-filter.ts';
export { publishedShallowWater } from './shallow-water.ts';
