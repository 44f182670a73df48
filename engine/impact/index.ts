/** What the observations of one analysis changed about the forecasts that follow from it. */
export { impactsOf, type Impacts } from './impacts.ts';
export {
  answersImpact,
  MOST_LEAD,
  observationImpact,
  type ImpactQuestion,
  type ObservationImpact,
} from './observation-impact.ts';
