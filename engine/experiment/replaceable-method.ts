/** A method whose settings can change between two cycles: the same to whoever holds it, the same state, another analysis. */
import type { Backend } from '../compute/backend.ts';
import { continuedFactors, type Method } from '../methods/index.ts';

export interface ReplaceableMethod extends Method {
  /** Frees all but its state, which is kept on the host: it cannot be used until it is resumed. */
  suspend(): Promise<void>;
  /**
   * Continues with the method that `create` makes; kind, label and members are to be the same. The state goes over exactly, and so does
   * the factor of an inflation that adapted itself before and continues to, what was carried before and is to be, and of a smoother the
   * states of as many cycles as it is to keep; what begins to be carried is of the state.
   */
  resume(create: () => Promise<Method>): Promise<void>;
}

export async function createReplaceableMethod(
  backend: Backend,
  create: () => Promise<Method>,
): Promise<ReplaceableMethod> {
  let current: Method | undefined = await create();
  let state: Float64Array | undefined;
  let carriedState: Float64Array | undefined;
  let factor: Float64Array | undefined;
  let pastStates: readonly Float64Array[] = [];
  const now = (): Method => {
    if (!current) throw new RangeError('the method is suspended or disposed of');
    return current;
  };
  const { label, kind, members } = now();
  return {
    label,
    kind,
    members,
    get state() {
      return now().state;
    },
    get carried() {
      return now().carried;
    },
    get departures() {
      return now().departures;
    },
    get whiten() {
      return now().whiten;
    },
    get misfit() {
      return now().misfit;
    },
    get inflation() {
      return now().inflation;
    },
    initialise: (ensemble) => now().initialise(ensemble),
    explain: (question, forecast) => now().explain(question, forecast),
    get beginning() {
      return now().beginning;
    },
    get past() {
      return now().past;
    },
    get analysedVariance() {
      return now().analysedVariance;
    },
    analyse: (cycle) => now().analyse(cycle),
    async suspend() {
      const { inflation, carried, past } = now();
      state = await backend.read(now().state);
      carriedState = carried && (await backend.read(carried.state));
      factor = inflation && (await backend.read(inflation.next));
      pastStates = await Promise.all((past?.kept ?? []).map((field) => backend.read(field)));
      now().dispose();
      current = undefined;
    },
    async resume(make) {
      if (!state) throw new RangeError(`${label} is not suspended`);
      current = await make();
      backend.write(current.state, state);
      if (current.carried && carriedState) {
        backend.write(current.carried.state, carriedState);
        current.carried.show();
      } else current.carried?.take();
      if (current.inflation && factor) {
        const { next } = current.inflation;
        backend.write(next, continuedFactors(factor, next.length));
      }
      for (const [index, field] of (current.past?.makeRoom(pastStates.length) ?? []).entries()) {
        backend.write(field, pastStates[index]);
      }
      pastStates = [];
      state = undefined;
      carriedState = undefined;
      factor = undefined;
    },
    dispose() {
      current?.dispose();
      current = undefined;
    },
  };
}
