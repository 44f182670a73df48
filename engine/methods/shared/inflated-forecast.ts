/** The forecast as a filter analyses it: its members inflated, by the set factor or by that which adapts itself, and what they see. */
import type { RealField } from '../../compute/backend.ts';
import { inflation as inflationOperator } from '../../operators/ensemble/index.ts';
import type { MethodContext } from '../method.ts';
import type { Departures } from './departures.ts';
import type { AdaptiveInflation } from './inflation.ts';

export interface InflatedForecast {
  /** Queues the inflation of a forecast, [members][length], in place, and of the departures' `observedEnsemble` with it. */
  inflate(state: RealField): void;
  dispose(): void;
}

/** @param factor ρ, if it does not adapt itself. @param length elements of a member */
export async function createInflatedForecast(
  { backend, observations, members }: MethodContext,
  departures: Departures,
  {
    factor,
    adaptive,
    length,
  }: { readonly factor: number; readonly adaptive: AdaptiveInflation | undefined; readonly length: number },
): Promise<InflatedForecast> {
  const ofAnomalies = Math.sqrt(factor);
  const inflating = await backend.prepare(inflationOperator, { members, length, factor: ofAnomalies });
  const inflatingObserved = await backend.prepare(inflationOperator, {
    members,
    length: observations.capacity,
    factor: ofAnomalies,
  });
  return {
    inflate(state) {
      const { observedEnsemble, inflatedEnsemble } = departures;
      if (adaptive) adaptive.begin(state);
      else inflating.run({ ensemble: state });
      // Inflation has moved the members, and so what is observed of them; what was observed before, by as much.
      if (!observations.isAsynchronous) observations.observe(state, members, observedEnsemble);
      else if (adaptive) backend.copy(inflatedEnsemble, observedEnsemble);
      else inflatingObserved.run({ ensemble: observedEnsemble });
    },
    dispose() {
      inflating.dispose();
      inflatingObserved.dispose();
    },
  };
}
