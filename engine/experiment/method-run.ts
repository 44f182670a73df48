/** A method in the experiment: its forecast, its analysis, what is measured of both, and what is said when it diverges. */
import type { Backend, RealField } from '../compute/backend.ts';
import { describeDivergence, DivergenceError, type Divergence } from '../errors.ts';
import { methodDefinition, movedStates } from '../methods/index.ts';
import type { AnalysisReport, Method, QueuedAnalysis } from '../methods/index.ts';
import type { ForecastFrames, Model, Onlookers, Propagator, QueuedForecast } from '../models/index.ts';
import { comparedVariables, type Method as MethodSettings, type Scenario } from '../scenario/index.ts';
import { createStopwatch, type Tracer, type Stopwatch } from './cycle-trace.ts';
import type { Diagnostics, StagedScores, PastTruths } from './diagnostics.ts';
import { findCause, createEvidence, type Evidence, type Plausibility } from './divergence-cause.ts';
import type { CycleDiagnostics, ExperimentEvent, MethodDivergence } from './events.ts';
import { createFilterWatch, type FilterWatch } from './filter-watch.ts';
import type { Forcing } from './forcing.ts';
import type { LoneAnalyser, LoneNetwork, TakenObservations } from './taken-observations.ts';
import { createMethodExplanation, type MethodExplanation } from './method-explanation.ts';
import type { Moment } from './observation-plan.ts';
import type { ReplaceableMethod } from './replaceable-method.ts';

/** A part of a cycle that is queued. */
export interface QueuedPart {
  /** Where the rest depends on what the device has found: queues it, when a `collect` has followed. */
  readonly complete: (() => Promise<void>) | undefined;
  /** Emits the result, when it is complete and a `collect` has followed. */
  report(): Promise<void>;
}

/** The truth, to be moved on together with the members of a method. */
interface AlongWith {
  readonly truth: RealField;
  readonly onlookers: Onlookers;
}

/** What a method's forecast of one window is made with. */
export interface ForecastWishes {
  readonly cycle: number;
  /** When something is observed inside the window. */
  readonly moments: ObservedMoments;
  readonly frames: ForecastFrames | undefined;
}

export interface MethodRun {
  readonly method: Method;
  /** The cycle in which it diverged, from which on it is omitted; undefined while it takes part. */
  readonly divergedAt: number | undefined;
  readonly evidence: Evidence;
  readonly explanation: MethodExplanation;
  /** Continues with other settings: those of the next cycle. */
  configure(next: Scenario): Promise<void>;
  /** Frees what looks at observations, until it is resumed: there will be other room for them. */
  suspend(): Promise<void>;
  /** Continues after that, with the settings of the next cycle. */
  resume(next: Scenario): Promise<void>;
  /** The truths that a smoother’s states of the cycles before are held against. */
  readonly pastTruths: PastTruths;
  /** Queues what a smoother keeps of the cycle before, as the next one begins. */
  keepPast(): void;
  /** What falls into its water before the forecast. */
  receive(forcing: Forcing): void;
  /** Omits it from the start, as it diverged before a checkpoint. */
  leaveOut(cycle: number): void;
  /** Whether the truth can go along with its members, with the results that both have alone. */
  canTake(along: AlongWith, wishes: ForecastWishes): boolean;
  /**
   * Queues the forecast of one window, to report `forecast`, or `diverged`.
   *
   * @param along the truth, if it can take it; `take` is given its forecast
   */
  forecast(
    wishes: ForecastWishes,
    along?: AlongWith & { readonly take: (ofTruth: QueuedForecast) => void },
  ): Promise<QueuedPart>;
  /** Queues the analysis where the cycle has observations, to report `analysis` and `diagnostics`, or `diverged`. */
  analyse(cycle: number, hasObservations: boolean, moments: ObservedMoments): Promise<QueuedPart>;
  dispose(): void;
}

/** The moments inside the window of a cycle at which something is observed, each with its index, from 1 on, by share. */
type ObservedMoments = readonly (Moment & { readonly moment: number })[];

export interface MethodRunParts {
  readonly backend: Backend;
  readonly model: Model;
  /** As it was when the run began, with its interventions, and with the settings of the first cycle. */
  readonly scenario: Scenario;
  readonly now: Scenario;
  /** Index of the method in the scenario. */
  readonly index: number;
  /** What is observed, as the method takes it. */
  readonly taken: TakenObservations;
  readonly method: ReplaceableMethod;
  readonly createMethod: (settings: MethodSettings, taken: TakenObservations) => Promise<Method>;
  readonly createScores: (method: Method, taken: TakenObservations, truths: PastTruths) => Promise<Diagnostics>;
  readonly pastTruths: PastTruths;
  readonly scores: Diagnostics;
  /** The network of one place that single observations are asked about in; shared by the methods. */
  readonly network: () => Promise<LoneNetwork>;
  /** A method of such settings in that network. */
  readonly createLone: (settings: MethodSettings, network: LoneNetwork) => Promise<LoneAnalyser>;
  /** The propagator of so many members, shared by the methods with as many. */
  readonly propagatorOf: (members: number) => Promise<Propagator>;
  /** The propagator of the method's first state. */
  readonly propagator: Propagator;
  readonly plausibility: Plausibility;
  readonly tracer: Tracer;
  readonly listener: (event: ExperimentEvent) => void;
}

/** @returns what a message about a fault in a forecast begins with */
export function whereIn(who: string, cycle: number): string {
  return `${who}, cycle ${cycle} (${cycle === 0 ? 'no cycle before it was complete' : `the last good one is ${cycle - 1}`})`;
}

async function timed(watch: Stopwatch, work: () => Promise<void>): Promise<void> {
  watch.start();
  await work();
  watch.stop();
}

export function createMethodRun(parts: MethodRunParts): MethodRun {
  const { backend, model, scenario, index, taken, method, plausibility, tracer, listener, pastTruths } = parts;
  const { label, kind } = method;
  const { assimilates, trustsSpread } = methodDefinition(kind);
  const compared = comparedVariables(scenario);
  const evidence = createEvidence();
  let { now, propagator } = parts;
  let scores: Diagnostics | undefined = parts.scores;
  const explanation = createMethodExplanation({
    backend,
    model,
    method,
    taken,
    network: parts.network,
    createLone: (network) => parts.createLone(now.methods[index], network),
  });
  let forecastMilliseconds = 0;
  let watchFilter = filterWatch();
  /** The forecast of the cycle, which an analysis of water that may run dry is held against. */
  let kept: RealField | undefined;
  let divergedAt: number | undefined;

  /** A watch with the current settings. */
  function filterWatch(): FilterWatch {
    const settings = now.methods[index];
    const remedy = methodDefinition(settings.kind).spreadSource?.(settings)?.remedy ?? '';
    return createFilterWatch({ compared, trustsSpread, isGlobal: method.inflation?.next.length === 1, remedy });
  }

  function diverge(cycle: number, stage: MethodDivergence['stage'], found: string, place?: Divergence): void {
    divergedAt = cycle;
    const [variable] = model.variables;
    // What was changed on the way is in the current settings, beside the changes that were planned.
    const changed = { ...scenario, interventions: now.interventions };
    const deepest = model.bed?.reduce((most, elevation) => Math.max(most, -elevation), 0);
    const suspect = { scenario: changed, now, index, cycle, rows: evidence.rows, deepest, variable };
    const { cause, evidence: why, remedy, edits } = findCause(suspect);
    const message = `${label} diverged in cycle ${cycle}: ${found}. Likely cause: ${why}. ${remedy}`;
    listener({ type: 'diverged', method: label, cycle, stage, cause, message, edits, place });
  }

  async function reportAnalysis(
    cycle: number,
    milliseconds: number,
    { minimisation, warning }: AnalysisReport,
    scored: StagedScores | undefined,
  ): Promise<void> {
    if (!scored) throw new RangeError(`${label}, cycle ${cycle}: the analysis is not complete`);
    listener({ type: 'analysis', method: label, cycle, milliseconds });
    if (warning) listener({ type: 'warning', message: `${label}, cycle ${cycle}: ${warning}` });
    const diagnostics: CycleDiagnostics = {
      method: label,
      cycle,
      timeSeconds: (cycle + 1) * scenario.experiment.window,
      ...(await scored(minimisation)),
      minimisation,
      milliseconds: { forecast: forecastMilliseconds, analysis: milliseconds },
    };
    const changes = now.interventions.filter((each) => each.cycle <= cycle);
    const implausible = plausibility.judge(diagnostics, changes);
    if (implausible) {
      diverge(cycle, implausible.stage, implausible.found);
      return;
    }
    evidence.add(diagnostics);
    listener({ type: 'diagnostics', diagnostics });
    for (const message of watchFilter(diagnostics, now.experiment.spinup)) listener({ type: 'warning', message });
  }

  async function suspend(): Promise<void> {
    scores?.dispose();
    scores = undefined;
    kept?.dispose();
    kept = undefined;
    explanation.reset();
    await method.suspend();
  }

  async function resume(next: Scenario): Promise<void> {
    const settings = next.methods[index];
    const differs = JSON.stringify(settings) !== JSON.stringify(now.methods[index]);
    now = next;
    await method.resume(() => parts.createMethod(settings, taken));
    propagator = await parts.propagatorOf(movedStates(method).members);
    scores = await parts.createScores(method, taken, pastTruths);
    if (differs) watchFilter = filterWatch();
  }

  /** What looks at the method on its way, shown to it first. */
  function shown(frames: ForecastFrames | undefined): ForecastFrames | undefined {
    if (!frames || !method.carried) return frames;
    return {
      ...frames,
      take(at, share) {
        method.carried?.show();
        return frames.take(at, share);
      },
    };
  }

  /** What is observed of the method on its way, as it is then. */
  function framesInTime(moments: ObservedMoments): ForecastFrames | undefined {
    const inTime = moments.filter(({ isInTime }) => isInTime);
    // Networks that differ in what others compare them with have moments of their own at one time.
    const shares = [...new Set(inTime.map(({ share }) => share))];
    if (shares.length === 0) return undefined;
    return {
      count: shares.length,
      shares,
      exact: true,
      take(at) {
        for (const { share, moment } of inTime) {
          if (share === shares[at]) method.departures.see(method.state, moment);
        }
      },
    };
  }

  function onlookersOf({ frames, moments }: ForecastWishes): Onlookers {
    return [shown(frames), framesInTime(taken.timed(moments))];
  }

  /** Queues a copy of the forecast where cells may fall dry. */
  function keepForecast(): void {
    if (!assimilates || model.dryDepth === undefined) return;
    const { state } = movedStates(method);
    kept ??= backend.allocate(`${label}.forecast`, 'real', state.length);
    backend.copy(state, kept);
  }

  function measuring(): Diagnostics {
    if (!scores) throw new RangeError(`${label} is suspended or disposed of`);
    return scores;
  }

  return {
    method,
    evidence,
    explanation,
    get divergedAt() {
      return divergedAt;
    },
    async configure(next) {
      const settings = next.methods[index];
      const differs = JSON.stringify(settings) !== JSON.stringify(now.methods[index]);
      if (!differs || divergedAt !== undefined) {
        now = next;
        return;
      }
      await suspend();
      await resume(next);
    },
    suspend,
    resume,
    pastTruths,
    keepPast() {
      const { past } = method;
      if (!past) return;
      past.keep();
      pastTruths.keep(past.lag);
    },
    receive(forcing) {
      const { state, members } = movedStates(method);
      forcing.applyToEnsemble(state, members);
      if (forcing.lowers) propagator.repair(state);
    },
    leaveOut(cycle) {
      divergedAt = cycle;
    },
    canTake(along, wishes) {
      const { state } = movedStates(method);
      const { window } = scenario.experiment;
      return propagator.canQueueTogether(state, along.truth, window, onlookersOf(wishes), along.onlookers);
    },
    async forecast(wishes, along) {
      const { cycle } = wishes;
      const watch = createStopwatch(backend);
      watch.start();
      const { state } = movedStates(method);
      if (method.beginning) backend.copy(state, method.beginning);
      const { window } = scenario.experiment;
      const onlookers = onlookersOf(wishes);
      const [queued, ofTruth] = along
        ? await propagator.queueTogether(state, along.truth, window, onlookers, along.onlookers)
        : [await propagator.queue(state, window, ...onlookers)];
      if (ofTruth) along?.take(ofTruth);
      const { complete } = queued;
      if (!complete) method.carried?.show();
      watch.stop();
      return {
        complete:
          complete &&
          (() =>
            timed(watch, async () => {
              await complete();
              method.carried?.show();
            })),
        async report() {
          try {
            await queued.conclude(whereIn(label, cycle));
          } catch (error) {
            if (!(error instanceof DivergenceError)) throw error;
            const { divergence } = error;
            const whose = divergence.member < method.members ? '' : ', which is its own forecast after the members’';
            diverge(cycle, 'forecast', `in its forecast ${describeDivergence(divergence)}${whose}`, divergence);
            return;
          }
          forecastMilliseconds = await watch.milliseconds();
          listener({ type: 'forecast', method: label, cycle, milliseconds: forecastMilliseconds });
        },
      };
    },
    async analyse(cycle, hasObservations, moments) {
      for (const { moment, isInTime } of taken.timed(moments)) {
        if (!isInTime) method.departures.see(method.state, moment);
      }
      if (hasObservations) {
        taken.follow();
        method.departures.compute(method.state);
      }
      const of = { method: label };
      tracer.timeNow('diagnostics', () => measuring().forecast(cycle, hasObservations), of);
      const watch = createStopwatch(backend);
      watch.start();
      if (hasObservations) keepForecast();
      const analysis: QueuedAnalysis = hasObservations
        ? await method.analyse(cycle)
        : { report: () => Promise.resolve({}) };
      /** What follows when the state is the analysis. */
      const finish = (): StagedScores => {
        if (hasObservations && assimilates) {
          propagator.repair(movedStates(method).state, kept);
          for (const earlier of method.past?.kept ?? []) propagator.repair(earlier);
          method.carried?.show();
        }
        watch.stop();
        return tracer.timeNow('diagnostics', () => measuring().analysis(hasObservations), of);
      };
      const { complete } = analysis;
      let scored: StagedScores | undefined;
      if (complete) watch.stop();
      else scored = finish();
      return {
        complete:
          complete &&
          (async () => {
            watch.start();
            await complete();
            scored = finish();
          }),
        async report() {
          try {
            await reportAnalysis(cycle, await watch.milliseconds(), await analysis.report(), scored);
          } catch (error) {
            if (!(error instanceof DivergenceError)) throw error;
            const { divergence } = error;
            diverge(
              cycle,
              'analysis',
              `in the trajectory of its analysis ${describeDivergence(divergence)}`,
              divergence,
            );
          }
        },
      };
    },
    dispose() {
      explanation.dispose();
      scores?.dispose();
      kept?.dispose();
      pastTruths.dispose();
      method.dispose();
    },
  };
}
