/** Which error comes first: that of the pattern, if water falls that the members do not see. */
import { expect, it } from 'vitest';
import { headlineError, usualMeasures, validateScenario } from '../../../engine/index.ts';
import { SMALL_SCENARIO } from '../sweep/small-sweep.ts';

const DROP = { kind: 'drop', cycle: 1, x: 4, y: 4, radius: 2, height: 0.1 } as const;

function scenarioWith(parts: { readonly forcing?: unknown; readonly interventions?: readonly unknown[] }) {
  const { forcing, interventions = [] } = parts;
  const truth = { ...SMALL_SCENARIO.truth, ...(forcing !== undefined && { forcing }) };
  return validateScenario({ ...SMALL_SCENARIO, truth, interventions }, 'small.json').scenario;
}

it.each([
  ['nothing falls', {}, 'total'],
  ['all see what falls', { forcing: { kind: 'drops', seenBy: 'all' } }, 'total'],
  ['the truth alone has drops', { forcing: { kind: 'drops', seenBy: 'truth' } }, 'pattern'],
  ['each has drops of its own', { forcing: { kind: 'drops', seenBy: 'each' } }, 'pattern'],
  ['a drop of an intervention is seen by all', { interventions: [{ ...DROP, seenBy: 'all' }] }, 'total'],
  ['what falls displaces water', { forcing: { kind: 'drops', volume: 'displaced' } }, 'total'],
  ['a drop that displaces water is hidden', { interventions: [{ ...DROP, volume: 'displaced' }] }, 'total'],
  ['a drop of an intervention is hidden', { interventions: [DROP] }, 'pattern'],
] as const)('%s', (_, parts, headline) => {
  const scenario = scenarioWith(parts);
  expect(headlineError(scenario)).toBe(headline);
  expect(usualMeasures(scenario)[0]).toBe(headline === 'pattern' ? 'rmse_pattern_analysis_h' : 'rmse_analysis_h');
});
