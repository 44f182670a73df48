/**
 * 4D-Var with a background-error covariance that is given as a matrix, B = V Vᵀ: the method `4dvar` with the sparse product by V in
 * the place of its filters.
 */
import { createLinearWindow } from '../../../engine/models/index.ts';
import { explainWith } from '../../../engine/methods/explanation.ts';
import { createWindowAnalysis } from '../../../engine/methods/four-d-var/window-analysis.ts';
import { createEnsembleState } from '../../../engine/methods/shared/ensemble-state.ts';
import { createWetIncrement } from '../../../engine/methods/shared/wet-increment.ts';
import type { Method, MethodContext } from '../../../engine/methods/index.ts';
import { createRoot } from './dense-three-d-var.ts';

/** @param covariance B at the beginning of the window, [n][n]. @param outerLoops of Gauss–Newton */
export async function createDenseFourDVar(
  covariance: Float64Array,
  outerLoops: number,
  context: MethodContext,
): Promise<Method> {
  const { backend, model, window: forecastWindow } = context;
  if (!forecastWindow) throw new Error('4D-Var has no window');
  const label = '4dvar';
  const { state, departures, length, ...ensemble } = await createEnsembleState(label, context, 1);
  const root = await createRoot(context, covariance, length);
  const window = await createLinearWindow(backend, model, forecastWindow);
  const wet = await createWetIncrement(context);
  const beginning = backend.allocate('4dvar.beginning', 'real', length);
  const minimisation = { tolerance: 1e-4, maxIterations: 2 * length, outerLoops };
  const method = { label, minimisation, errorCorrelation: 'ignored' } as const;
  const analysis = await createWindowAnalysis(context, {
    method,
    transform: root,
    window,
    wet,
    beginning,
    departures,
  });
  return {
    label,
    kind: '4dvar',
    members: 1,
    state,
    departures,
    beginning,
    initialise: ensemble.initialise,
    explain: explainWith({}),
    analyse: () => analysis.queue(state),
    dispose() {
      for (const owned of [ensemble, root, window, wet, beginning, analysis]) owned.dispose();
    },
  };
}
