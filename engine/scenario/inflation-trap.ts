/**
 * A trap of long runs. Without rotation a steady current without divergence has no effect on the depth: gauges of the depth do not see
 * it, and the model does not damp it. Inflation by a factor ρ multiplies its spread by √ρ in every cycle, until increments by chance
 * correlations make currents of it that the truth does not have.
 */
import { waterOf } from '../model-kinds/index.ts';
import type { Problem } from '../settings/index.ts';
import { tidy } from '../settings/index.ts';
import type { Method, Scenario } from './schema.ts';

/** Growth of the spread from which on a run is warned. */
const LARGE_GROWTH = 10;

/** The inflation of a filter that multiplies all of its spread; 1 of others. */
function inflationOf(method: Method): number {
  const filter = method.kind === 'hybrid' ? method.ensemble : method;
  if (!('inflation' in filter) || filter.relaxation.kind !== 'none' || filter.adaptation.kind !== 'none') return 1;
  return filter.inflation;
}

/** @returns for each such method, that its inflation meets currents that neither observations nor the model damp */
export function inflationWarnings({ model, observations, experiment, methods }: Scenario): Problem[] {
  const water = waterOf(model);
  if (water === undefined || water.coriolis.f !== 0 || water.coriolis.beta !== 0) return [];
  const seesDepthAlone =
    observations.length > 0 && observations.every(({ variable }) => ['h', 'eta'].includes(variable));
  if (!seesDepthAlone || water.friction.manning > 0) return [];
  return methods.flatMap((method, index) => {
    const rate = Math.log(inflationOf(method)) / 2 - water.friction.linear * experiment.window;
    const growth = Math.exp(experiment.cycles * rate);
    if (!(growth > LARGE_GROWTH)) return [];
    const message =
      `inflation ${tidy(inflationOf(method))} multiplies the spread of steady currents, which gauges of the depth do not see and the model does not damp, ` +
      `by ${growth < 1e6 ? tidy(Number(growth.toPrecision(2))) : 'more than a million'} in ${experiment.cycles} cycles; ` +
      'use relaxation "spread" in its place, which gives back only what an analysis takes, or model.friction.linear';
    return [{ path: ['methods', index], message }];
  });
}
