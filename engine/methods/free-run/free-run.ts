/** The free run: the ensemble without assimilation. What the other methods are measured against. */
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import type { FreeRunSettings } from './settings.ts';

export async function createFreeRun(method: FreeRunSettings, context: MethodContext): Promise<Method> {
  const ensemble = await createEnsembleState(method.label, context, context.members);
  return {
    label: method.label,
    kind: method.kind,
    members: context.members,
    state: ensemble.state,
    departures: ensemble.departures,
    initialise: ensemble.initialise,
    explain: explainWith({}),
    analyse: () => Promise.resolve({ report: () => Promise.resolve({}) }),
    dispose: () => ensemble.dispose(),
  };
}
