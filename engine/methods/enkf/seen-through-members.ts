/**
 * Which observations the EnKF sees through its members: those that are not linear in the state that is analysed, since a velocity
 * is observed, or a state on its way there. The others it sees by H itself, whatever is observed beside them.
 */
import { isLinearlyObserved } from '../../operators/observation/index.ts';
import type { ObservedPositions } from '../method.ts';

/** @returns 1 for an observation that is seen through the members, 0 for one that is linear in the state */
export function seenThroughMembers({ variable, moment }: Pick<ObservedPositions, 'variable' | 'moment'>): Float64Array {
  return Float64Array.from(variable, (name, j) => Number((moment?.[j] ?? 0) > 0 || !isLinearlyObserved(name)));
}
