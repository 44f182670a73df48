/** The methods of a run, as its scenario has them in its first cycle. */
import { createMethod, movedStates } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import { comparedVariables, modelKindDefinition, physicsOf } from '../scenario/index.ts';
import type { Method as MethodSettings, Scenario } from '../scenario/index.ts';
import type { Tracer } from './cycle-trace.ts';
import { createLoneAnalyser, createLoneNetwork } from './lone-observation.ts';
import type { LoneAnalyser, LoneNetwork } from './lone-observation.ts';
import { createMethodRun } from './method-run.ts';
import type { MethodRun } from './method-run.ts';
import { createDiagnostics } from './diagnostics.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { ExperimentEvent } from './events.ts';
import type { Parts } from './parts.ts';
import { createPlausibility } from './plausibility.ts';
import { createReplaceableMethod } from './replaceable-method.ts';

/**
 * @param now with the settings of the first cycle
 * @param labels of the methods that are wanted
 * @param streamNameOf what a method's random streams are named by, by its label
 */
export async function createMethodRuns(
  parts: Parts,
  now: Scenario,
  labels: readonly string[],
  listener: (event: ExperimentEvent) => void,
  tracer: Tracer,
  streamNameOf: (label: string) => string,
): Promise<MethodRun[]> {
  const { backend, scenario, model, truth, observer, propagatorOf, own } = parts;
  const none = new Float64Array(0);
  const nowhere = { x: none, y: none, variable: [], inverseErrorStd: none };
  /** The observer's operator is another one when room was made. */
  const contextNow = () => ({
    backend,
    model,
    observations: observer.operator,
    threshold: observer.threshold,
    positions: () => observer.latest ?? nowhere,
    members: scenario.background.members,
    seed: scenario.seed,
    ...physicsOf(scenario.model),
  });
  const compared = comparedVariables(scenario);
  const observed = modelKindDefinition(scenario.model).observed.map(({ name }) => name);
  const plausibility = createPlausibility(scenario, model);
  const make = (settings: MethodSettings): Promise<Method> =>
    createMethod(settings, { ...contextNow(), streamName: streamNameOf(settings.label) });
  const createScores = (method: Method): Promise<Diagnostics> =>
    createDiagnostics(backend, {
      model,
      truth,
      method,
      observations: observer.operator,
      compared,
      observed,
      positions: () => observer.latest ?? nowhere,
      physics: physicsOf(scenario.model),
      seed: scenario.seed,
      streamName: streamNameOf(method.label),
    });
  let lone: Promise<LoneNetwork> | undefined;
  const network = (): Promise<LoneNetwork> =>
    (lone ??= createLoneNetwork(backend, model, [scenario.background.members]).then(own, (error: unknown) => {
      // It may have room another time.
      lone = undefined;
      throw error;
    }));
  const createLone = (settings: MethodSettings, its: LoneNetwork): Promise<LoneAnalyser> =>
    createLoneAnalyser(backend, its, () =>
      createMethod(settings, { ...contextNow(), ...its.context, streamName: streamNameOf(settings.label) }),
    );
  const methodRuns: MethodRun[] = [];
  for (const [index, settings] of now.methods.entries()) {
    if (!labels.includes(settings.label)) continue;
    const method = await createReplaceableMethod(backend, () => make(settings));
    const scores = await createScores(method).catch((error: unknown) => {
      method.dispose();
      throw error;
    });
    const propagator = await propagatorOf(movedStates(method).members);
    const shared = { backend, model, scenario, now, plausibility, tracer, listener, network, createLone };
    const its = { index, method, scores, propagator, propagatorOf, createMethod: make, createScores };
    methodRuns.push(own(createMethodRun({ ...shared, ...its })));
  }
  return methodRuns;
}
