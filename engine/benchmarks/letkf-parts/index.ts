/** The parts of the LETKF that were published: their operators, and the benchmarks of them. */
export { letkfPartBenchmarks } from './benchmarks.ts';
export { analysisCovariance, letkfParts, observationWeights } from './operators.ts';
export type { LetkfPartsParameters } from './parameters.ts';
