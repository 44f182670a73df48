/**
 * A twin experiment: a hidden truth, what is observed of it, and the methods in lockstep on the same observations and the
 * same initial ensemble. A cycle is a forecast of truth and methods over one window, then an analysis of each method.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { AllDivergedError, NotKeptError, QuestionError, ScenarioError } from '../errors.ts';
import type { Explanation, ExplanationKind, Method, MethodQuestion } from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';
import { cyclesOf, estimateMemory, scenarioAt, scenarioBed } from '../scenario/index.ts';
import type { InterventionOf, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { bytesOfStates, initialise, restore, statesOf, createMethodRuns } from './beginning.ts';
import { fingerprintOf, isOwnCheckpoint, type Checkpoint } from './checkpoint.ts';
import type { AnalysedCycle } from './method-explanation.ts';
import type { MethodRun } from './method-run.ts';
import { createTracer, createKernelSampling, type CycleTrace, type Tracer } from './cycle-trace.ts';
import { recordCycle, repeatedForecast, type RecordedCycle } from './cycle.ts';
import { createCycles, type Cycle } from './cycles.ts';
import type { ExperimentEvent, ExperimentObserver } from './events.ts';
import { createForcing } from './forcing.ts';
import { prepareParts, createStateDraw, type StateDraw } from './parts.ts';
import type { CycleObservations } from './truth-observer.ts';

export interface ExperimentOptions {
  /** The arrays and tables that the scenario refers to. */
  readonly files: ScenarioFiles;
  /** Labels of the methods to run; all of the scenario's if omitted. */
  readonly methods?: readonly string[];
  /**
   * What a method's random streams are named by, by its label; the label itself if omitted. Methods of one name draw the same
   * numbers, so that each of several settings beside one another is what it would be alone.
   */
  readonly streamNameOf?: (label: string) => string;
  readonly listener: (event: ExperimentEvent) => void;
  readonly observer?: ExperimentObserver;
  /** Where to continue; the run then gives the same bits as one that was never interrupted. */
  readonly checkpoint?: Checkpoint;
  /** Draws the states that it begins with, and is disposed of then; they are drawn in this thread if omitted. */
  readonly draw?: StateDraw;
  /** Gives up what is under way: drawing between two states, a forecast within a batch of its steps. */
  readonly signal?: AbortSignal | undefined;
}

export interface Experiment {
  readonly model: Model;
  /** As it is after the latest edit. */
  readonly scenario: Scenario;
  /** The cycle that the next `begin` or `step` runs. */
  readonly nextCycle: number;
  readonly cycles: number;
  /** The truth, [variable][y][x], and the methods with their states: for whoever draws them. */
  readonly truth: RealField;
  readonly methods: readonly Method[];
  /** Observations of the latest cycle that was reported. */
  readonly observations: CycleObservations | undefined;
  /** H, with the observations of the latest cycle set; another one when there was more room to be made for observations. */
  readonly observationOperator: ObservationOperator;
  /** By label, the cycle in which a method diverged: its state is then not moved on any more. */
  readonly diverged: ReadonlyMap<string, number>;
  /** Takes the time of what is done between cycles; it is reported with the cycle after it. */
  readonly time: Tracer['time'];
  /** What was done since the last cycle was reported; undefined if nothing was. */
  rest(): CycleTrace | undefined;
  /**
   * Queues one cycle of all methods that are not known to have diverged. One that diverges is omitted from then on, and what was
   * queued of it meanwhile is thrown away. At most one cycle is under way before it: the one before that is waited for.
   *
   * @throws what the cycles before have ended with
   */
  begin(): Promise<Cycle>;
  /** Runs one cycle, until it is reported. @throws as `Cycle.reported` and `begin` do */
  step(): Promise<void>;
  /**
   * Between cycles: continues with a scenario whose interventions differ from the next cycle on.
   *
   * @throws ScenarioError where it differs in anything that has a part in the states
   */
  edit(next: Scenario): void;
  /** Between cycles, when all are reported. Rejects when the run has ended in the middle of one. */
  checkpoint(): Promise<Checkpoint>;
  /** What the states in it take, bytes. */
  readonly checkpointBytes: number;
  /**
   * Between cycles: whether the forecasts of the cycles that follow are kept, each until the next one: a copy of each state,
   * without which nothing can be asked. What was kept before is freed where they are not.
   */
  keepForecasts(wanted: boolean): void;
  /**
   * Between cycles, after all are reported: asks a method why the analysis of the latest cycle is what it is. It changes no number of
   * the run.
   *
   * @param label of the method
   * @param cycle that is asked about, where it has to be the latest
   * @returns undefined where the method has no answer
   * @throws QuestionError for a method, a variable, a cell or an observation that there is not, and a method that has diverged;
   *   NotKeptError where the forecast was not kept, and where the run has continued from the cycle
   */
  explain<Kind extends ExplanationKind>(
    label: string,
    question: MethodQuestion<Kind>,
    cycle?: number,
  ): Promise<Explanation<Kind> | undefined>;
  /**
   * Between cycles, after all are reported: what the latest analysis of a method made of its forecast and its observations.
   *
   * @throws as `explain` does
   */
  analysed(label: string, cycle?: number): Promise<AnalysedCycle>;
  dispose(): void;
}

/** @returns labels of the scenario's methods that are wanted. @throws ScenarioError when there are none */
function chosenLabels({ methods }: Scenario, wanted: readonly string[] | undefined): readonly string[] {
  const known = methods.map(({ label }) => label);
  const chosen = known.filter((label) => wanted === undefined || wanted.includes(label));
  if (chosen.length > 0) return chosen;
  throw new ScenarioError([
    { path: [], message: `found no method ${wanted?.join(', ')}, the scenario has ${known.join(', ')}` },
  ]);
}

/** By label, the cycle in which each of those that have diverged did so. */
function divergedOf(methodRuns: readonly MethodRun[]): ReadonlyMap<string, number> {
  return new Map(
    methodRuns.flatMap(({ method, divergedAt }) => (divergedAt === undefined ? [] : [[method.label, divergedAt]])),
  );
}

/**
 * Draws truth and ensemble, spins them up, and prepares every method.
 *
 * @throws LimitError, ScenarioError, BackendError, DivergenceError (in the spin-up), the signal's reason
 */
export async function createExperiment(
  backend: Backend,
  begun: Scenario,
  options: ExperimentOptions,
): Promise<Experiment> {
  const { files, methods: wanted, listener, observer: onlooker, checkpoint, signal } = options;
  const { streamNameOf = (label) => label } = options;
  let scenario = begun;
  let cycles = cyclesOf(scenario);
  const firstCycle = checkpoint?.cycle ?? 0;
  if (checkpoint && !isOwnCheckpoint(checkpoint, scenario, backend)) {
    throw new ScenarioError([
      { path: [], message: 'the checkpoint is of another scenario or backend; start a new run' },
    ]);
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
    const tracer = own(createTracer(backend, firstCycle));
    const prepared = tracer.prepare();
    const { parts, drawn } = await prepareParts(backend, scenario, files, own, checkpoint, {
      draw: options.draw ?? createStateDraw(scenario, files),
      onDrawn: (share) => listener({ type: 'preparing', part: 'drawing', share }),
      signal,
    });
    const { model, truth, observer } = parts;
    const first = scenarioAt(scenario, firstCycle);
    const forcing = own(
      createForcing(
        backend,
        scenario,
        { grid: model.grid, bed: scenarioBed(scenario, files) },
        {
          stateLength: truth.length,
          refinement: parts.hidden.factor,
        },
      ),
    );
    const dropsAt = (cycle: number): readonly InterventionOf<'drop'>[] =>
      scenario.interventions.filter((each) => each.kind === 'drop').filter((each) => each.cycle === cycle);
    const repeat = repeatedForecast({ ...parts, forcing, dropsAt });
    const methodRuns = await createMethodRuns({ ...parts, repeat }, first, labels, listener, tracer, streamNameOf);
    const onSpinUp = (share: number): void => listener({ type: 'preparing', part: 'spin-up', share });
    if (drawn) await initialise(parts, methodRuns, drawn, onSpinUp);
    else if (checkpoint) restore(parts, methodRuns, checkpoint);

    prepared();
    const diverged = divergedOf(methodRuns);
    listener({
      type: 'start',
      scenario: scenario.name,
      seed: scenario.seed,
      backend: { name: backend.name, adapter: backend.adapter },
      methods: methodRuns.map(({ method: { label, kind, members } }) => ({ label, kind, members })),
      variables: model.variables.map(({ name }) => name),
      cycles,
      firstCycle,
      memoryBytes: estimateMemory(scenario, backend.elementBytes),
      ...(diverged.size > 0 && { diverged: Object.fromEntries(diverged) }),
    });

    /** Continues with the settings of a cycle, and with its gauges. */
    const configure = async (cycle: number): Promise<void> => {
      const now = scenarioAt(scenario, cycle);
      observer.configure(now, cycle);
      if (!observer.lacksRoom) {
        for (const methodRun of methodRuns) await methodRun.configure(now);
        return;
      }
      // None of them may look at the observations while there is other room made for them.
      for (const methodRun of methodRuns) await methodRun.suspend();
      await observer.makeRoom();
      for (const methodRun of methodRuns) await methodRun.resume(now);
    };
    /** Whether the scenario was changed since the last cycle: what was configured for the next one may not be right. */
    let isEdited = false;
    /** What the scenario changes with this cycle. */
    const intervene = async (cycle: number): Promise<void> => {
      const edits = scenario.interventions.filter((each) => each.cycle === cycle);
      if (edits.length === 0 && !isEdited) return;
      isEdited = false;
      await configure(cycle);
      if (edits.length > 0) listener({ type: 'edited', cycle, edits });
    };
    const goOn = (cycle: number): void => {
      if (methodRuns.some(({ divergedAt }) => divergedAt === undefined)) return;
      throw new AllDivergedError(`Every method has diverged, the last in cycle ${cycle}.`);
    };
    const cycleParts = {
      ...parts,
      methodRuns,
      forcing,
      dropsAt,
      onlooker,
      tracer,
      goOn,
      keepsForecasts: () => keepsForecasts,
    };
    const { timingMicroseconds } = backend;
    const sampling = createKernelSampling({ counts: () => backend.counts, timingMicroseconds });
    let observations: CycleObservations | undefined;
    let keepsForecasts = false;
    const assertAlive = (): void => {
      if (disposables.length === 0) throw new RangeError('the experiment is disposed of');
    };

    const flow = createCycles<RecordedCycle>({
      backend,
      first: firstCycle,
      count: () => cycles,
      // Settings change between cycles.
      isApart: (cycle) => isEdited || scenario.interventions.some((each) => each.cycle === cycle),
      async queue(cycle) {
        goOn(cycle);
        await intervene(cycle);
        tracer.cycle = cycle;
        tracer.detailed = sampling.begin();
        const stop = tracer.detailed
          ? backend.onKernel((sample) => listener({ type: 'kernel', cycle, sample }))
          : undefined;
        try {
          return await tracer.time('cycle', () => recordCycle(cycleParts, cycle));
        } finally {
          sampling.end();
          stop?.();
        }
      },
      async report(cycle, recorded, milliseconds) {
        assertAlive();
        await tracer.time('numbers', () => recorded.report(), { cycle });
        assertAlive();
        sampling.took(milliseconds());
        ({ observations } = recorded);
        listener({ type: 'trace', ...tracer.take(cycle) });
        listener({ type: 'cycle', cycle, cycles });
        if (cycle + 1 === cycles) listener({ type: 'end', cycles });
      },
    });

    /** @returns a method that can be asked about the latest cycle */
    async function askedOf(label: string, cycle: number | undefined): Promise<MethodRun> {
      await flow.untilTold();
      const latest = flow.next - 1;
      if (cycle !== undefined && cycle !== latest) {
        throw new NotKeptError(`found a question about cycle ${cycle}, the run is at cycle ${latest}`);
      }
      const asked = methodRuns.find(({ method }) => method.label === label);
      if (!asked) throw new QuestionError(`found no method ${label}, the run has ${labels.join(', ')}`);
      if (asked.divergedAt === undefined) return asked;
      throw new QuestionError(`${label} has diverged in cycle ${asked.divergedAt}: it has no analysis to ask about`);
    }

    return {
      model,
      get scenario() {
        return scenario;
      },
      get cycles() {
        return cycles;
      },
      truth,
      methods: methodRuns.map(({ method }) => method),
      get diverged() {
        return divergedOf(methodRuns);
      },
      get nextCycle() {
        return flow.next;
      },
      get observations() {
        return observations;
      },
      get observationOperator() {
        return observer.operator;
      },
      time: (part, work, of) => tracer.time(part, work, of),
      rest: () => (tracer.hasNews ? tracer.take(Math.max(firstCycle, flow.next - 1)) : undefined),
      begin: () => flow.begin(),
      async step() {
        const { reported } = await flow.begin();
        await reported;
      },
      edit(next) {
        if (fingerprintOf(next, backend, flow.next) !== fingerprintOf(scenario, backend, flow.next)) {
          throw new ScenarioError([
            { path: [], message: `found other settings before cycle ${flow.next}; those need a run from its start` },
          ]);
        }
        scenario = next;
        cycles = cyclesOf(next);
        isEdited = true;
      },
      async checkpoint() {
        await flow.untilTold();
        const arrays = await statesOf(parts, methodRuns);
        return { cycle: flow.next, arrays, fingerprint: fingerprintOf(scenario, backend, flow.next) };
      },
      get checkpointBytes() {
        return bytesOfStates(parts, methodRuns);
      },
      keepForecasts(wanted) {
        keepsForecasts = wanted;
        if (!wanted) for (const { explanation } of methodRuns) explanation.forget();
      },
      async explain(label, question, cycle) {
        const asked = await askedOf(label, cycle);
        return asked.explanation.answer(question, flow.next - 1, observations);
      },
      async analysed(label, cycle) {
        const asked = await askedOf(label, cycle);
        return asked.explanation.analysed(flow.next - 1, observations?.count ?? 0);
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
