/** The assimilation methods, each registered here once. */
import type { Method as MethodSettings } from '../scenario/index.ts';
import { createEnkf } from './enkf.ts';
import { createFreeRun } from './free-run.ts';
import { createLetkf } from './letkf.ts';
import type { Method, MethodContext } from './method.ts';
import { createThreeDVar } from './three-d-var.ts';

export { carryOutAnalysis } from './method.ts';
export type { AnalysisReport, Method, MethodContext, QueuedAnalysis } from './method.ts';
export type { Departures } from './departures.ts';

/** @throws LimitError when the method does not fit the backend */
export function createMethod(settings: MethodSettings, context: MethodContext): Promise<Method> {
  switch (settings.kind) {
    case 'free-run':
      return createFreeRun(settings, context);
    case '3dvar':
      return createThreeDVar(settings, context);
    case 'letkf':
      return createLetkf(settings, context);
    case 'enkf':
      return createEnkf(settings, context);
    default:
      return settings satisfies never;
  }
}

/** The members that a method of this kind carries: a deterministic one has a single state. */
export function membersOf(kind: MethodSettings['kind'], members: number): number {
  return kind === '3dvar' ? 1 : members;
}
