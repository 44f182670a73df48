/** 3D-Var, as a kind of method. */
import { filterCost, reachAlong } from '../../operators/recursive-filter/index.ts';
import { within } from '../../settings/index.ts';
import {
  controlPlanes,
  covarianceDefinition,
  covarianceProblems,
  covarianceTuning,
  lengthWarnings,
} from '../covariances/index.ts';
import { defineMethod } from '../definition.ts';
import { HOST_BYTES, TANGENT_ENTRIES } from '../shared/counts.ts';
import { errorCorrelationWarnings, takenErrors, wholeErrorsCost } from '../shared/error-correlation-setting.ts';
import { inside } from '../tuning.ts';
import { proposedThreeDVar } from './proposal.ts';
import { threeDVarSchema } from './settings.ts';
import { createThreeDVar } from './three-d-var.ts';

export const threeDVar = defineMethod(threeDVarSchema, {
  appearance: {
    shades: [
      ['#e69f00', '#946200'],
      ['#ffc65c', '#6e4800'],
      ['#f0e442', '#746a00'],
    ],
    dash: '7 3',
    marker: 'square',
  },
  carries: 'state',
  assimilates: true,
  trustsSpread: false,
  takesErrors: takenErrors,
  problems: ({ covariance }, situation) => within(['covariance'], covarianceProblems(covariance, situation)),
  warnings: ({ covariance, errorCorrelation }, situation) => [
    ...within(['covariance'], lengthWarnings(covariance, situation)),
    ...errorCorrelationWarnings(errorCorrelation, situation),
  ],
  memory({ covariance, minimisation, errorCorrelation }, { cells, state, observations }, situation) {
    const { grid, variables } = situation;
    const planes = controlPlanes(covariance, variables);
    // Increment, balance and twice the scale; gradient, solution, residual, direction, product and twice two passes of the filter.
    // And two tangent linears: the analysis' own, and that of the background's variance.
    const elements = 5 * state + 8 * planes * cells + cells + 2 * TANGENT_ENTRIES * observations;
    const relinearised = minimisation.outerLoops > 1 ? state + 4 * observations : 0;
    // The scale of the covariance, and the rows of its filters.
    const rows = [grid.nx, grid.ny].map((along, axis) => {
      const reach = reachAlong(covariance.length, axis === 0 ? grid.dx : grid.dy, along);
      return Math.min(along, 2 * reach) * 2 * reach;
    });
    const whole = wholeErrorsCost(errorCorrelation, situation);
    return {
      elements: elements + relinearised + whole.elements,
      hostBytes: (2 * state + 2 * (rows[0] + rows[1])) * HOST_BYTES + whole.hostBytes,
    };
  },
  // The minimisation without preconditioning: six states, and two control vectors.
  asking: ({ covariance }, { cells, state }, { variables }) =>
    6 * state + 2 * controlPlanes(covariance, variables) * cells,
  effort({ covariance, minimisation, errorCorrelation }, situation) {
    const { grid, variables } = situation;
    const passes = covarianceDefinition(covariance.kind).passes(covariance);
    const { plane, build } = filterCost(covariance.length, passes, grid);
    const product = 2 * variables.length * plane + 20 * variables.length * grid.nx * grid.ny;
    const whole = wholeErrorsCost(errorCorrelation, situation);
    return {
      each: minimisation.outerLoops * minimisation.maxIterations * (product + whole.product) + whole.each,
      once: 2 * build + whole.once,
    };
  },
  proposal: proposedThreeDVar,
  tuning({ covariance }, situation) {
    const { settings, ...words } = covarianceTuning(covariance, situation);
    return { ...words, settings: inside('covariance', settings) };
  },
  create: createThreeDVar,
});
