/**
 * The serial filter: the ensemble adjustment Kalman filter [anderson2003] with localisation. Observations are taken one after the
 * other, as scalars with independent errors. Each moves what it observes to mean and variance of a Kalman filter, and the state by
 * regression on that, tapered by the distance; so it moves what is observed later, whose H(x_l) are computed once. For one scalar
 * observation this is the square-root filter of [whitaker2002], and without localisation the order does not matter to mean and
 * covariance.
 */
import { dotProduct } from '../../operators/dot-product/index.ts';
import { anomalies } from '../../operators/ensemble/index.ts';
import { innovation } from '../../operators/observation/index.ts';
import { serialIncrement, serialObservations } from '../../operators/serial-filter/index.ts';
import { defineMethod, methodSchema, type SettingsOf } from '../definition.ts';
import { additiveMemory, createAdditiveInflation } from '../shared/additive-inflation.ts';
import {
  filterProblems,
  filterSpreadSource,
  filterTuning,
  filterWarnings,
  proposedFilter,
  filterFields,
} from '../shared/ensemble-filter.ts';
import { adaptiveMemory, createAdaptiveInflation, createInflatedForecast } from '../shared/inflation.ts';
import { localObservations } from '../shared/localisation.ts';
import { rotationMemory, createRelaxation, createRotation, rotationField } from '../shared/relaxation.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { assumedField } from '../shared/error-correlation-setting.ts';
import { explainEakf } from './explanation.ts';

const eakfSchema = methodSchema(
  'eakf',
  {
    title: 'Serial EAKF',
    description:
      'Ensemble adjustment Kalman filter: one observation after the other, which is the serial square-root filter (ESRF) as well.',
    gist: 'Ensemble adjustment Kalman filter: one observation after the other.',
  },
  { ...filterFields, rotation: rotationField, assumed: assumedField },
);

type EakfSettings = SettingsOf<typeof eakfSchema>;

/** @throws LimitError when a field does not fit the backend */
async function createEakf(method: EakfSettings, context: MethodContext): Promise<Method> {
  const { backend, model, observations, members } = context;
  const { label } = method;
  const { capacity, positionX, positionY } = observations;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const length = model.variables.length * nx * ny;
  const halfWidthCells = method.localisation.halfWidth / dx;
  const geometry = { nx, ny, periodicX, periodicY, aspect: dy / dx, halfWidthCells };
  const adaptive = await createAdaptiveInflation(method, context, length);
  const ensemble = await createEnsembleState(label, context, members, {
    inflation: adaptive ? 1 : method.inflation,
    inflateObserved: adaptive?.inflateObserved,
  });
  const { state, departures } = ensemble;
  const forecast = await createInflatedForecast(context, departures, { factor: method.inflation, adaptive, length });
  const allocate = (name: string, size: number) => backend.allocate(`${label}.${name}`, 'real', size);
  const fields = {
    /** The forecast as it came; then work space. */
    background: allocate('background', members * length),
    observedMean: allocate('observedMean', capacity),
    observedAnomalies: allocate('observedAnomalies', members * capacity),
    innovation: allocate('innovation', capacity),
    /** R^−½ (y − mean H(x)), of each observation at its turn. */
    departures: allocate('departures', capacity),
    meanWeights: allocate('meanWeights', capacity),
    anomalyWeights: allocate('anomalyWeights', capacity),
    misfit: allocate('misfit', 1),
  };
  const status = backend.allocate(`${label}.status`, 'index', 1);
  backend.write(status, [0]);
  const shape = { ...geometry, members, observations: capacity };
  const splitting = await backend.prepare(anomalies, { members, length: capacity });
  const departing = await backend.prepare(innovation, { observations: capacity });
  const observing = await backend.prepare(serialObservations, shape);
  const incrementing = await backend.prepare(serialIncrement, { ...shape, variables: model.variables.length });
  // Σ d²/(1 + s), each at its turn: dᵀS⁻¹d, by the Cholesky decomposition that the turns are.
  const weighing = await backend.prepare(dotProduct, { length: capacity, factor: members - 1 });
  const relaxation = await createRelaxation(method.relaxation, backend, members, length);
  const rotation = method.rotation ? await createRotation(label, context, length) : undefined;
  const additive = await createAdditiveInflation(method, context, length);
  const explanation = explainEakf(context, method, {
    state,
    departures,
    geometry,
    adaptive,
    workspace: fields.background,
  });

  return {
    label,
    kind: method.kind,
    members,
    state,
    departures,
    inflation: adaptive?.factor,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    misfit: { value: fields.misfit, status },
    analyse(cycle) {
      const { observedEnsemble, inverseErrorStd } = departures;
      const { background, observedMean: observed, observedAnomalies, meanWeights, anomalyWeights } = fields;
      backend.copy(state, background);
      forecast.inflate(state);
      splitting.run({ ensemble: observedEnsemble, mean: observed, anomalies: observedAnomalies });
      const { values } = observations;
      departing.run({ values, observed, inverseErrorStd, innovation: fields.innovation, scaled: fields.departures });
      const turns = { observedAnomalies, positionX, positionY, meanWeights, anomalyWeights };
      observing.run({ ...turns, departures: fields.departures, inverseErrorStd });
      incrementing.run({ ...turns, ensemble: state });
      weighing.run({ x: fields.departures, y: meanWeights, result: fields.misfit });
      adaptive?.update(departures, state);
      relaxation.apply(background, state);
      if (rotation) {
        backend.copy(state, background);
        rotation.apply(background, state, cycle);
      }
      additive?.apply(state, cycle);
      return Promise.resolve({ report: () => Promise.resolve({}) });
    },
    dispose() {
      for (const owned of [ensemble, forecast, status, splitting, departing, observing, incrementing]) owned.dispose();
      for (const owned of [weighing, relaxation, explanation, ...Object.values(fields)]) owned.dispose();
      for (const owned of [adaptive, rotation, additive]) owned?.dispose();
    },
  };
}

export const eakf = defineMethod(eakfSchema, {
  shortTitle: 'EAKF',
  appearance: {
    shades: [
      ['#c8a07a', '#7d5320'],
      ['#dfc6aa', '#5e3d15'],
    ],
    dash: '14 3 6 3',
    marker: 'hexagon',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  takesErrors: () => 'independent',
  problems: filterProblems,
  warnings: filterWarnings,
  memory(settings, { cells, state, members, observations }) {
    const turning = rotationMemory(settings.rotation, members, state);
    const additive = additiveMemory(settings, cells, state, members);
    const adaptive = adaptiveMemory(settings, members * observations);
    return { elements: members * state + (members + 5) * observations + turning + additive + adaptive };
  },
  // The forecast as the analysis has inflated it.
  asking: ({ adaptation }, { members, state }) => (adaptation.kind === 'none' ? 0 : members * state),
  effort(settings, situation) {
    const { grid, variables, background, observations } = situation;
    const { members } = background;
    const local = localObservations(settings, situation);
    const moved = variables.length * grid.nx * grid.ny + observations / 2;
    return { each: 4 * members * local * moved, once: 0 };
  },
  spreadSource: filterSpreadSource,
  proposal: proposedFilter,
  tuning: filterTuning,
  create: createEakf,
});
