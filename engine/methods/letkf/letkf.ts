/** The local ensemble transform Kalman filter: every grid point its own analysis, of the observations near it [hunt2007]. */
import type { RealField } from '../../compute/backend.ts';
import { choleskySolution } from '../../operators/cholesky-solution/index.ts';
import { dotProduct } from '../../operators/dot-product/index.ts';
import { anomalies } from '../../operators/ensemble/index.ts';
import type { PointEstimate } from '../../operators/letkf/index.ts';
import { observedEnsembleCovariance } from '../../operators/observed-ensemble/index.ts';
import { count, optionalSection } from '../../settings/index.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext, Misfit } from '../method.ts';
import { createAdditiveInflation } from '../shared/additive-inflation.ts';
import { createCorrelatedErrors, type CorrelatedErrors } from '../shared/correlated-errors.ts';
import type { Departures } from '../shared/departures.ts';
import { createEnsembleState, createPastStates } from '../shared/ensemble-state.ts';
import { createAdaptiveInflation, localAdaptationField } from '../shared/inflation.ts';
import { createRelaxation, createRotation, rotationField } from '../shared/relaxation.ts';
import { createWhitenedErrors } from '../shared/whitened-errors.ts';
import { methodSchema, type SettingsOf } from '../definition.ts';
import { filterFields } from '../shared/ensemble-filter.ts';
import { errorCorrelationField, assumedField } from '../shared/error-correlation-setting.ts';
import { explainLetkf } from './explanation.ts';
import { createLocalAnalysis, type LocalAnalysis } from './local-analysis.ts';

/** What a filter has that analyses every cell by itself: where it does, and a rotation of its anomalies. */
export const localFields = {
  weights: optionalSection(
    {
      title: 'Local weights',
      description: 'Where the weights of the members are computed, and where they are interpolated.',
    },
    {
      every: count({
        title: 'Computed every',
        unit: 'cells',
        description: 'Cells from one computed place to the next along each axis, bilinear between; 1 for every cell.',
        minimum: 1,
        maximum: 64,
        default: 1,
      }),
    },
  ),
  rotation: rotationField,
};

/** What the filter is set by beside what it assumes. */
export const letkfFields = {
  ...filterFields,
  adaptation: localAdaptationField,
  ...localFields,
  errorCorrelation: errorCorrelationField(
    'R is whole among the observations around each cell; localisation gives those at a distance an independent error beside theirs.',
  ),
};

export const letkfSchema = methodSchema(
  'letkf',
  {
    title: 'LETKF',
    description: 'Local ensemble transform Kalman filter.',
    gist: 'Local ensemble transform Kalman filter.',
  },
  { ...letkfFields, assumed: assumedField },
);

export type LetkfSettings = SettingsOf<typeof letkfSchema>;

/** Observations up to which the innovations are held against their whole covariance: the cost of a factorisation grows with their
 * third power. */
export const MAXIMUM_MISFIT_OBSERVATIONS = 1024;

interface MisfitComputation extends Misfit {
  /** Queues the misfit of a forecast whose departures are computed. @param together how errors are correlated, where R is whole */
  compute(departures: Departures, together: CorrelatedErrors | undefined): void;
  dispose(): void;
}

/**
 * How far the innovations are from what the method expects of them, dᵀS⁻¹d with S = HPHᵀ + R: χ² of p degrees of freedom where S
 * is right. A filter that localises R has no one S; it is given the one of the tapered sample covariance with its half-width
 * and its inflation, C ∘ HPHᵀ + R, which is what the stochastic EnKF solves with. The sample covariance alone, without a taper,
 * would call every small ensemble overconfident: it has no variance in all the directions that its members lack.
 *
 * @returns undefined if there are too many observations, or too few members
 */
async function createMisfit(
  label: string,
  { backend, model, observations, members }: MethodContext,
  { halfWidth, inflation }: { readonly halfWidth: number; readonly inflation: number },
): Promise<MisfitComputation | undefined> {
  const { capacity, positionX, positionY } = observations;
  if (capacity > MAXIMUM_MISFIT_OBSERVATIONS || members < 2) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const geometry = { nx, ny, periodicX, periodicY, aspect: dy / dx, halfWidthCells: halfWidth / dx };
  const allocate = (name: string, length: number) => backend.allocate(`${label}.misfit.${name}`, 'real', length);
  const fields = {
    value: allocate('value', 1),
    mean: allocate('mean', capacity),
    observedAnomalies: allocate('observedAnomalies', members * capacity),
    matrix: allocate('matrix', capacity * capacity),
    weights: allocate('weights', capacity),
  };
  const status = backend.allocate(`${label}.misfit.status`, 'index', 1);
  const splitting = await backend.prepare(anomalies, { members, length: capacity });
  const covarying = await backend.prepare(observedEnsembleCovariance, {
    ...geometry,
    members,
    observations: capacity,
    inflation,
  });
  const solving = await backend.prepare(choleskySolution, { size: capacity, rightHandSides: 1 });
  const weighing = await backend.prepare(dotProduct, { length: capacity, factor: 1 });
  return {
    value: fields.value,
    status,
    compute({ inflatedEnsemble, scaled, inverseErrorStd }, together) {
      const { mean, observedAnomalies, matrix, weights, value } = fields;
      splitting.run({ ensemble: inflatedEnsemble, mean, anomalies: observedAnomalies });
      covarying.run({ observedAnomalies, inverseErrorStd, positionX, positionY, matrix });
      together?.add(inverseErrorStd, matrix);
      backend.copy(scaled, weights);
      solving.run({ matrix, solution: weights, status });
      weighing.run({ x: scaled, y: weights, result: value });
    },
    dispose() {
      for (const owned of [splitting, covarying, solving, weighing, status, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/**
 * σ_b/σₒ and |d|/σₒ beyond which an observation is taken for less sharp than it says. Localisation multiplies 1/σₒ² by a
 * taper; where σₒ is next to nothing the product is huge wherever the taper is not 0, far observations count like near ones,
 * and a grid point's few members are bent to fit all of them exactly: at 1e6 errors of 0.1 m grow to metres in a few cycles.
 */
const SHARPEST = 300;

/** What inflates the members' observed values for all that is stated: factors of the finite-size filter are not yet known then. */
function inflationOfSeen({ factors }: LocalAnalysis, estimate: PointEstimate | undefined) {
  return estimate?.kind === 'innovations' ? factors?.inflateObserved : undefined;
}

/** Settings of a filter that analyses as the LETKF does, and finds its inflation at every place in the way of its kind. */
export interface LetkfLike extends Omit<LetkfSettings, 'kind' | 'adaptation'> {
  readonly kind: string;
  readonly adaptation: LetkfSettings['adaptation'] | Extract<PointEstimate, { readonly kind: 'finite-size' }>;
}

/** How a factor of every place is found; undefined if there is one factor for all. */
function estimateOf({ adaptation }: LetkfLike): PointEstimate | undefined {
  if (adaptation.kind === 'finite-size') return adaptation;
  return adaptation.kind === 'local' ? { kind: 'innovations', deviation: adaptation.deviation } : undefined;
}

/** @param lag cycles back that an analysis changes too: the LETKF as a smoother [evensen2000]. 0 for the filter alone */
export async function createLetkf(method: LetkfLike, context: MethodContext, lag = 0): Promise<Method> {
  const { backend, model, observations, members, measuresDepartures = true } = context;
  const { label } = method;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const adaptive = await createAdaptiveInflation(method, context, length);
  const estimate = estimateOf(method);
  // Members that are inflated already are analysed as they are, and those of factors of their own by these.
  const inflation = adaptive || estimate ? 1 : method.inflation;
  const { halfWidth } = method.localisation;
  const { every } = method.weights;
  const together = method.errorCorrelation === 'full' ? createCorrelatedErrors(label, context) : undefined;
  const local = await createLocalAnalysis(label, context, {
    halfWidth,
    inflation,
    every,
    together,
    estimate,
    firstFactor: method.inflation,
  });
  const ensemble = await createEnsembleState(label, context, members, {
    inflation,
    inflateObserved: adaptive?.inflateObserved ?? inflationOfSeen(local, estimate),
    sharpest: SHARPEST,
  });
  const past = lag > 0 ? createPastStates(backend, label, ensemble.state, lag) : undefined;
  const misfit = await createMisfit(label, context, { halfWidth, inflation });
  const analysis = backend.allocate(`${label}.analysis`, 'real', members * length);
  const relaxation = await createRelaxation(method.relaxation, backend, members, length);
  /** The forecast as it came, to relax to, where the state is inflated in place. */
  const background =
    adaptive && method.relaxation.kind !== 'none'
      ? backend.allocate(`${label}.background`, 'real', members * length)
      : undefined;
  const rotation = method.rotation ? await createRotation(label, context, length) : undefined;
  const additive = await createAdditiveInflation(method, context, length);
  // The analysis whitens around each point. Checking R by the departures needs L⁻¹ of all.
  const whitened = together && measuresDepartures ? createWhitenedErrors(label, context) : undefined;

  /** Queues the local analyses of an ensemble into `analysis`, with values in place of those observed. */
  function queueAnalysis(state: RealField, values: RealField): void {
    local.run(state, analysis, values, ensemble.departures);
  }

  /** Queues what an analysis makes of an ensemble that is inflated, by the weights of its cycle and with its rotation. */
  function update(members: RealField, cycle: number, isForecast: boolean): void {
    const { departures } = ensemble;
    queueAnalysis(members, observations.values);
    if (isForecast) {
      adaptive?.update(departures, analysis);
      local.factors?.update(departures);
    }
    relaxation.apply(background ?? members, analysis);
    if (rotation) rotation.apply(analysis, members, cycle);
    else backend.copy(analysis, members);
  }

  const explanation = explainLetkf(context, method, {
    state: ensemble.state,
    departures: ensemble.departures,
    workspace: analysis,
    queueAnalysis,
    local,
    inflation,
    adaptive,
  });

  return {
    label,
    kind: method.kind,
    members,
    state: ensemble.state,
    departures: ensemble.departures,
    whiten: whitened && ((scaled, white) => whitened.whiten(scaled, white)),
    inflation: adaptive?.factor ?? local.factors,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    ...(misfit && { misfit }),
    past,
    async analyse(cycle) {
      const { state, departures } = ensemble;
      const areTogether = (await together?.follow()) ?? false;
      const rounding = await whitened?.follow(departures.inverseErrorStd);
      await local.localise(areTogether);
      if (background) backend.copy(state, background);
      adaptive?.begin(state);
      local.factors?.begin(departures);
      misfit?.compute(departures, areTogether ? together : undefined);
      update(state, cycle, true);
      for (const earlier of past?.kept ?? []) {
        if (background) backend.copy(earlier, background);
        adaptive?.inflate(earlier);
        update(earlier, cycle, false);
      }
      additive?.apply(state, cycle);
      return { report: () => Promise.resolve(rounding === undefined ? {} : { warning: rounding }) };
    },
    dispose() {
      for (const owned of [analysis, relaxation, local, ensemble, explanation]) owned.dispose();
      for (const owned of [rotation, misfit, adaptive, background, additive, together, whitened, past])
        owned?.dispose();
    },
  };
}
