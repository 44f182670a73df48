/** Incremental 4D-Var: the increment at the beginning of the window that minimises J along its trajectory, of one state. */
import { windowElements, createLinearWindow } from '../../models/index.ts';
import type { Problem, Situation } from '../../settings/index.ts';
import { defineMethod, TANGENT_ENTRIES, methodSchema, type Sizes, type SettingsOf } from '../definition.ts';
import { rounded } from '../shared/localisation.ts';
import { takenErrors } from '../shared/error-correlation-setting.ts';
import { staticVariationalFields, threeDVar } from '../three-d-var/index.ts';
import { createControlTransform } from '../covariances/index.ts';
import type { Method, MethodContext } from '../method.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';
import { createBackgroundVariance } from '../variational/index.ts';
import { createWindowAnalysis, explainWindow } from './window-analysis.ts';

/** The settings of 4D-Var. */
const fourDVarSchema = methodSchema(
  '4dvar',
  {
    title: '4D-Var',
    description:
      'Variational analysis of a whole window: the beginning of the trajectory is changed so that it passes by all observations, each at its time.',
    gist: 'Variational analysis of a trajectory, by the model and its adjoint.',
  },
  staticVariationalFields,
);

type FourDVarSettings = SettingsOf<typeof fourDVarSchema>;

/** @throws LimitError if the trajectory does not fit */
async function createFourDVar(method: FourDVarSettings, context: MethodContext): Promise<Method> {
  const { label, minimisation } = method;
  const { backend, model } = context;
  const window = await createLinearWindow(backend, model, context.window);
  const transform = await createControlTransform(backend, model, method.covariance, context);
  const variance = await createBackgroundVariance(transform, context);
  const ensemble = await createEnsembleState(label, context, 1, variance);
  const { state, departures, length } = ensemble;
  const wet = await createWetIncrement(context, transform.thinDepth);
  const beginning = backend.allocate(`${label}.beginning`, 'real', length);
  const analysis = await createWindowAnalysis(context, { method, transform, window, wet, beginning, departures });
  const explanation = explainWindow(context, {
    analysis,
    state,
    members: 1,
    departures,
    minimisation,
    begin: (forecast) => forecast,
  });
  return {
    label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    whiten: analysis.seen.whitenInto,
    initialise: ensemble.initialise,
    explain: explanation.explain,
    analysedVariance: explanation.analysedVariance,
    beginning,
    analyse() {
      explanation.forget();
      return analysis.queue(state);
    },
    dispose() {
      for (const owned of [analysis, wet, ensemble, variance, transform, window, beginning]) owned.dispose();
    },
  };
}

/** Near the surface of the earth, m/s²; a model may have another, and the size of momenta is but proposed. */
const GRAVITY = 9.81;
/** Operations of a linearised step of a cell, tangent and adjoint together, about. */
const STEP_OPERATIONS = 600;

export { createWindowAnalysis, explainWindow } from './window-analysis.ts';

/** @returns reals on the backend of the analysis of a window beside that of its end */
export function elementsOfWindow({ state, observations, elementBytes }: Sizes, situation: Situation): number {
  const { steps, moments, linearKept } = situation;
  // The trajectory; beginning, end, iterate, two increments and two sensitivities; a tangent linear of every moment.
  const trajectory = windowElements(Math.ceil(steps), { state, kept: linearKept }, elementBytes);
  return trajectory + 7 * state + (1 + moments) * (TANGENT_ENTRIES + 2) * observations;
}

/** @returns operations of an analysis in the linearised steps */
export function effortOfWindow(
  { minimisation: { outerLoops, maxIterations } }: Pick<FourDVarSettings, 'minimisation'>,
  { steps, grid: { nx, ny } }: Situation,
): number {
  return outerLoops * maxIterations * steps * STEP_OPERATIONS * nx * ny;
}

export const fourDVar = defineMethod(fourDVarSchema, {
  appearance: {
    shades: [
      ['#f3a6c8', '#a8326f'],
      ['#f7c9de', '#7c2452'],
    ],
    dash: '16 3',
    marker: 'plus',
  },
  carries: 'state',
  assimilates: true,
  trustsSpread: false,
  linearises: true,
  takesErrors: takenErrors,
  problems: (settings, situation) => threeDVar.problems?.(asThreeDVar(settings), situation) ?? [],
  warnings: (settings, situation) => [
    ...(threeDVar.warnings?.(asThreeDVar(settings), situation) ?? []),
    ...momentaWarnings(settings, situation),
  ],
  memory(settings, sizes, situation) {
    const own = threeDVar.memory?.(asThreeDVar(settings), sizes, situation) ?? { elements: 0 };
    return { ...own, elements: own.elements + elementsOfWindow(sizes, situation) };
  },
  asking: (settings, sizes, situation) => threeDVar.asking?.(asThreeDVar(settings), sizes, situation) ?? 0,
  effort(settings, situation) {
    const own = threeDVar.effort?.(asThreeDVar(settings), situation) ?? { each: 0, once: 0 };
    return { ...own, each: own.each + effortOfWindow(settings, situation) };
  },
  proposal: (situation, others) => withMomenta(threeDVar.proposal?.(situation, others) ?? {}, situation),
  tuning: (settings, situation) => threeDVar.tuning?.(asThreeDVar(settings), situation) ?? { settings: [] },
  create: createFourDVar,
});

/** Whether h is corrected at the beginning of the window, and the momenta of its waves are not. */
function leavesMomenta({ standardDeviation, balance }: Partial<FourDVarSettings['covariance']>): boolean {
  const { h = 0, hu = 0, hv = 0 } = standardDeviation ?? {};
  return balance !== 'geostrophic' && h > 0 && hu === 0 && hv === 0;
}

/** How large the momenta of waves are whose height is h, m²/s: √(gH) h. */
function momentumOf(h: number, depth: number): number {
  return rounded(Math.sqrt(GRAVITY * depth) * h);
}

/** @returns that a covariance corrects waves without their momenta */
export function momentaWarnings(
  { covariance }: Pick<FourDVarSettings, 'covariance'>,
  { depth, variables }: Situation,
): readonly Problem[] {
  if (!variables.includes('hu') || !leavesMomenta(covariance)) return [];
  const { h } = covariance.standardDeviation;
  const size = depth === undefined ? '√(gH) times that of h' : `here about ${momentumOf(h, depth)} m²/s`;
  const message =
    `has none of hu and hv, so that 4D-Var corrects the height of waves at the beginning of a window and not their momenta; ` +
    `over many cycles the errors of hu and hv grow: give both a standard deviation, ${size}`;
  return [{ path: ['covariance', 'standardDeviation'], message }];
}

/** The proposal of 3D-Var, whose covariance may correct h alone, with momenta to match. */
function withMomenta(proposal: Readonly<Record<string, unknown>>, { depth }: Situation): typeof proposal {
  const covariance = proposal['covariance'] as Partial<FourDVarSettings['covariance']> | undefined;
  if (!covariance || depth === undefined || !leavesMomenta(covariance)) return proposal;
  const momentum = momentumOf(covariance.standardDeviation?.h ?? 0, depth);
  const standardDeviation = { ...covariance.standardDeviation, hu: momentum, hv: momentum };
  return { ...proposal, covariance: { ...covariance, standardDeviation } };
}

/** The settings as those of 3D-Var, whose static covariance and minimisation they are. */
function asThreeDVar(settings: FourDVarSettings) {
  return { ...settings, kind: '3dvar' as const };
}
