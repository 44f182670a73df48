/** 3D-Var: the increment that minimises J, of one state with a static background-error covariance (variational/). */
import { filterCost, reachAlong } from '../../operators/recursive-filter/index.ts';
import { within, type Situation } from '../../settings/index.ts';
import {
  controlPlanes,
  covarianceDefinition,
  covarianceProblems,
  covarianceTuning,
  lengthWarnings,
  createControlTransform,
  covarianceField,
} from '../covariances/index.ts';
import {
  defineMethod,
  HOST_BYTES,
  TANGENT_ENTRIES,
  methodSchema,
  inside,
  type OtherMethod,
  type SettingsOf,
} from '../definition.ts';
import {
  errorCorrelationWarnings,
  takenErrors,
  wholeErrorsCost,
  proposedErrorCorrelation,
  errorCorrelationField,
  assumedField,
} from '../shared/error-correlation-setting.ts';
import { proposedLength, rounded } from '../shared/localisation.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import {
  createBackgroundVariance,
  createIncrementalAnalysis,
  explainVariational,
  staticDeviations,
  minimisationField,
} from '../variational/index.ts';

/** What 3D-Var and 4D-Var are set by. */
export const staticVariationalFields = {
  covariance: covarianceField,
  errorCorrelation: errorCorrelationField(
    'R is whole in J; its Cholesky factor multiplies what is observed at every iteration.',
  ),
  minimisation: minimisationField,
  assumed: assumedField,
};

/** The settings of 3D-Var. */
const threeDVarSchema = methodSchema(
  '3dvar',
  {
    title: '3D-Var',
    description: 'Variational analysis of one state with a static background-error covariance.',
    gist: 'Variational analysis with a static background-error covariance.',
  },
  staticVariationalFields,
);

type ThreeDVarSettings = SettingsOf<typeof threeDVarSchema>;

async function createThreeDVar(method: ThreeDVarSettings, context: MethodContext): Promise<Method> {
  const { label, minimisation } = method;
  const transform = await createControlTransform(context.backend, context.model, method.covariance, context);
  const variance = await createBackgroundVariance(transform, context);
  const ensemble = await createEnsembleState(label, context, 1, variance);
  const { state, departures } = ensemble;
  const analysis = await createIncrementalAnalysis(context, { method, transform, departures });
  const deviations = staticDeviations(transform, context.model);
  const explanation = explainVariational(context, {
    transform,
    analysis,
    state,
    members: 1,
    departures,
    minimisation,
    begin: (forecast) => forecast,
    backgroundDeviations: () => Promise.resolve(deviations()),
  });
  return {
    label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    whiten: analysis.seen.whitenInto,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    analysedVariance: (row, forecast) => explanation.analysedVariance(row, forecast),
    analyse: () => analysis.queue(state),
    dispose() {
      for (const owned of [analysis, ensemble, variance, transform]) owned.dispose();
    },
  };
}

/** Length in distances between observations, and in cells. */
const LENGTH = 1;
const LENGTH_CELLS = 1.5;
/** Standard deviation of the background error in those of the observations, if nothing else determines it. */
const DEVIATION = 2.5;

/** Standard deviations of the background error: of its perturbations where it has some, else from the observations' errors. */
function deviations({ background, networks, variables, depth = 1 }: Situation): Readonly<Record<string, unknown>> {
  const { standardDeviation: perturbed, balance } = background.perturbation;
  if (perturbed > 0 && variables.includes('h')) return { standardDeviation: { h: perturbed }, balance };
  const errorOf = (...names: readonly string[]): number | undefined => {
    const errors = networks.filter(({ variable }) => names.includes(variable));
    return errors.length > 0 ? Math.min(...errors.map((each) => each.errorStandardDeviation)) : undefined;
  };
  const momentum = (name: string, current: string): number => {
    const error = errorOf(name) ?? (errorOf(current, 'speed') ?? 0) * depth;
    return rounded(DEVIATION * error);
  };
  const found = {
    h: rounded(DEVIATION * (errorOf('h', 'eta') ?? 0)),
    hu: momentum('hu', 'u'),
    hv: momentum('hv', 'v'),
    x: rounded(DEVIATION * (errorOf('x') ?? 0)),
  };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value > 0));
  return Object.keys(known).length > 0 ? { standardDeviation: known } : {};
}

/** @returns the covariance of another method that has one, or what grid, network and background suggest */
function proposedThreeDVar(situation: Situation, others: readonly OtherMethod[]): Readonly<Record<string, unknown>> {
  const other = others.find((method): method is OtherMethod & { covariance: object } => 'covariance' in method);
  const errors = proposedErrorCorrelation(situation);
  if (other !== undefined) return { covariance: structuredClone(other.covariance), ...errors };
  const length = proposedLength(situation, LENGTH, LENGTH_CELLS);
  return { covariance: { kind: 'recursive-filter', length, ...deviations(situation) }, ...errors };
}

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
    const own = covarianceDefinition(covariance.kind).memory?.(covariance, grid) ?? { plane: 0, host: 0 };
    return {
      elements: elements + planes * own.plane + relinearised + whole.elements,
      hostBytes: (2 * state + 2 * (rows[0] + rows[1]) + own.host) * HOST_BYTES + whole.hostBytes,
    };
  },
  // The minimisation without preconditioning: six states, and two control vectors.
  asking: ({ covariance }, { cells, state }, { variables }) =>
    6 * state + 2 * controlPlanes(covariance, variables) * cells,
  effort({ covariance, minimisation, errorCorrelation }, situation) {
    const { grid, variables } = situation;
    const passes = covarianceDefinition(covariance.kind).passes(covariance, grid);
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
