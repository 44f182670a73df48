/** The states of the last cycles, which a smoother continues to analyse: a ring of ensembles. */
import type { Backend, RealField } from '../../compute/backend.ts';
import type { PastStates } from '../method.ts';

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
