/**
 * A twin experiment: a hidden truth, what is observed of it, and the methods in lockstep on the same observations and the
 * same initial ensemble. A cycle is a forecast of truth and methods over one window, then an analysis of each method.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { AllDivergedError, ScenarioError } from '../errors.ts';
import type { Method } from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import { cyclesOf, estimateMemory, scenarioAt } from '../scenario/index.ts';
import type { Scenario, ScenarioFiles } from '../scenario/index.ts';
import { initialise, restore, statesOf } from './beginning.ts';
import { fingerprintOf } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Contestant } from './contestant.ts';
import { createContestants } from './contestants.ts';
import { recordCycle } from './cycle.ts';
import type { RecordedCycle } from './cycle.ts';
import type { ExperimentEvent } from './events.ts';
import { createForcing } from './forcing.ts';
import { createKernelSampling } from './kernel-sampling.ts';
import { prepareParts } from './parts.ts';
import type { CycleObservations } from './truth-observer.ts';

/**
 * Looks at the states at the moments when they are queued as forecasts and analyses; what it does is queued there. The run waits
 * for what it returns. Whether a method has diverged on the way may be known only later.
 */
export interface ExperimentObserver {
  /** `method.state` is the forecast of the cycle. */
  forecast?(method: Method, cycle: number): void | Promise<void>;
  /** `method.state` is the analysis of the cycle; without observations the forecast. */
  analysis?(method: Method, cycle: number): void | Promise<void>;
  /** Looks inside of each forecast window; changes nothing of the run. */
  readonly window?: WindowObserver;
}

/** Looks at states on their way through a forecast window. */
export interface WindowObserver {
  /** Moments of a window, at most. */
  readonly count: number;
  /** `who` is undefined for the truth; `share` of the window has passed. */
  take(who: Method | undefined, index: number, share: number): void | Promise<void>;
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

/** A cycle that is queued. */
export interface Cycle {
  readonly cycle: number;
  /**
   * Settles when its numbers have arrived and its events are emitted, after those of the cycles before. To ask for it may wait
   * for the device, so begin the next cycle first to keep the device at work.
   *
   * Rejects with DivergenceError when the truth has diverged, AllDivergedError when the last method has; the run is over then,
   * and of a cycle that was begun after it nothing is told but that.
   */
  readonly told: Promise<void>;
}

export interface Experiment {
  readonly model: Model;
  /** The cycle that the next `begin` or `step` runs. */
  readonly nextCycle: number;
  readonly cycles: number;
  /** The truth, [variable][y][x], and the methods with their states: for whoever draws them. */
  readonly truth: RealField;
  readonly methods: readonly Method[];
  /** Of the latest cycle that was told. */
  readonly observations: CycleObservations | undefined;
  /** By label, the cycle in which a method diverged: its state is then not moved on any more. */
  readonly diverged: ReadonlyMap<string, number>;
  /**
   * Queues one cycle of all methods that are not known to have diverged. One that diverges is left out from then on, and what was
   * queued of it meanwhile is thrown away. At most one cycle is under way before it: the one before that is waited for.
   *
   * @throws what the cycles before have ended with
   */
  begin(): Promise<Cycle>;
  /** Runs one cycle, until it is told. @throws as `Cycle.told` and `begin` do */
  step(): Promise<void>;
  /** Between cycles, when all are told. Rejects when the run has ended in the middle of one. */
  checkpoint(): Promise<Checkpoint>;
  dispose(): void;
}

/** @returns labels of the scenario's methods that are wanted. @throws ScenarioError when there are none */
function chosenLabels({ methods }: Scenario, wanted: readonly string[] | undefined): readonly string[] {
  const known = methods.map(({ label }) => label);
  const chosen = known.filter((label) => wanted === undefined || wanted.includes(label));
  if (chosen.length > 0) return chosen;
  throw new ScenarioError([`found no method ${wanted?.join(', ')}, the scenario has ${known.join(', ')}`]);
}

/** By label, the cycle in which each of those that have diverged did so. */
function divergedOf(contestants: readonly Contestant[]): ReadonlyMap<string, number> {
  return new Map(
    contestants.flatMap(({ method, divergedAt }) => (divergedAt === undefined ? [] : [[method.label, divergedAt]])),
  );
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
  const cycles = cyclesOf(scenario);
  let nextCycle = checkpoint?.cycle ?? 0;
  if (checkpoint && checkpoint.fingerprint !== fingerprintOf(scenario, backend, nextCycle)) {
    throw new ScenarioError(['the checkpoint is of another scenario or backend; start a new run']);
  }
  const labels = chosenLabels(scenario, wanted);
  const disposables: { dispose(): void }[] = [];
  const own = <Owned extends { dispose(): void }>(owned: Owned): Owned => {
    disposables.push(owned);
    return owned;
  };
  const dispose = (): void => {
    for (const owned of disposables.splice(0).reverse()) owned.dispose();
  };

  try {
    const { parts, drawn } = await prepareParts(backend, scenario, files, own, checkpoint);
    const { model, truth, observer } = parts;
    const first = scenarioAt(scenario, nextCycle);
    observer.configure(first.observations);
    const contestants = await createContestants(parts, first, labels, listener);
    const forcing = own(await createForcing(backend, scenario, model.grid, truth.length));
    const truthPropagator = await parts.propagatorOf(1);
    if (drawn) await initialise(parts, contestants, drawn);
    else if (checkpoint) restore(parts, contestants, checkpoint);

    const diverged = divergedOf(contestants);
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
      ...(diverged.size > 0 && { diverged: Object.fromEntries(diverged) }),
    });

    /** What the scenario changes with this cycle. */
    const intervene = async (cycle: number): Promise<void> => {
      const edits = scenario.interventions.filter((each) => each.cycle === cycle);
      if (edits.length === 0) return;
      const now = scenarioAt(scenario, cycle);
      observer.configure(now.observations);
      for (const contestant of contestants) await contestant.configure(now);
      listener({ type: 'edited', cycle, edits });
    };
    const goOn = (cycle: number): void => {
      if (contestants.some(({ divergedAt }) => divergedAt === undefined)) return;
      throw new AllDivergedError(`Every method has diverged, the last in cycle ${cycle}.`);
    };
    const cycleParts = { ...parts, truthPropagator, contestants, forcing, onlooker, goOn };
    const { timingMicroseconds } = backend;
    const sampling = createKernelSampling({ counts: () => backend.counts, timingMicroseconds });
    /** Of the latest cycle that is begun, and of the one before. */
    let latest: Cycle | undefined;
    let earlier: Cycle | undefined;
    /** Stays so where a cycle could not be queued or told: the states are then of different moments. */
    let inCycle = false;
    /** What the run has ended with. */
    let failure: unknown;
    /** The cycle of which what is staged at its end is still to be collected. */
    let open: number | undefined;
    let observations: CycleObservations | undefined;
    let lastTold = performance.now();

    /** Queues a cycle, with its kernels timed where that costs little enough. */
    const record = async (cycle: number): Promise<RecordedCycle> => {
      const isTimed = sampling.begin();
      const stop = isTimed ? backend.onKernel((sample) => listener({ type: 'kernel', cycle, sample })) : undefined;
      try {
        return await recordCycle(cycleParts, cycle);
      } finally {
        sampling.end();
        stop?.();
      }
    };
    const assertAlive = (): void => {
      if (disposables.length === 0) throw new RangeError('the experiment is disposed of');
    };
    const close = (cycle: number): void => {
      if (open !== cycle) return;
      open = undefined;
      // What goes wrong is told by the parts that were staged.
      backend.collect().catch(() => undefined);
    };
    const tell = async (cycle: number, recorded: RecordedCycle, begun: number, before: Cycle | undefined) => {
      await before?.told;
      assertAlive();
      await recorded.tell();
      assertAlive();
      const now = performance.now();
      sampling.took(now - Math.max(begun, lastTold));
      lastTold = now;
      ({ observations } = recorded);
      listener({ type: 'cycle', cycle, cycles });
      if (cycle + 1 === cycles) listener({ type: 'end', cycles });
    };

    const begin = async (): Promise<Cycle> => {
      await earlier?.told;
      if (failure !== undefined) throw failure;
      // Settings change between cycles, and where everything is known at once nothing is to be gained by going ahead.
      const isEdited = scenario.interventions.some((each) => each.cycle === nextCycle);
      if (isEdited || backend.immediate) await latest?.told;
      if (nextCycle >= cycles) throw new RangeError(`the experiment has ${cycles} cycles, all are run`);
      const cycle = nextCycle;
      goOn(cycle);
      inCycle = true;
      const begun = performance.now();
      await intervene(cycle);
      const recorded = await record(cycle).catch((error: unknown) => {
        failure ??= error;
        throw error;
      });
      // The one before may have ended the run meanwhile.
      if (failure !== undefined) throw failure;
      inCycle = false;
      nextCycle = cycle + 1;
      open = cycle;
      // After a wait in the middle the next cycle is likely to wait in its own, which will do for both.
      if (!recorded.hasWaited) close(cycle);
      const told = tell(cycle, recorded, begun, latest).catch((error: unknown) => {
        failure ??= error;
        nextCycle = Math.min(nextCycle, cycle);
        throw error;
      });
      // Heard of by whoever asks for it, and by whoever begins another one.
      told.catch(() => undefined);
      earlier = latest;
      latest = {
        cycle,
        get told() {
          close(cycle);
          return told;
        },
      };
      return latest;
    };

    return {
      model,
      cycles,
      truth,
      methods: contestants.map(({ method }) => method),
      get diverged() {
        return divergedOf(contestants);
      },
      get nextCycle() {
        return nextCycle;
      },
      get observations() {
        return observations;
      },
      begin,
      async step() {
        await (
          await begin()
        ).told;
      },
      async checkpoint() {
        await latest?.told.catch(() => undefined);
        if (inCycle || failure !== undefined)
          throw new RangeError('there is no checkpoint in the middle of a cycle, where the run has ended');
        const arrays = await statesOf(parts, contestants);
        return { cycle: nextCycle, arrays, fingerprint: fingerprintOf(scenario, backend, nextCycle) };
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
