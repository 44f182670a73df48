/** Nudging, as a kind of method. */
import { isLinearlyObserved, observedVariableNames } from '../../operators/observation/index.ts';
import { boundaryOf, describeValue, listWords, type Problem, type Situation } from '../../settings/index.ts';
import { defineMethod, HOST_BYTES, TANGENT_ENTRIES } from '../definition.ts';
import { halfWidthTuning, localisationWarnings } from '../shared/localisation.ts';
import { proposedHalfWidth } from '../shared/proposed-length.ts';
import { shareTuning } from '../tuning.ts';
import { gaspariCohnTaps, createNudging, nudgingSchema } from './nudging.ts';

/** Observations that are omitted, and quality control that has only the observations' errors to judge by. */
function observationWarnings({ networks }: Situation): Problem[] {
  const names = [...new Set(networks.map(({ variable }) => variable))];
  const unused = names.filter((name) => !isLinearlyObserved(name)).map(describeValue);
  const used = observedVariableNames.filter((name) => isLinearlyObserved(name)).map(describeValue);
  const warnings: Problem[] = [];
  if (unused.length > 0) {
    const message = `observations of ${listWords(unused, 'and')} are not used; a state is nudged to those of ${listWords(used, 'and')}`;
    warnings.push({ path: [], message });
  }
  if (networks.some(({ variable, qualityControl }) => qualityControl > 0 && isLinearlyObserved(variable))) {
    const message =
      'nudging states no error of its background, so that quality control rejects what is beyond the observations’ own errors';
    warnings.push({ path: [], message });
  }
  return warnings;
}

export const nudging = defineMethod(nudgingSchema, {
  appearance: {
    shades: [
      ['#b39ddb', '#6a4fa3'],
      ['#d7c8f0', '#4a3480'],
    ],
    dash: '3 2 8 2',
    marker: 'star',
  },
  carries: 'state',
  assimilates: true,
  trustsSpread: false,
  warnings: (settings, situation) => [...localisationWarnings(settings, situation), ...observationWarnings(situation)],
  // Increment, what is spread and what is between the two passes of it; the tangent linear, and its weights.
  memory: (_settings, { cells, state, observations }) => ({
    elements: 3 * state + (TANGENT_ENTRIES + 2) * observations,
    hostBytes: 2 * cells * HOST_BYTES,
  }),
  effort({ localisation: { halfWidth } }, { grid, model, variables }) {
    const { nx, ny, dx, dy } = grid;
    const { x, y } = boundaryOf(model);
    const taps = [
      gaspariCohnTaps(halfWidth / dx, nx, x === 'periodic'),
      gaspariCohnTaps(halfWidth / dy, ny, y === 'periodic'),
    ];
    const width = taps.reduce((sum, { taps: weights }) => sum + weights.length, 0);
    return { each: 2 * variables.length * nx * ny * width, once: 0 };
  },
  proposal: (situation) => ({ localisation: { halfWidth: proposedHalfWidth(situation) } }),
  tuning: (settings, situation) => ({ settings: [shareTuning('strength'), ...halfWidthTuning(settings, situation)] }),
  create: createNudging,
});
