/** What the observations of one analysis changed about the forecasts that follow from it. */
export { impactsOf } from './impacts.ts';
export { observationImpact, type ImpactQuestion, type ObservationImpact } from './observation-impact.ts';
export { recordedImpacts, withImpact } from './recorded.ts';
export { describeImpact, impactMeans, impactSums, networkSums, type ImpactMean, type ImpactSum } from './sums.ts';
