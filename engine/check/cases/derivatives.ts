/** Adjoints of the operators of an analysis, the gradient of 3D-Var’s cost function, and the linearised models. */
import type { Backend } from '../../compute/backend.ts';
import { createControlTransform } from '../../methods/covariances/index.ts';
import { createReferenceBackend } from '../../compute/host-backend.ts';
import { adjointBound, LEAST_ADJOINT_SIZE, testAdjoint, minus, norm } from '../assimilation/dense.ts';
import type { LinearOperator } from '../assimilation/dense.ts';
import { basin, contextOf, lengthOf, PHYSICS, variational } from '../assimilation/set-up.ts';
import type { CovarianceInput, Observed } from '../assimilation/set-up.ts';
import type { CheckCase } from '../document.ts';
import { between, type Measurement } from '../measures.ts';
import {
  controlVector,
  createCostFunction,
  DECADE_BOUNDS,
  LAST_TAYLOR_BOUND,
  taylorErrors,
  TAYLOR_STEPS,
  TOGETHER,
} from '../assimilation/linear-gaussian.ts';
import { differenceFrom, LINEARISED_CASES, taylorOrder, transposeError } from '../assimilation/linear-models.ts';

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

/** The gradient of 3D-Var's cost function. */
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

/** Not square, no multiple of a workgroup. */
const SIZE = { nx: 9, ny: 7 };
const CELLS = SIZE.nx * SIZE.ny;
const OBSERVATIONS = 21;

const transforms: readonly (readonly [name: string, periodic: boolean, covariance: CovarianceInput])[] = [
  ['V, recursive filter between walls', false, { kind: 'recursive-filter' }],
  ['V, recursive filter with geostrophic balance', false, { kind: 'recursive-filter', balance: 'geostrophic' }],
  ['V, Gaussian on periodic axes', true, { kind: 'gaussian' }],
];

const networks = [
  ['H of h, η, hu, hv', ['h', 'eta', 'hu', 'hv']],
  ['H of u, v and speed, linearised', ['u', 'v', 'speed']],
] as const;

function judged(what: string, { difference, size }: Awaited<ReturnType<typeof testAdjoint>>, backend: Backend) {
  return [
    {
      what: `${what}: |⟨Ax, y⟩ − ⟨x, Aᵀy⟩| / ‖Ax‖‖y‖`,
      value: difference,
      bar: { atMost: adjointBound(backend.precision) },
    },
    {
      what: `${what}: |⟨x, Aᵀy⟩| / ‖Ax‖‖y‖, which is no zero`,
      value: size,
      bar: { atLeast: LEAST_ADJOINT_SIZE },
      guard: true,
    },
  ];
}

async function ofTransform(
  backend: Backend,
  periodic: boolean,
  settings: CovarianceInput,
): Promise<LinearOperator & { dispose(): void }> {
  const model = basin({ ...SIZE, periodicX: periodic, periodicY: periodic });
  const deviations = { h: 0.1, hu: 0.2, hv: 0.3 };
  const { covariance } = variational({ length: 4, standardDeviation: deviations, ...settings });
  const transform = await createControlTransform(backend, model, covariance, PHYSICS);
  return { ...transform, columns: transform.length, rows: lengthOf(model) };
}

async function ofObservations(
  backend: Backend,
  variables: readonly string[],
): Promise<LinearOperator & { dispose(): void }> {
  const model = basin(SIZE);
  const observed: Observed = {
    x: between(OBSERVATIONS, 0, SIZE.nx - 1, 'adjoint.x'),
    y: between(OBSERVATIONS, 0, SIZE.ny - 1, 'adjoint.y'),
    variable: Array.from({ length: OBSERVATIONS }, (_, j) => variables[j % variables.length]),
    values: new Float64Array(OBSERVATIONS),
    inverseErrorStd: between(OBSERVATIONS, 5, 20, 'adjoint.inverseErrorStd'),
  };
  const context = await contextOf(backend, model, observed, 2);
  const tangent = context.observations.linearised('check');
  const state = backend.allocate('adjoint.state', 'real', lengthOf(model));
  backend.write(state, [
    ...between(CELLS, -0.05, 0.05, 'adjoint.eta'),
    ...between(CELLS, 0.2, 0.4, 'adjoint.hu'),
    ...between(CELLS, -0.3, -0.1, 'adjoint.hv'),
  ]);
  tangent.linearise(state);
  return {
    columns: lengthOf(model),
    rows: OBSERVATIONS,
    apply: (input, output) => tangent.product(input, output),
    applyAdjoint: (input, output) => tangent.adjoint(input, output),
    dispose() {
      for (const owned of [tangent, state, context]) owned.dispose();
    },
  };
}

export const adjoints: CheckCase = {
  id: 'adjoints',
  title: 'Adjoints',
  claim:
    'The adjoint of the square root V of the background-error covariance, and that of the linearised observation operator H, are their adjoints: ⟨Ax, y⟩ = ⟨x, Aᵀy⟩ for random x and y.',
  basis:
    'Both sides are sums of products whose sizes add up to at most ‖Ax‖‖y‖, each wrong by some tens of roundings: of 2⁻⁵³ in float64 (bar 1e-12), of 2⁻²⁴ in float32 (1e-5). That the two sides are no zeros is measured too.',
  async measure({ backend, turn }) {
    const found: Measurement[] = [];
    const test = async (what: string, operator: LinearOperator & { dispose(): void }): Promise<void> => {
      try {
        await turn();
        found.push(...judged(what, await testAdjoint(backend, operator), backend));
      } finally {
        operator.dispose();
      }
    };
    for (const [what, periodic, settings] of transforms)
      await test(what, await ofTransform(backend, periodic, settings));
    for (const [what, variables] of networks) await test(what, await ofObservations(backend, variables));
    return found;
  },
};

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
