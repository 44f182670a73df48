/**
 * A twin experiment: a hidden truth, what is observed of it, and the methods in lockstep on the same observations and the
 * same initial ensemble. A cycle is a forecast of truth and methods over one window, then an analysis of each method.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { ScenarioError } from '../errors.ts';
import { createMethod } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import type { Model, Propagator } from '../models/index.ts';
import { ensembleMean } from '../operators/ensemble/index.ts';
import { estimateMemory } from '../scenario/index.ts';
import type { Method as MethodSettings, Scenario, ScenarioFiles } from '../scenario/index.ts';
import { fingerprintOf, restoreField } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';
import { createContestant, forecastWindow } from './contestant.ts';
import type { Contestant } from './contestant.ts';
import { createScorekeeper } from './diagnostics.ts';
import { createModel, drawBackground, drawTruth } from './draw.ts';
import type { ExperimentEvent } from './events.ts';
import { createForcing } from './forcing.ts';
import { createTruthObserver } from './truth-observer.ts';
import type { CycleObservations, TruthObserver } from './truth-observer.ts';

/** Looks at the states at the moments when they are forecasts and analyses; the run waits for what it returns. */
export interface ExperimentObserver {
  /** `method.state` is the forecast of the cycle. */
  forecast?(method: Method, cycle: number): void | Promise<void>;
  /** `method.state` is the analysis of the cycle; without observations the forecast. */
  analysis?(method: Method, cycle: number): void | Promise<void>;
}

export interface ExperimentOptions {
  /** The arrays and tables that the scenario refers to. */
  readonly files: ScenarioFiles;
  /** Labels of the methods to run; all of the scenario's where left out. */
  readonly methods?: readonly string[];
  readonly listener: (event: ExperimentEvent) => void;
  readonly observer?: ExperimentObserver;
  /** Where to go on; the run then gives the same bits as one that was never interrupted. */
  readonly checkpoint?: Checkpoint;
}

export interface Experiment {
  readonly model: Model;
  /** The cycle that the next `step` runs. */
  readonly nextCycle: number;
  readonly cycles: number;
  /** The truth, [variable][y][x], and the methods with their states: for whoever draws them. */
  readonly truth: RealField;
  readonly methods: readonly Method[];
  /** Of the latest cycle. */
  readonly observations: CycleObservations | undefined;
  /** Runs one cycle of all methods. @throws DivergenceError naming method, cycle, step and cell */
  step(): Promise<void>;
  checkpoint(): Promise<Checkpoint>;
  dispose(): void;
}

/** What a run is made of, each part owned by the run. */
interface Parts {
  readonly backend: Backend;
  readonly scenario: Scenario;
  readonly files: ScenarioFiles;
  readonly model: Model;
  readonly truth: RealField;
  /** One for each member count. */
  readonly propagatorOf: (members: number) => Promise<Propagator>;
  readonly observer: TruthObserver;
  readonly own: <Owned extends { dispose(): void }>(owned: Owned) => Owned;
}

/** The scenario's methods that are wanted. @throws ScenarioError when there are none */
function chosenMethods({ methods }: Scenario, wanted: readonly string[] | undefined): readonly MethodSettings[] {
  const chosen = methods.filter(({ label }) => wanted === undefined || wanted.includes(label));
  if (chosen.length > 0) return chosen;
  throw new ScenarioError([
    `found no method ${wanted?.join(', ')}, the scenario has ${methods.map((m) => m.label).join(', ')}`,
  ]);
}

async function createContestants(
  parts: Parts,
  settings: readonly MethodSettings[],
  listener: ExperimentOptions['listener'],
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
    coriolis: scenario.model.coriolis.f,
  };
  const { window: windowSeconds, spinup } = scenario.experiment;
  const contestants: Contestant[] = [];
  for (const setting of settings) {
    const method = own(await createMethod(setting, surroundings));
    const scores = own(await createScorekeeper(backend, model, truth, method, observer.operator));
    const propagator = await propagatorOf(method.members);
    contestants.push(createContestant({ backend, method, propagator, scores, windowSeconds, spinup, listener }));
  }
  return contestants;
}

/** Draws truth and ensemble and runs the spin-up; a deterministic method starts from the mean after it. */
async function initialise(parts: Parts, contestants: readonly Contestant[]): Promise<void> {
  const { backend, scenario, files, model, truth, propagatorOf } = parts;
  const { members } = scenario.background;
  const { spinup } = scenario.truth;
  backend.write(truth, model.toState(drawTruth(scenario, model, files)));
  const single = await propagatorOf(1);
  await single.advance(truth, spinup);
  await single.check('the spin-up of the truth');

  const ensemble = backend.allocate('background', 'real', members * truth.length);
  const many = await propagatorOf(members);
  const averaging = await backend.prepare(ensembleMean, { members, length: truth.length });
  try {
    backend.write(ensemble, model.toState(drawBackground(scenario, model, files)));
    await many.advance(ensemble, spinup);
    await many.check('the spin-up of the ensemble');
    for (const { method } of contestants) {
      if (method.members === members) backend.copy(ensemble, method.state);
      else averaging.run({ ensemble, mean: method.state });
    }
    await backend.settle();
  } finally {
    for (const owned of [ensemble, averaging]) owned.dispose();
  }
}

function restore(
  { backend, truth, observer }: Parts,
  contestants: readonly Contestant[],
  checkpoint: Checkpoint,
): void {
  restoreField(backend, checkpoint, 'truth', truth);
  for (const { method } of contestants) restoreField(backend, checkpoint, `method.${method.label}`, method.state);
  observer.restoreDrifters(checkpoint.arrays['drifters'] ?? new Float64Array(0));
}

async function prepareParts(
  backend: Backend,
  scenario: Scenario,
  files: ScenarioFiles,
  own: Parts['own'],
): Promise<Parts> {
  const model = createModel(scenario, files);
  const propagators = new Map<number, Promise<Propagator>>();
  const propagatorOf = (members: number): Promise<Propagator> => {
    const propagator = propagators.get(members) ?? model.prepare(backend, members).then(own);
    propagators.set(members, propagator);
    return propagator;
  };
  const { nx, ny } = model.grid;
  const truth = own(backend.allocate('truth', 'real', model.variables.length * nx * ny));
  const observer = own(
    await createTruthObserver(backend, scenario, files, model, truth, [scenario.background.members]),
  );
  return { backend, scenario, files, model, truth, propagatorOf, observer, own };
}

/**
 * Draws truth and ensemble, spins them up, and prepares every method.
 *
 * @throws LimitError, ScenarioError, BackendError, DivergenceError (in the spin-up)
 */
export async function createExperiment(
  backend: Backend,
  scenario: Scenario,
  { files, methods: wanted, listener, observer: onlooker, checkpoint }: ExperimentOptions,
): Promise<Experiment> {
  const { cycles, window: windowSeconds } = scenario.experiment;
  const fingerprint = fingerprintOf(scenario, backend);
  if (checkpoint && checkpoint.fingerprint !== fingerprint) {
    throw new ScenarioError(['the checkpoint is of another scenario or backend; start a new run']);
  }
  const settings = chosenMethods(scenario, wanted);
  const disposables: { dispose(): void }[] = [];
  const own: Parts['own'] = (owned) => {
    disposables.push(owned);
    return owned;
  };
  const dispose = (): void => {
    for (const owned of disposables.splice(0).reverse()) owned.dispose();
  };

  try {
    const parts = await prepareParts(backend, scenario, files, own);
    const { model, truth, observer } = parts;
    const contestants = await createContestants(parts, settings, listener);
    const forcing = own(await createForcing(backend, scenario, model.grid, truth.length));
    const truthPropagator = await parts.propagatorOf(1);
    if (checkpoint) restore(parts, contestants, checkpoint);
    else await initialise(parts, contestants);

    let nextCycle = checkpoint?.cycle ?? 0;
    own({ dispose: backend.onKernel((sample) => listener({ type: 'kernel', cycle: nextCycle, sample })) });
    listener({
      type: 'start',
      scenario: scenario.name,
      seed: scenario.seed,
      backend: { name: backend.name, adapter: backend.adapter },
      methods: contestants.map(({ method: { label, kind, members } }) => ({ label, kind, members })),
      variables: model.variables.map(({ name }) => name),
      cycles,
      firstCycle: nextCycle,
      memoryBytes: estimateMemory(scenario, backend.elementBytes),
    });

    return {
      model,
      cycles,
      truth,
      methods: contestants.map(({ method }) => method),
      get nextCycle() {
        return nextCycle;
      },
      get observations() {
        return observer.latest;
      },
      async step() {
        if (nextCycle >= cycles) throw new RangeError(`the experiment has ${cycles} cycles, all are run`);
        const cycle = nextCycle;
        forcing.draw(cycle);
        forcing.applyToTruth(truth);
        await forecastWindow(truthPropagator, truth, windowSeconds, 'the truth', cycle);
        for (const contestant of contestants) {
          forcing.applyToEnsemble(contestant.method.state, contestant.method.members);
          await contestant.forecast(cycle);
          await onlooker?.forecast?.(contestant.method, cycle);
        }
        const { count } = await observer.observe(cycle);
        for (const contestant of contestants) {
          await contestant.analyse(cycle, count > 0);
          await onlooker?.analysis?.(contestant.method, cycle);
        }
        nextCycle = cycle + 1;
        listener({ type: 'cycle', cycle, cycles });
        if (nextCycle === cycles) listener({ type: 'end', cycles });
      },
      async checkpoint() {
        const arrays: Record<string, Float64Array> = {
          truth: await backend.read(truth),
          drifters: observer.drifters(),
        };
        for (const { method } of contestants) arrays[`method.${method.label}`] = await backend.read(method.state);
        return { cycle: nextCycle, arrays, fingerprint };
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
