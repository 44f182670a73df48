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
import { createTakenObservations } from './taken-observations.ts';
import type { TakenObservations } from './taken-observations.ts';

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
  /** All but the observations, which each takes as it does; the observer's fields are others when room was made. */
  const contextNow = () => ({
    backend,
    model,
    threshold: observer.threshold,
    members: scenario.background.members,
    seed: scenario.seed,
    ...physicsOf(scenario.model),
  });
  const compared = comparedVariables(scenario);
  const observed = modelKindDefinition(scenario.model).observed.map(({ name }) => name);
  const plausibility = createPlausibility(scenario, model);
  const make = (settings: MethodSettings, taken: TakenObservations): Promise<Method> =>
    createMethod(settings, { ...contextNow(), ...taken.begin(settings), streamName: streamNameOf(settings.label) });
  const createScores = (method: Method, { observations, positions }: TakenObservations): Promise<Diagnostics> =>
    createDiagnostics(backend, {
      model,
      truth,
      method,
      observations,
      compared,
      observed,
      positions,
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
    const taken = own(createTakenObservations(backend, observer));
    const method = await createReplaceableMethod(backend, () => make(settings, taken));
    const scores = await createScores(method, taken).catch((error: unknown) => {
      method.dispose();
      throw error;
    });
    const propagator = await propagatorOf(movedStates(method).members);
    const shared = { backend, model, scenario, now, plausibility, tracer, listener, network, createLone };
    const its = { index, taken, method, scores, propagator, propagatorOf, createMethod: make, createScores };
    methodRuns.push(own(createMethodRun({ ...shared, ...its })));
  }
  return methodRuns;
}
