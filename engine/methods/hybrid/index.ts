/** Hybrid 3DEnVar, as a kind of method. */
import { filterCost } from '../../operators/recursive-filter/index.ts';
import { within, type Problem, type Situation } from '../../settings/index.ts';
import {
  controlPlanes,
  covarianceDefinition,
  covarianceProblems,
  covarianceTuning,
  lengthTuning,
  lengthWarnings,
} from '../covariances/index.ts';
import { defineMethod, inside, shareTuning } from '../definition.ts';
import { errorCorrelationWarnings, takenErrors, wholeErrorsCost } from '../shared/error-correlation-setting.ts';
import { NO_LOCALISATION } from '../shared/localisation.ts';
import { threeDVar } from '../three-d-var/index.ts';
import { LOCALISING_PASSES } from './ensemble-transform.ts';
import { createHybrid } from './hybrid.ts';
import { filterDefinition, sparedCost, hybridSchema, proposedHybrid, type HybridSettings } from './settings.ts';

/** The filter of its members, which has its label. */
function filterOf({ ensemble, label }: HybridSettings) {
  return { definition: filterDefinition(ensemble.kind), filter: { ...ensemble, label } };
}

function problems(settings: HybridSettings, situation: Situation): Problem[] {
  const { staticWeight, ensembleWeight, covariance } = settings;
  const { definition, filter } = filterOf(settings);
  const { kind, mostObservations = Infinity } = definition;
  const { observations } = situation;
  const found: Problem[] = [...within(['ensemble'], definition.problems?.(filter, situation) ?? [])];
  if (staticWeight === 0 && ensembleWeight === 0) {
    const message = 'found 0 beside a static weight of 0, allowed: above 0 for one of them';
    found.push({ path: ['ensembleWeight'], message });
  }
  if (observations > mostObservations) {
    const message = `found "${kind}" with up to ${observations} observations in one analysis, allowed: ${mostObservations} with it; use "letkf"`;
    found.push({ path: ['ensemble', 'kind'], message });
  }
  return staticWeight > 0 ? [...found, ...within(['covariance'], covarianceProblems(covariance, situation))] : found;
}

function warnings(settings: HybridSettings, situation: Situation): Problem[] {
  const { staticWeight, ensembleWeight, covariance, localisation } = settings;
  const { definition, filter } = filterOf(settings);
  const found: Problem[] = [];
  if (ensembleWeight === 0) {
    const message = '0: the members have no part in the analysis, which has the static covariance alone';
    found.push({ path: ['ensembleWeight'], message });
  } else if (localisation.length !== NO_LOCALISATION) {
    found.push(...within(['localisation'], lengthWarnings(localisation, situation)));
  }
  if (staticWeight > 0) found.push(...within(['covariance'], lengthWarnings(covariance, situation)));
  return [
    ...found,
    ...errorCorrelationWarnings(settings.errorCorrelation, situation),
    ...filterOfIndependentErrors(settings, situation),
    ...within(['ensemble'], definition.warnings?.(filter, situation) ?? []),
  ];
}

/** Members of a filter that takes errors for independent, under a minimisation that does not. */
function filterOfIndependentErrors(settings: HybridSettings, { networks }: Situation): Problem[] {
  if (settings.errorCorrelation === 'ignored' || !networks.some(({ together }) => together !== undefined)) return [];
  const { definition, filter } = filterOf(settings);
  if (definition.takesErrors?.(filter) === 'whole') return [];
  const message =
    `the minimisation takes R whole, but "${filter.kind}" treats correlated errors as independent: its members are closer ` +
    'together than they should; give it errorCorrelation "full"';
  return [{ path: ['ensemble'], message }];
}

export {
  createHybrid,
  createAnalysisAtEnd,
  type HybridVariant,
  type HybridAnalysis,
  type HybridAnalysisParts,
} from './hybrid.ts';
export { hybridFields } from './settings.ts';
export type { HybridParts } from './background.ts';
export type { EnsembleTransform } from './ensemble-transform.ts';

export const hybrid = defineMethod(hybridSchema, {
  shortTitle: 'Hybrid',
  appearance: {
    shades: [
      ['#ff7f50', '#b8430a'],
      ['#ffb199', '#8f2f00'],
    ],
    dash: '12 3 2 3 2 3',
    marker: 'diamond',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  // As its minimisation does, whatever its filter takes them for.
  takesErrors: takenErrors,
  problems,
  warnings,
  memory(settings, sizes, situation) {
    const { cells, state, members, observations } = sizes;
    const { definition, filter } = filterOf(settings);
    const ofFilter = definition.memory?.(filter, sizes, situation) ?? { elements: 0 };
    const spared = sparedCost(settings.ensemble, situation);
    const ofStatic = threeDVar.memory?.({ ...settings, kind: '3dvar' }, sizes, situation) ?? { elements: 0 };
    // A plane of controls for each member, as often as 3D-Var holds its own; and the parts of a sum of both.
    const controls = 9 * members * cells + controlPlanes(settings.covariance, situation.variables) * cells;
    // The anomalies, both means, what is combined and added, and the variance; departures of the mean.
    const elements = members * state + 5 * state + cells + controls + 8 * observations;
    // The members as the filter has them, the forecast of its own, and what is observed of them.
    const apart = settings.recentred ? 0 : (members + 1) * state + (2 * members + 1) * observations;
    return {
      elements: ofFilter.elements - spared.elements + ofStatic.elements + elements + apart,
      hostBytes: (ofFilter.hostBytes ?? 0) - spared.hostBytes + (ofStatic.hostBytes ?? 0),
    };
  },
  // As of 3D-Var, with a plane of controls for each member.
  asking: ({ covariance }, { cells, state, members }, { variables }) =>
    6 * state + 2 * (controlPlanes(covariance, variables) + members) * cells,
  effort(settings, situation) {
    const { staticWeight, ensembleWeight, covariance, localisation, minimisation, errorCorrelation } = settings;
    const { grid, variables, background } = situation;
    const { definition, filter } = filterOf(settings);
    const ofFilter = definition.effort?.(filter, situation) ?? { each: 0, once: 0 };
    const cells = grid.nx * grid.ny;
    const passes = covarianceDefinition(covariance.kind).passes(covariance, grid);
    const ofStatic = filterCost(covariance.length, passes, grid);
    const ofEnsemble = filterCost(localisation.length, LOCALISING_PASSES, grid);
    const product =
      (staticWeight > 0 ? 2 * variables.length * ofStatic.plane : 0) +
      (ensembleWeight > 0 ? background.members * (2 * ofEnsemble.plane + 4 * variables.length * cells) : 0) +
      20 * variables.length * cells;
    const whole = wholeErrorsCost(errorCorrelation, situation);
    const spared = sparedCost(settings.ensemble, situation);
    return {
      each:
        ofFilter.each -
        spared.each +
        minimisation.outerLoops * minimisation.maxIterations * (product + whole.product) +
        whole.each,
      once: ofFilter.once - spared.once + 2 * (ofStatic.build + ofEnsemble.build) + whole.once,
    };
  },
  spreadSource(settings) {
    const { definition, filter } = filterOf(settings);
    return definition.spreadSource?.(filter);
  },
  proposal: proposedHybrid,
  tuning(settings, situation) {
    const { staticWeight, ensembleWeight, covariance, localisation } = settings;
    const { definition, filter } = filterOf(settings);
    const ofFilter = definition.tuning?.(filter, situation).settings ?? [];
    const ofStatic = staticWeight > 0 ? covarianceTuning(covariance, situation).settings : [];
    const isLocal = ensembleWeight > 0 && localisation.length !== NO_LOCALISATION;
    return {
      settings: [
        shareTuning('ensembleWeight'),
        ...(isLocal ? inside('localisation', lengthTuning(localisation, situation)) : []),
        shareTuning('staticWeight'),
        ...inside('ensemble', ofFilter),
        ...inside('covariance', ofStatic),
      ],
      larger: 'larger weights',
      smaller: 'smaller weights',
    };
  },
  create: createHybrid,
});
