/** The local ensemble transform Kalman filter: every grid point its own analysis, of the observations near it [hunt2007]. */
import type { RealField } from '../../compute/backend.ts';
import { letkf, letkfForm } from '../../operators/letkf/index.ts';
import { binGeometry, createLocaliser } from '../../operators/localisation/index.ts';
import type { LocalObservations } from '../../operators/localisation/index.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { explainLetkf } from './explanation.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { createMisfit } from '../shared/misfit.ts';
import { createRelaxation } from '../shared/relaxation.ts';
import { createRotation } from '../shared/rotation.ts';
import type { LetkfSettings } from './settings.ts';

/**
 * σ_b/σₒ and |d|/σₒ beyond which an observation is taken for less sharp than it says. Localisation multiplies 1/σₒ² by a
 * taper; where σₒ is next to nothing the product is huge wherever the taper is not 0, far observations count like near ones,
 * and a grid point's few members are bent to fit all of them exactly: at 1e6 errors of 0.1 m grow to metres in a few cycles.
 */
const SHARPEST = 300;
/** Capacities grow in steps of this, so that a network that moves compiles few kernels. */
const CAPACITY_STEP = 8;

export async function createLetkf(method: LetkfSettings, context: MethodContext): Promise<Method> {
  const { backend, model, observations, positions, members } = context;
  const { variables } = model;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const grid = { nx, ny, periodicX, periodicY, aspect: dy / dx };
  const { capacity } = observations;
  const halfWidthCells = method.localisation.halfWidth / dx;
  const { inflation } = method;
  const ensemble = await createEnsembleState(method.label, context, members, { inflation, sharpest: SHARPEST });
  const misfit = await createMisfit(method.label, context, {
    halfWidth: method.localisation.halfWidth,
    inflation,
  });
  const analysis = backend.allocate(`${method.label}.analysis`, 'real', members * ensemble.length);
  const { binsX, binsY } = binGeometry(grid, halfWidthCells);
  const binStart = backend.allocate(`${method.label}.binStart`, 'index', binsX * binsY + 1);
  const binObservations = backend.allocate(`${method.label}.binObservations`, 'index', capacity);
  const relaxation = await createRelaxation(method.relaxation, backend, members, ensemble.length);
  const rotation = method.rotation ? await createRotation(method.label, context, ensemble.length) : undefined;

  const prepare = (localCapacity: number) =>
    backend.prepare(letkf, {
      ...grid,
      variables: variables.length,
      members,
      observations: capacity,
      halfWidthCells,
      inflation,
      localCapacity,
      form: 'auto',
    });
  const localiser = createLocaliser(grid, halfWidthCells);
  let located: LocalObservations | undefined;
  let localCapacity = 0;
  let analysing = await prepare(localCapacity);

  /** Sorts the observations by place, and makes room for as many as any grid point sees. */
  async function localise(): Promise<void> {
    const { x, y, inverseErrorStd } = positions();
    const index = localiser.locate(x, y, inverseErrorStd);
    if (index === located) return;
    located = index;
    backend.write(binStart, index.binStart);
    backend.write(binObservations, index.binObservations);
    if (index.largest <= localCapacity) return;
    const roomy = Math.ceil(index.largest / CAPACITY_STEP) * CAPACITY_STEP;
    // Fewer observations than members make the smaller problem: rounding up must not cross that line.
    localCapacity = index.largest < members ? Math.min(roomy, members - 1) : roomy;
    analysing.dispose();
    analysing = await prepare(localCapacity);
  }

  /** Queues the local analyses of an ensemble into `analysis`, with values in place of those observed. */
  function queueAnalysis(state: RealField, values: RealField): void {
    const { observedEnsemble, inverseErrorStd } = ensemble.departures;
    const { positionX, positionY } = observations;
    analysing.run({
      ensemble: state,
      analysis,
      observedEnsemble,
      values,
      inverseErrorStd,
      positionX,
      positionY,
      binStart,
      binObservations,
    });
  }

  const explanation = explainLetkf(context, method, {
    state: ensemble.state,
    departures: ensemble.departures,
    workspace: analysis,
    queueAnalysis,
    form: () => letkfForm({ form: 'auto', localCapacity, members }),
  });

  return {
    label: method.label,
    kind: method.kind,
    members,
    state: ensemble.state,
    departures: ensemble.departures,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    ...(misfit && { misfit }),
    async analyse(cycle) {
      await localise();
      const { state, departures } = ensemble;
      misfit?.compute(departures);
      queueAnalysis(state, observations.values);
      relaxation.apply(state, analysis);
      if (rotation) rotation.apply(analysis, state, cycle);
      else backend.copy(analysis, state);
      return { report: () => Promise.resolve({}) };
    },
    dispose() {
      for (const owned of [analysis, binStart, binObservations, relaxation, analysing, ensemble, explanation])
        owned.dispose();
      rotation?.dispose();
      misfit?.dispose();
    },
  };
}
