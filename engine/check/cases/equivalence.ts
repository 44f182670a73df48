/** Linear-Gaussian equivalence. */
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
import type { CheckCase } from '../check-case.ts';

function largestSize(values: Float64Array): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

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
