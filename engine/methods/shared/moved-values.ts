/**
 * Observed values as the state that is analysed is held against them. What was observed inside the window is moved on with the
 * forecast, y + H(x̄ᶠ) − H(x̄ᶠ then): as far from the forecast that is analysed as it was from the forecast at its own time, so that
 * y − H(x̄ᶠ) is the departure of the first guess at appropriate time, and y − H(x) of any other state goes with it.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import { ensembleMean, perturbation } from '../../operators/ensemble/index.ts';
import type { ObservationOperator } from '../../operators/observation/index.ts';

export interface MovedValues {
  /** [capacity] */
  readonly values: RealField;
  /** Queues `values` for a forecast. @param observed mean H(x) of what is observed, each at its time, [capacity] */
  move(forecast: RealField, observed: RealField): void;
  dispose(): void;
}

/** @param members of a forecast */
export async function createMovedValues(
  backend: Backend,
  observations: ObservationOperator,
  members: number,
): Promise<MovedValues> {
  const { capacity, moments } = observations;
  if (moments === 0) return { values: observations.values, move: () => undefined, dispose: () => undefined };
  const allocate = (name: string, length: number) => backend.allocate(`movedValues.${name}`, 'real', length);
  const fields = {
    values: allocate('values', capacity),
    ensemble: allocate('ensemble', members * capacity),
    mean: allocate('mean', capacity),
  };
  const averaging = await backend.prepare(ensembleMean, { members, length: capacity });
  const subtracting = await backend.prepare(perturbation, { members: 1, length: capacity, factor: -1 });
  const adding = await backend.prepare(perturbation, { members: 1, length: capacity });
  return {
    values: fields.values,
    move(forecast, observed) {
      const { values, ensemble, mean } = fields;
      backend.copy(observations.values, values);
      if (!observations.isAsynchronous) return;
      observations.observe(forecast, members, ensemble);
      averaging.run({ ensemble, mean });
      subtracting.run({ noise: observed, ensemble: values });
      adding.run({ noise: mean, ensemble: values });
    },
    dispose() {
      for (const owned of [averaging, subtracting, adding, ...Object.values(fields)]) owned.dispose();
    },
  };
}
