/** The local ensemble transform Kalman filter: every grid point its own analysis, of the observations near it [hunt2007]. */
import type { RealField } from '../../compute/backend.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { createAdaptiveInflation } from '../shared/inflation.ts';
import { createAdditiveInflation } from '../shared/additive-inflation.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { createMisfit } from '../shared/misfit.ts';
import { createRelaxation } from '../shared/relaxation.ts';
import { createRotation } from '../shared/rotation.ts';
import { explainLetkf } from './explanation.ts';
import { createLocalAnalysis } from './local-analysis.ts';
import type { LetkfSettings } from './settings.ts';

/**
 * σ_b/σₒ and |d|/σₒ beyond which an observation is taken for less sharp than it says. Localisation multiplies 1/σₒ² by a
 * taper; where σₒ is next to nothing the product is huge wherever the taper is not 0, far observations count like near ones,
 * and a grid point's few members are bent to fit all of them exactly: at 1e6 errors of 0.1 m grow to metres in a few cycles.
 */
const SHARPEST = 300;

export async function createLetkf(method: LetkfSettings, context: MethodContext): Promise<Method> {
  const { backend, model, observations, members } = context;
  const { label } = method;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const adaptive = await createAdaptiveInflation(method, context, length);
  // Members that are inflated already are analysed as they are.
  const inflation = adaptive ? 1 : method.inflation;
  const ensemble = await createEnsembleState(label, context, members, {
    inflation,
    inflateObserved: adaptive?.inflateObserved,
    sharpest: SHARPEST,
  });
  const { halfWidth } = method.localisation;
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
  const { every } = method.weights;
  const local = await createLocalAnalysis(label, context, { halfWidth, inflation, every });

  /** Queues the local analyses of an ensemble into `analysis`, with values in place of those observed. */
  function queueAnalysis(state: RealField, values: RealField): void {
    local.run(state, analysis, values, ensemble.departures);
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
    inflation: adaptive?.factor,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    ...(misfit && { misfit }),
    async analyse(cycle) {
      await local.localise();
      const { state, departures } = ensemble;
      if (background) backend.copy(state, background);
      adaptive?.begin(state);
      misfit?.compute(departures);
      queueAnalysis(state, observations.values);
      adaptive?.update(departures, analysis);
      relaxation.apply(background ?? state, analysis);
      if (rotation) rotation.apply(analysis, state, cycle);
      else backend.copy(analysis, state);
      additive?.apply(state, cycle);
      return { report: () => Promise.resolve({}) };
    },
    dispose() {
      for (const owned of [analysis, relaxation, local, ensemble, explanation]) owned.dispose();
      for (const owned of [rotation, misfit, adaptive, background, additive]) owned?.dispose();
    },
  };
}
