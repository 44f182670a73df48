/** The linearised models: their tangents and adjoints. */
import { createReferenceBackend } from '../../compute/host-backend.ts';
import { adjointBound, LEAST_ADJOINT_SIZE } from '../assimilation/dense.ts';
import { differenceFrom, LINEARISED_CASES, taylorOrder, transposeError } from '../assimilation/linear-models.ts';
import type { CheckCase } from '../document.ts';
import type { Measurement } from '../measures.ts';

/** Order of a remainder of second order, less what its third order and rounding leave. */
export const LEAST_ORDER = 1.9;
/** Share of the tangent that a shore’s limits, taken as they are, may leave. */
export const LIMITED_SHARE = 0.01;
/** A tangent in float32: rounding of some tens of operations, six steps long. */
export const FLOAT32_DIFFERENCE = 1e-5;

export const linearised: CheckCase = {
  id: 'linearised-models',
  title: 'Linearised models and their adjoints',
  claim:
    'Over six steps of every model, with walls, open and periodic sides, rotation, friction and a shore, the adjoint is the transpose of the tangent, and the tangent is the derivative of the model.',
  basis:
    'Both sides of the dot-product test are sums of products with a few tens of roundings each: 1e-12 in float64, 1e-5 in float32. Taylor: what the tangent leaves falls with the square of the perturbation, which takes the digits of float64 and is measured there on every machine; at a shore, where limits of the flow are taken as they are, it leaves at most 1 %. Tangent and adjoint in float32 are within 1e-5 of float64, but at a shore, where rounding decides a limit.',
  async measure({ backend, turn }) {
    const found: Measurement[] = [];
    const reference = createReferenceBackend();
    try {
      for (const each of LINEARISED_CASES) {
        await turn();
        const { name, isLimited } = each;
        const { difference, size } = await transposeError(backend, each);
        found.push(
          {
            what: `${name}: |⟨M′y, z⟩ − ⟨y, M′ᵀz⟩| / ‖M′y‖‖z‖`,
            value: difference,
            bar: { atMost: adjointBound(backend.precision) },
          },
          {
            what: `${name}: |⟨M′y, z⟩| / ‖M′y‖‖z‖, which is no zero`,
            value: size,
            bar: { atLeast: LEAST_ADJOINT_SIZE },
            guard: true,
          },
        );
        const { order, share } = await taylorOrder(reference, each);
        if (isLimited) {
          found.push({ what: `${name}: share that the tangent leaves`, value: share, bar: { atMost: LIMITED_SHARE } });
          continue;
        }
        found.push({ what: `${name}: order of what the tangent leaves`, value: order, bar: { atLeast: LEAST_ORDER } });
        if (backend.precision === 'float64') continue;
        found.push({
          what: `${name}: difference from float64, relative`,
          value: await differenceFrom(reference, backend, each),
          bar: { atMost: FLOAT32_DIFFERENCE },
        });
      }
      return found;
    } finally {
      reference.dispose();
    }
  },
};
