/** Operators against results that were computed independently. */
import { runCase } from '../../cases/index.ts';
import type { CheckCase } from '../check-case.ts';
import type { Measurement } from '../measures.ts';
import { embeddedCases } from '../oracle/embedded-cases.ts';

export const oracle: CheckCase = {
  id: 'oracle',
  title: 'Operators against numpy',
  claim:
    'Recursive filter, convolution, LETKF, tapered gain covariance and a whole minimisation of 3D-Var give what independent programs in numpy gave in float64, from the same arrays.',
  basis:
    'max|a − b| / max(1, max|b|), which the cases allow by precision: in float64 the rounding of the solves, in float32 that of the longest sums.',
  async measure({ backend, turn }) {
    const found: Measurement[] = [];
    for (const { name, read } of embeddedCases) {
      await turn();
      const { errors, tolerance = 0, notFinite } = await runCase(backend, name, read);
      for (const [output, error] of Object.entries(errors)) {
        found.push({
          what: `${name}: ${output}`,
          value: notFinite === undefined ? error : NaN,
          bar: { atMost: tolerance },
        });
      }
    }
    return found;
  },
};
