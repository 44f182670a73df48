/** What the observations of one analysis changed about the forecasts that follow from it. */
export { impactsOf } from './impacts.ts';
export {
  answersImpact,
  MOST_LEAD,
  observationImpact,
  type ImpactQuestion,
  type ObservationImpact,
} from './observation-impact.ts';
export { describeImpact, impactSums, type ImpactSum } from './sums.ts';
