/** The state of a method and its departures from the observations: what every method owns. */
import type { RealField } from '../compute/backend.ts';
import { createDepartures } from './departures.ts';
import type { Departures } from './departures.ts';
import type { MethodSurroundings } from './method.ts';

export interface EnsembleState {
  /** [members][variable][y][x] */
  readonly state: RealField;
  readonly departures: Departures;
  /** Elements of one member: variables · ny · nx. */
  readonly length: number;
  dispose(): void;
}

/** @param assumedVariance the background's variance at each observation, where it is not the ensemble's */
export async function createEnsembleState(
  label: string,
  { backend, model, observations, threshold }: MethodSurroundings,
  members: number,
  assumedVariance?: () => Float64Array,
): Promise<EnsembleState> {
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const departures = await createDepartures(backend, observations, threshold, members, assumedVariance);
  const state = backend.allocate(`${label}.state`, 'real', members * length);
  return {
    state,
    departures,
    length,
    dispose() {
      departures.dispose();
      state.dispose();
    },
  };
}
