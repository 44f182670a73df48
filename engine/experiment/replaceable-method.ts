/** A method whose settings can change between two cycles: the same to whoever holds it, the same state, another analysis. */
import type { Backend } from '../compute/backend.ts';
import type { Method } from '../methods/index.ts';

export interface ReplaceableMethod extends Method {
  /** Goes on with the method that `create` makes; kind, label and members are to be the same. The state goes over exactly. */
  replace(create: () => Promise<Method>): Promise<void>;
}

export async function createReplaceableMethod(
  backend: Backend,
  create: () => Promise<Method>,
): Promise<ReplaceableMethod> {
  let current: Method | undefined = await create();
  const now = (): Method => {
    if (!current) throw new RangeError('the method is disposed of');
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
    get departures() {
      return now().departures;
    },
    get misfit() {
      return now().misfit;
    },
    initialise: (ensemble) => now().initialise(ensemble),
    explain: (question, forecast) => now().explain(question, forecast),
    get analysedVariance() {
      return now().analysedVariance;
    },
    analyse: (cycle) => now().analyse(cycle),
    async replace(make) {
      const state = await backend.read(now().state);
      // One at a time: the memory that was stated holds no second one.
      now().dispose();
      current = undefined;
      current = await make();
      backend.write(current.state, state);
    },
    dispose() {
      current?.dispose();
      current = undefined;
    },
  };
}
