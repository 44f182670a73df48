/** A short run against the reference. */
import { createReferenceBackend } from '../../compute/host-backend.ts';
import { agreementProblems, compareRuns } from '../assimilation/backend-agreement.ts';
import type { CheckCase } from '../check-case.ts';

const AFTER = [1, 10];
/** Names of the states in a checkpoint: truth and ensembles. */
const STATE = /^method\.|^(?=truth$)/;

export const agreement: CheckCase = {
  id: 'agreement',
  title: 'A run against the reference',
  claim:
    'Ten cycles of a rotating channel with drops, gauges, drifting buoys, a free run, 3D-Var, LETKF and EnKF leave the states that the reference leaves, but for rounding and its growth. The number is the largest difference of a state.',
  basis:
    'Measured in float64: a second run that starts from states wrong by one rounding, 2⁻²⁴, gives the growth G(m) by cycle; each cycle adds three roundings of its own, so that after n cycles a state may be 3·2⁻²⁴ Σ G(m) off, m from 0 to n.',
  async measure({ backend, turn }) {
    if (backend.name === 'reference') return { notApplicable: 'this backend is the reference' };
    const reference = createReferenceBackend();
    try {
      const { differences } = await compareRuns(reference, backend, agreementProblems[0], AFTER, turn);
      return differences
        .filter(({ state }) => STATE.test(state))
        .map(({ state, cycle, difference, bound }) => ({
          what: `${state.replace(STATE, '')} after ${cycle === 1 ? 'one cycle' : `${cycle} cycles`}`,
          value: difference,
          bar: { atMost: bound },
        }));
    } finally {
      reference.dispose();
    }
  },
};
