/** The methods of a run, as its scenario has them in its first cycle. */
import { createMethod } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import { comparedVariables } from '../scenario/index.ts';
import type { Method as MethodSettings, Scenario } from '../scenario/index.ts';
import { createContestant } from './contestant.ts';
import type { Contestant } from './contestant.ts';
import { createScorekeeper } from './diagnostics.ts';
import type { Scorekeeper } from './diagnostics.ts';
import type { ExperimentEvent } from './events.ts';
import type { Parts } from './parts.ts';
import { createPlausibility } from './plausibility.ts';
import { createReplaceableMethod } from './replaceable-method.ts';

/**
 * @param now with the settings of the first cycle
 * @param labels of the methods that are wanted
 */
export async function createContestants(
  parts: Parts,
  now: Scenario,
  labels: readonly string[],
  listener: (event: ExperimentEvent) => void,
): Promise<Contestant[]> {
  const { backend, scenario, model, truth, observer, propagatorOf, own } = parts;
  const none = new Float64Array(0);
  const nowhere = { x: none, y: none, variable: [], inverseDeviation: none };
  const surroundings = {
    backend,
    model,
    observations: observer.operator,
    threshold: observer.threshold,
    places: () => observer.latest ?? nowhere,
    members: scenario.background.members,
    seed: scenario.seed,
    gravity: scenario.model.gravity,
    coriolis: scenario.model.coriolis,
  };
  const compared = comparedVariables(scenario);
  const plausibility = createPlausibility(scenario, model);
  const make = (settings: MethodSettings): Promise<Method> => createMethod(settings, surroundings);
  const createScores = (method: Method): Promise<Scorekeeper> =>
    createScorekeeper(backend, {
      model,
      truth,
      method,
      observations: observer.operator,
      compared,
      seed: scenario.seed,
    });
  const contestants: Contestant[] = [];
  for (const [index, settings] of now.methods.entries()) {
    if (!labels.includes(settings.label)) continue;
    const method = await createReplaceableMethod(backend, () => make(settings));
    const scores = await createScores(method).catch((error: unknown) => {
      method.dispose();
      throw error;
    });
    const propagator = await propagatorOf(method.members);
    const shared = { backend, model, scenario, now, plausibility, listener };
    const its = { index, method, scores, propagator, createMethod: make, createScores };
    contestants.push(own(createContestant({ ...shared, ...its })));
  }
  return contestants;
}
