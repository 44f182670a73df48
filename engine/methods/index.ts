/** The assimilation methods: what each kind is, and what each does in a run. */
import { LimitError } from '../errors.ts';
import type { Method, MethodContext } from './method.ts';
import { methodDefinition, type MethodSettings } from './registry.ts';
import { halfWidthOf } from './shared/localisation.ts';

export { correlationIn, executeAnalysis, movedStates } from './method.ts';
export type {
  AnalysisReport,
  ErrorBlock,
  ErrorCorrelation,
  Method,
  MethodContext,
  ObservedPositions,
  PastStates,
  QueuedAnalysis,
} from './method.ts';
export {
  defineMethod,
  methodSchema,
  type Appearance,
  type Marker,
  type MethodDefinition,
  type Sizes,
  type MethodTuning,
  type TunableSetting,
  type TuningScale,
} from './definition.ts';
export { createEnsembleState, type EnsembleState } from './shared/ensemble-state.ts';
export {
  describeDegreesOfFreedom,
  describeMinimisation,
  describeObservation,
  describeReach,
  describeTrust,
  spokenName,
} from './explanation-words.ts';
export type { SpokenMethod } from './explanation-words.ts';
export { AT_END, correlationsOf, EXPLANATION_KINDS, MOST_LEAD, explainWith } from './explanation.ts';
export type * from './explanation.ts';
export { assumptionsOf, type Assumptions } from './shared/error-correlation-setting.ts';
export type { Departures } from './shared/departures.ts';
export { continuedFactors } from './shared/inflation.ts';
export {
  halfWidthOf,
  NO_LOCALISATION,
  observationSpacing,
  localSums,
  valuesInCells,
  type LocalSums,
  type LocalVolumes,
} from './shared/localisation.ts';
export type { Covariance } from './covariances/index.ts';
export { addedMethod, addMethod, methodDefinition, METHODS, type MethodSettings } from './registry.ts';

/** @returns that a method of this kind cannot take so many observations in one analysis, or undefined */
export function limitProblem(kind: string, observations: number): string | undefined {
  const { mostObservations = Infinity } = methodDefinition(kind);
  if (observations <= mostObservations) return undefined;
  return (
    `found up to ${observations} observations in one analysis, allowed: ${mostObservations} with the method "${kind}"; ` +
    'observe fewer places, or leave that method out'
  );
}

/** @throws LimitError when the method does not fit the backend, or cannot take as many observations */
export async function createMethod(settings: MethodSettings, context: MethodContext): Promise<Method> {
  const problem = limitProblem(settings.kind, context.observations.capacity);
  if (problem !== undefined) throw new LimitError(`${settings.label}: ${problem}`);
  return methodDefinition(settings.kind).create(settings, context);
}

/** Whether a method has the gain that impacts are made of: K = Xᵃ Yᵃᵀ R⁻¹/(k − 1), localised around each observation. */
export function answersImpact(settings: MethodSettings): boolean {
  const { carries, assimilates } = methodDefinition(settings.kind);
  return carries === 'ensemble' && assimilates && halfWidthOf(settings) !== undefined;
}

/** The members that a method of this kind carries: a deterministic one has a single state. */
export function membersOf(kind: string, members: number): number {
  return methodDefinition(kind).carries === 'state' ? 1 : members;
}
