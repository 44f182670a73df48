/** The state of a method and its departures from the observations: what every method owns. */
import type { RealField } from '../../compute/backend.ts';
import { createDepartures } from './departures.ts';
import type { Departures, VarianceSource } from './departures.ts';
import type { MethodContext } from '../method.ts';

export interface EnsembleState {
  /** [members][variable][y][x] */
  readonly state: RealField;
  readonly departures: Departures;
  /** Elements of one member: variables · ny · nx. */
  readonly length: number;
  dispose(): void;
}

/** @param source of the background's variance at the observations; the ensemble's as it is where left out */
export async function createEnsembleState(
  label: string,
  { backend, model, observations, threshold }: MethodContext,
  members: number,
  source: VarianceSource = { inflation: 1 },
): Promise<EnsembleState> {
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const departures = await createDepartures(backend, observations, threshold, members, source);
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
