/** The states that a run begins with: drawn and spun up, or those of a checkpoint. */
import { withCause, createPlausibility } from './divergence-cause.ts';
import type { Model, Propagator } from '../models/index.ts';
import { continuedFactors, createMethod, movedStates, type Method, type MethodContext } from '../methods/index.ts';
import type { Backend, RealField } from '../compute/backend.ts';
import { assertDepths, numbersOf, restoreField, restoreFields, type Checkpoint } from './checkpoint.ts';
import type { Parts, Drawn } from './parts.ts';
import { comparedVariables, modelKindDefinition, physicsOf } from '../scenario/index.ts';
import type { Method as MethodSettings, Scenario } from '../scenario/index.ts';
import type { Tracer } from './cycle-trace.ts';
import { createLoneAnalyser, createLoneNetwork, createTakenObservations } from './taken-observations.ts';
import type { LoneAnalyser, LoneNetwork, TakenObservations } from './taken-observations.ts';
import { createMethodRun, type MethodRun } from './method-run.ts';
import { createDiagnostics, createPastTruths, type Diagnostics, type PastTruths } from './diagnostics.ts';
import type { ExperimentEvent } from './events.ts';
import { createReplaceableMethod } from './replaceable-method.ts';

/**
 * @param now with the settings of the first cycle
 * @param labels of the methods that are wanted
 * @param streamNameOf what a method's random streams are named by, by its label
 */
export async function createMethodRuns(
  parts: Parts & { readonly repeat: MethodContext['window']['repeat'] },
  now: Scenario,
  labels: readonly string[],
  listener: (event: ExperimentEvent) => void,
  tracer: Tracer,
  streamNameOf: (label: string) => string,
): Promise<MethodRun[]> {
  const { backend, scenario, model, pace, truth, observer, propagatorOf, repeat, own } = parts;
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
  const windowWith = (shares: readonly number[]) => ({ seconds: scenario.experiment.window, pace, shares, repeat });
  const make = (settings: MethodSettings, taken: TakenObservations): Promise<Method> =>
    createMethod(settings, {
      ...contextNow(),
      ...taken.begin(settings),
      window: windowWith(taken.timed(observer.moments).map(({ share, isInTime }) => (isInTime ? share : 1))),
      streamName: streamNameOf(settings.label),
    });
  const createScores = (
    method: Method,
    { observations, positions }: TakenObservations,
    truths: PastTruths,
  ): Promise<Diagnostics> =>
    createDiagnostics(
      backend,
      {
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
      },
      truths,
    );
  let lone: Promise<LoneNetwork> | undefined;
  const network = (): Promise<LoneNetwork> =>
    (lone ??= createLoneNetwork(backend, model, [scenario.background.members]).then(own, (error: unknown) => {
      // It may have room another time.
      lone = undefined;
      throw error;
    }));
  const createLone = (settings: MethodSettings, its: LoneNetwork): Promise<LoneAnalyser> =>
    createLoneAnalyser(backend, its, () =>
      createMethod(settings, {
        ...contextNow(),
        ...its.context,
        window: windowWith([]),
        streamName: streamNameOf(settings.label),
      }),
    );
  const methodRuns: MethodRun[] = [];
  for (const [index, settings] of now.methods.entries()) {
    if (!labels.includes(settings.label)) continue;
    const taken = own(createTakenObservations(backend, observer));
    const method = await createReplaceableMethod(backend, () => make(settings, taken));
    const pastTruths = createPastTruths(backend, settings.label, truth);
    const scores = await createScores(method, taken, pastTruths).catch((error: unknown) => {
      method.dispose();
      throw error;
    });
    const propagator = await propagatorOf(movedStates(method).members);
    const shared = { backend, model, scenario, now, plausibility, tracer, listener, network, createLone };
    const its = {
      index,
      taken,
      method,
      scores,
      pastTruths,
      propagator,
      propagatorOf,
      createMethod: make,
      createScores,
    };
    methodRuns.push(own(createMethodRun({ ...shared, ...its })));
  }
  return methodRuns;
}

/** Interval between reports of a spin-up's progress. */
const SPINUP_REPORTS = 15;

/**
 * Runs the spin-up of what is drawn, has each method take its beginning from it, and frees it.
 *
 * @param onSpinUp called with the share, 0 to 1, of the steps of truth and members that are queued
 * @throws DivergenceError
 */
export async function initialise(
  parts: Parts,
  methodRuns: readonly MethodRun[],
  { truth: drawnTruth, ensemble }: Drawn,
  onSpinUp: (share: number) => void,
): Promise<void> {
  const { backend, scenario, files, hidden, propagatorOf, driving } = parts;
  const { members } = scenario.background;
  const { spinUp } = driving;
  backend.write(hidden.state, drawnTruth);
  /** Advances states that come after `before` others, one part of the spin-up after another. */
  const advance = async (propagator: Propagator, state: RealField, before: number, states: number): Promise<void> => {
    for (const [index, part] of spinUp.entries()) {
      driving.drive(part);
      await propagator.advance(state, part.seconds, {
        count: Math.ceil(SPINUP_REPORTS / spinUp.length),
        take: (_index, share) => onSpinUp((before + (states * (index + share)) / spinUp.length) / (1 + members)),
      });
    }
  };
  await advance(hidden.propagator, hidden.state, 0, 1);
  await hidden.propagator.check('the spin-up of the truth').catch(withCause(scenario, files));
  hidden.show();

  const many = await propagatorOf(members);
  try {
    await advance(many, ensemble, 1, members);
    await many.check('the spin-up of the ensemble').catch(withCause(scenario, files));
    for (const { method } of methodRuns) method.initialise(ensemble);
    await backend.settle();
  } finally {
    ensemble.dispose();
  }
}

/** Water at rest in every member: what is shown of a method that diverged before a checkpoint. */
function restState(model: Model, members: number): Float64Array {
  const { grid, bed } = model;
  const cells = grid.nx * grid.ny;
  const external = new Float64Array(model.variables.length * cells * members);
  if (bed)
    external.forEach((_, i) => (external[i] = Math.floor(i / cells) % 3 === 0 ? Math.max(0, -bed[i % cells]) : 0));
  return model.toState(external);
}

function inflationName({ label }: Method): string {
  return `inflation.${label}`;
}

/** What the states of a smoother's cycles before and the truths of then are called. */
function pastNames({ label }: Method): readonly [states: string, truths: string] {
  return [`past.${label}`, `pastTruth.${label}`];
}

/** One after the other. */
async function readAll(backend: Backend, fields: readonly RealField[]): Promise<Float64Array> {
  const all = new Float64Array(fields.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const field of fields) {
    all.set(await backend.read(field), offset);
    offset += field.length;
  }
  return all;
}

export function restore(
  { backend, model, truth, hidden, observer }: Parts,
  methodRuns: readonly MethodRun[],
  checkpoint: Checkpoint,
): void {
  const nothing = new Float64Array(0);
  const { arrays } = checkpoint;
  restoreField(backend, checkpoint, 'truth', hidden.state);
  if (hidden.model.surface === 'depth') assertDepths(checkpoint, hidden.model.grid.nx * hidden.model.grid.ny);
  hidden.show();
  for (const methodRun of methodRuns) {
    const { method, evidence, pastTruths } = methodRun;
    const diverged = arrays[`diverged.${method.label}`];
    evidence.restore(arrays[`evidence.${method.label}`] ?? nothing);
    if (diverged) {
      methodRun.leaveOut(diverged[0]);
      backend.write(method.state, restState(model, method.members));
    } else {
      restoreField(backend, checkpoint, `method.${method.label}`, movedStates(method).state);
      method.carried?.show();
      // A method whose inflation begins to adapt itself with this cycle has none yet.
      const factor = inflationName(method);
      if (method.inflation && Object.hasOwn(arrays, factor)) {
        const { next } = method.inflation;
        backend.write(next, continuedFactors(numbersOf(checkpoint, factor), next.length));
      }
      const { past } = method;
      if (past) {
        const [states, truths] = pastNames(method);
        const { length } = method.state;
        restoreFields(backend, checkpoint, states, length, (count) => past.makeRoom(count));
        restoreFields(backend, checkpoint, truths, truth.length, (count) =>
          pastTruths.makeRoom(Math.min(count, past.lag)),
        );
      }
    }
  }
  observer.restoreDrifters(arrays['drifters'] ?? nothing);
}

/** @returns what a run needs to continue, by name: as `restore` takes it */
export async function statesOf(
  { backend, model, hidden, observer, pace, truthPace }: Parts,
  methodRuns: readonly MethodRun[],
): Promise<Record<string, Float64Array>> {
  const arrays: Record<string, Float64Array> = {
    truth: await backend.read(hidden.state),
    drifters: observer.drifters(),
    pace: Float64Array.of(pace),
    ...(hidden.model !== model && { truthPace: Float64Array.of(truthPace) }),
  };
  for (const { method, evidence, divergedAt, pastTruths } of methodRuns) {
    if (divergedAt === undefined) {
      arrays[`method.${method.label}`] = await backend.read(movedStates(method).state);
      if (method.inflation) arrays[inflationName(method)] = await backend.read(method.inflation.next);
      if (method.past) {
        const [states, truths] = pastNames(method);
        arrays[states] = await readAll(backend, method.past.kept);
        arrays[truths] = await readAll(backend, pastTruths.kept);
      }
    } else arrays[`diverged.${method.label}`] = Float64Array.of(divergedAt);
    arrays[`evidence.${method.label}`] = evidence.state();
  }
  return arrays;
}

/** @returns bytes of the states that `statesOf` gives */
export function bytesOfStates({ hidden }: Pick<Parts, 'hidden'>, methodRuns: readonly MethodRun[]): number {
  const fields = [
    hidden.state,
    ...methodRuns.flatMap(({ method, pastTruths }) => [
      movedStates(method).state,
      ...(method.past?.kept ?? []),
      ...pastTruths.kept,
    ]),
  ];
  return fields.reduce((sum, { length }) => sum + length * Float64Array.BYTES_PER_ELEMENT, 0);
}
