/** Operators of a run against their reference forms, and methods against the Kalman filter. */
import { everything, scenarioOf, twin, type TwinInput } from '../assimilation/twin.ts';
import type { CheckCase } from '../document.ts';
import type { Measurement } from '../measures.ts';
import { compareRun, watch } from '../operators/compare.ts';
import {
  closedForm,
  equivalenceBound,
  exactEnsemble,
  largestDifference,
  LENGTH,
  MEAN,
  model,
  OBSERVED,
  threeDVar,
} from '../assimilation/linear-gaussian.ts';
import { minus, norm } from '../assimilation/dense.ts';
import { analyse, meanOf, method, NO_LOCALISATION, sampleCovariance } from '../assimilation/set-up.ts';

function largestSize(values: Float64Array): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

/** Linear-Gaussian equivalence. */
export const equivalence: CheckCase = {
  id: 'linear-gaussian',
  title: 'Linear-Gaussian equivalence',
  claim:
    'Where everything is linear and Gaussian, 3D-Var with B, and the LETKF without localisation with an ensemble whose sample covariance is B, give the analysis of the Kalman filter: its closed form by dense matrices in float64.',
  basis:
    'In float64 1e-8 of states of size 1. In float32 one rounding, 2⁻²⁴, of the ensemble’s largest number, times the condition of I + R^−½HBHᵀR^−½, which is measured, times √n for sums over the n columns of V. That the analysis is far from the background is measured too.',
  async measure({ backend, turn }) {
    const known = await closedForm();
    const { kalman, root, covariance } = known;
    const atMost = equivalenceBound(backend.precision, known);
    await turn();
    const variational = await analyse(backend, model, threeDVar, MEAN, OBSERVED);
    await turn();
    const letkf = method({ kind: 'letkf', localisation: NO_LOCALISATION });
    const { state } = await analyse(backend, model, letkf, exactEnsemble(MEAN, root), OBSERVED);
    const mean = meanOf(state, LENGTH);
    return [
      {
        what: '3D-Var and the closed form: largest difference of the mean',
        value: largestSize(minus(variational.state, kalman.mean)),
        bar: { atMost },
      },
      {
        what: 'LETKF and the closed form: largest difference of the mean',
        value: largestSize(minus(mean, kalman.mean)),
        bar: { atMost },
      },
      {
        what: 'LETKF and the closed form: largest difference of the covariance',
        value: largestDifference(sampleCovariance(state, LENGTH), kalman.covariance),
        bar: { atMost },
      },
      {
        what: 'length of the increment, which is no zero',
        value: norm(minus(kalman.mean, MEAN)),
        bar: { atLeast: 0.5 },
        guard: true,
      },
      {
        what: 'largest change of the covariance, which is no zero',
        value: largestDifference(covariance, kalman.covariance),
        bar: { atLeast: 0.01 },
        guard: true,
      },
    ];
  },
};

const CYCLES = 2;
/** Runs of an operator that are compared, at most. */
const MOST_RUNS = 12;

/** Every method, and what else brings operators of its own: a truth on a finer grid, and a filter that inflates in every way. */
export const furnished: TwinInput = {
  ...everything,
  truth: { ...everything.truth, model: { refinement: 2 } },
  methods: [
    ...(everything.methods ?? []),
    { kind: 'nudging', localisation: { halfWidth: 3 } },
    { kind: 'letkf', label: 'local', localisation: { halfWidth: 3 }, adaptation: { kind: 'local' } },
    { kind: 'enkf-n', localisation: { halfWidth: 3 } },
    { kind: 'denkf', localisation: { halfWidth: 3 } },
    { kind: 'eakf', localisation: { halfWidth: 3 }, inflation: 1.05 },
    { kind: '4dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
    {
      kind: 'hybrid',
      covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } },
      localisation: { length: 3 },
      ensemble: {
        kind: 'letkf',
        localisation: { halfWidth: 3 },
        weights: { every: 2 },
        adaptation: { kind: 'desroziers' },
        additive: { standardDeviation: 0.01, length: 3 },
      },
    },
    { kind: 'enks', lag: 2, localisation: { halfWidth: 3 } },
    { kind: 'ienks', lag: 2, rotation: true, minimisation: { maxIterations: 2 } },
    {
      kind: '4denvar',
      covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } },
      localisation: { length: 3 },
      ensemble: { kind: 'letkf', localisation: { halfWidth: 3 } },
    },
    {
      kind: 'hybrid-4dvar',
      covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } },
      localisation: { length: 3 },
      ensemble: { kind: 'letkf', localisation: { halfWidth: 3 } },
    },
  ],
};

interface Worst {
  /** Share of the bound. */
  share: number;
  readonly runs: Set<number>;
}

export const operators: CheckCase = {
  id: 'operators',
  title: 'Operators against the reference, one by one',
  claim:
    'In two cycles of a run with every method, each operator that runs (model, filters, observation operators, minimisation, transforms, scores, random numbers) gives what its reference form gives in float64 from the same inputs. The number is the largest difference as a share of what rounding explains.',
  basis:
    'Of each run its own, measured in float64: the reference form once more with every input wrong by one rounding moves its result by D; n operations an element add roundings of that effect, or of 2⁻²⁴ of the largest element M, as a random walk √n (D + 2⁻²⁴ M); allowed: four times that.',
  async measure({ backend, turn }) {
    if (backend.name === 'reference') return { notApplicable: 'this backend is the reference' };
    const watched = watch(backend, MOST_RUNS);
    const { experiment, runTo } = await twin(watched.backend, scenarioOf(furnished));
    const worst = new Map<string, Worst>();
    let index = 0;
    const compare = async (): Promise<void> => {
      for (const run of watched.take()) {
        await turn();
        index += 1;
        for (const { operator, difference, bound } of await compareRun(backend, run)) {
          const share = difference === 0 ? 0 : difference / bound;
          const known = worst.get(operator) ?? { share: 0, runs: new Set() };
          if (!(share <= known.share)) known.share = share;
          known.runs.add(index);
          worst.set(operator, known);
        }
      }
    };
    try {
      await compare();
      for (let cycle = 1; cycle <= CYCLES; cycle++) {
        await runTo(cycle);
        await compare();
      }
    } finally {
      experiment.dispose();
    }
    return [...worst].map(([operator, { share, runs }]): Measurement => ({
      what: `${operator}, ${runs.size} ${runs.size === 1 ? 'run' : 'runs'}: share of the bound`,
      value: share,
      bar: { atMost: 1 },
    }));
  },
};
