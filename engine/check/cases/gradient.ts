/** The gradient of 3D-Var's cost function. */
import { createReferenceBackend } from '../../compute/host-backend.ts';
import {
  controlVector,
  createCostFunction,
  DECADE_BOUNDS,
  LAST_TAYLOR_BOUND,
  taylorErrors,
  TAYLOR_STEPS,
  TOGETHER,
} from '../assimilation/cost-function.ts';
import { minus, norm } from '../assimilation/dense.ts';
import type { CovarianceInput } from '../assimilation/set-up.ts';
import type { CheckCase } from '../check-case.ts';
import type { Measurement } from '../measures.ts';

interface Problem {
  readonly name: string;
  readonly variables: readonly string[];
  readonly covariance: CovarianceInput;
  /** Those whose errors are correlated, with R whole. */
  readonly correlated?: typeof TOGETHER;
}

const problems: readonly Problem[] = [
  { name: 'H linear', variables: ['h', 'eta', 'hu', 'hv'], covariance: { kind: 'recursive-filter' } },
  {
    name: 'H of currents, balanced covariance',
    variables: ['speed', 'u'],
    covariance: { kind: 'gaussian', balance: 'geostrophic' },
  },
  {
    name: 'H linear, R whole',
    variables: ['h', 'eta', 'hu', 'hv'],
    covariance: { kind: 'recursive-filter' },
    correlated: TOGETHER,
  },
];

/** As that of an adjoint in float32: the gradient is such a sum, of residuals that carry a few roundings of what is observed. */
const FLOAT32_BOUND = 1e-5;

export const gradient: CheckCase = {
  id: 'gradient',
  title: 'Gradient of the cost function',
  claim:
    'The gradient that 3D-Var descends along is that of its cost function J: (J(v + αp) − J(v)) / α⟨∇J, p⟩ tends to 1 as α falls from 1 to 1e-6, and the backend’s gradient is that one.',
  basis:
    'Taylor: the ratio is 1 + cα + O(α²), so that each decade of α leaves a tenth of the error (bar 0.095 to 0.105), where a wrong gradient would leave a constant. Six decades take float64, in which this is done on every backend; a gradient in float32 is a sum of products as an adjoint is, and within 1e-5 of it.',
  async measure({ backend, turn }) {
    const found: Measurement[] = [];
    const reference = createReferenceBackend();
    try {
      for (const { name, variables, covariance, correlated } of problems) {
        await turn();
        const exact = await createCostFunction(reference, covariance, variables, correlated);
        const errors = await taylorErrors(exact);
        const ratios = errors.slice(1).map((error, decade) => error / errors[decade]);
        const last = errors[TAYLOR_STEPS.length - 1];
        found.push(
          {
            what: `${name}: least error left by a decade of α`,
            value: Math.min(...ratios),
            bar: { between: DECADE_BOUNDS },
          },
          {
            what: `${name}: most error left by a decade of α`,
            value: Math.max(...ratios),
            bar: { between: DECADE_BOUNDS },
          },
          { what: `${name}: |ratio − 1| at α = 1e-6`, value: Math.abs(last), bar: { atMost: LAST_TAYLOR_BOUND } },
        );
        if (backend.precision === 'float64') continue;
        const own = await createCostFunction(backend, covariance, variables, correlated);
        try {
          const v = controlVector(own.length);
          const slopes = await exact.gradient(v);
          const difference = norm(minus(await own.gradient(v), slopes)) / norm(slopes);
          found.push({
            what: `${name}: ∇J here and in float64, relative`,
            value: difference,
            bar: { atMost: FLOAT32_BOUND },
          });
        } finally {
          own.dispose();
        }
      }
      return found;
    } finally {
      reference.dispose();
    }
  },
};
