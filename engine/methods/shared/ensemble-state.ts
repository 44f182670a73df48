/** The state of a method and its departures from the observations: what every method owns. */
import type { RealField, Backend } from '../../compute/backend.ts';
import { ensembleMean } from '../../operators/ensemble/index.ts';
import type { MethodContext, PastStates } from '../method.ts';
import { createDepartures, type Departures, type VarianceSource } from './departures.ts';

/** Bytes of a state from which on runs take so long that a companion saves nothing. */
const LARGE_STATE = 2 ** 27;

/** A method's state on its backend, with its departures from the observations. */
export interface EnsembleState {
  /** [members][variable][y][x], with room for one more on a GPU: the truth goes along with the forecast. */
  readonly state: RealField;
  readonly departures: Departures;
  /** Elements of one member: variables · ny · nx. */
  readonly length: number;
  /**
   * Queues the state that a run begins with: `ensemble`, [members of the context][length], as it is, or its mean where a single
   * state is carried.
   */
  readonly initialise: (ensemble: RealField) => void;
  /** Frees both. */
  dispose(): void;
}

/**
 * Allocates the state of a method, and prepares its departures.
 *
 * @param label what its fields are named by
 * @param members that the method carries: those of the context, or one
 * @param source of the background's variance at the observations; the ensemble's as it is if omitted
 */
export async function createEnsembleState(
  label: string,
  { backend, model, observations, threshold, members: drawn }: MethodContext,
  members: number,
  source: VarianceSource = { inflation: 1 },
): Promise<EnsembleState> {
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const departures = await createDepartures(backend, observations, threshold, members, source);
  const isLarge = members * length * backend.elementBytes > LARGE_STATE;
  const state = backend.allocate(`${label}.state`, 'real', members * length, isLarge ? 0 : length);
  const averaging = members === drawn ? undefined : await backend.prepare(ensembleMean, { members: drawn, length });
  return {
    state,
    departures,
    length,
    initialise(ensemble) {
      if (averaging) averaging.run({ ensemble, mean: state });
      else backend.copy(ensemble, state);
    },
    dispose() {
      averaging?.dispose();
      departures.dispose();
      state.dispose();
    },
  };
}

/** The states of the last cycles, which a smoother continues to analyse: a ring of ensembles. */
export interface KeptStates extends PastStates {
  dispose(): void;
}

/**
 * @param label of the method
 * @param state what is kept, [members][variable][y][x]
 * @param lag cycles back, 1 or more
 * @throws LimitError when they do not fit the backend
 */
export function createPastStates(backend: Backend, label: string, state: RealField, lag: number): KeptStates {
  const slots = Array.from({ length: lag }, (_, slot) =>
    backend.allocate(`${label}.past${slot}`, 'real', state.length),
  );
  let count = 0;
  const kept = (): readonly RealField[] => slots.slice(0, count);
  return {
    lag,
    get kept() {
      return kept();
    },
    keep() {
      const oldest = slots.pop();
      if (!oldest) return;
      backend.copy(state, oldest);
      slots.unshift(oldest);
      count = Math.min(count + 1, lag);
    },
    makeRoom(wanted) {
      count = Math.min(wanted, lag);
      return kept();
    },
    dispose() {
      for (const slot of slots) slot.dispose();
    },
  };
}
