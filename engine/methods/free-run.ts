/** The free run: the ensemble without assimilation. What the other methods are measured against. */
import type { FreeRunMethod } from '../scenario/index.ts';
import { createEnsembleState } from './ensemble-state.ts';
import type { Method, MethodSurroundings } from './method.ts';

export async function createFreeRun(method: FreeRunMethod, surroundings: MethodSurroundings): Promise<Method> {
  const ensemble = await createEnsembleState(method.label, surroundings, surroundings.members);
  return {
    label: method.label,
    kind: method.kind,
    members: surroundings.members,
    state: ensemble.state,
    departures: ensemble.departures,
    analyse: () => Promise.resolve({ report: () => Promise.resolve({}) }),
    dispose: () => ensemble.dispose(),
  };
}
