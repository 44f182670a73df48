/**
 * One cycle of an experiment, queued: truth and methods through the window, what is observed of the truth, and the analysis of
 * each method. The device is waited for in its middle only where what is queued depends on what it finds: with "auto" steps,
 * and in a minimisation that may take more iterations than lately.
 */
import { movedStates, type Method, type MethodContext } from '../methods/index.ts';
import { queueWhole, type ForecastFrames, type QueuedForecast } from '../models/index.ts';
import { whereIn, type ForecastWishes, type MethodRun, type QueuedPart } from './method-run.ts';
import { withCause } from './divergence-cause.ts';
import type { HostPart, Tracer } from './cycle-trace.ts';
import type { QueuedCycle } from './cycles.ts';
import type { ExperimentObserver } from './events.ts';
import type { InterventionOf } from '../scenario/index.ts';
import type { Forcing } from './forcing.ts';
import type { Parts } from './parts.ts';
import type { CycleObservations } from './truth-observer.ts';

export interface CycleParts extends Pick<
  Parts,
  'backend' | 'scenario' | 'files' | 'hidden' | 'hasOneModel' | 'observer' | 'driving'
> {
  readonly methodRuns: readonly MethodRun[];
  readonly forcing: Forcing;
  /** What interventions let fall at the start of a cycle. */
  readonly dropsAt: (cycle: number) => readonly InterventionOf<'drop'>[];
  readonly onlooker: ExperimentObserver | undefined;
  /** Whether forecasts are kept, to be asked about. */
  readonly keepsForecasts: () => boolean;
  readonly tracer: Tracer;
  /** @throws AllDivergedError when no method takes part any more */
  readonly goOn: (cycle: number) => void;
}

export interface RecordedCycle extends QueuedCycle {
  /**
   * Emits the events of the cycle, when a `collect` has followed.
   *
   * @throws DivergenceError when the truth has diverged, AllDivergedError when the last method has
   */
  report(): Promise<void>;
  /** Known when it is reported. */
  readonly observations: CycleObservations | undefined;
}

type Reporting = () => void | Promise<void>;

function isTaking({ divergedAt }: MethodRun): boolean {
  return divergedAt === undefined;
}

/** What a cycle begins with is known by its number: it can be repeated. */
type RepeatedParts = Pick<CycleParts, 'backend' | 'scenario' | 'driving' | 'forcing' | 'dropsAt'> &
  Pick<Parts, 'propagatorOf' | 'truth'>;

/** @returns the forecast of a cycle, for states that have come to its start once more */
export function repeatedForecast({
  backend,
  scenario,
  driving,
  forcing,
  dropsAt,
  propagatorOf,
  truth,
}: RepeatedParts): MethodContext['window']['repeat'] {
  return async (state, cycle, frames) => {
    const members = state.length / truth.length;
    const propagator = await propagatorOf(members);
    propagator.repair(state);
    driving.drive(driving.intervalOf(cycle));
    await forcing.draw(cycle, dropsAt(cycle), [members]);
    forcing.applyToEnsemble(state, members);
    if (forcing.lowers) propagator.repair(state);
    return queueWhole(backend, propagator, state, scenario.experiment.window, frames);
  };
}

export async function recordCycle(parts: CycleParts, cycle: number): Promise<RecordedCycle> {
  const { backend, scenario, files, hidden, hasOneModel, observer, methodRuns, forcing, onlooker, tracer } = parts;
  const { dropsAt, keepsForecasts, goOn } = parts;
  const unreported: Reporting[] = [];
  let observations: CycleObservations | undefined;
  let hasWaited = false;

  const framesOf = (who: Method | undefined): ForecastFrames | undefined => {
    const window = onlooker?.window;
    return window && { count: window.count, take: (index, share) => window.take(who, index, share) };
  };
  /** At once where everything is known at once: nothing is then made of what has diverged. */
  const report = async (reporting: Reporting): Promise<void> => {
    if (backend.immediate) await reporting();
    else unreported.push(reporting);
  };
  /**
   * Queues a part of the cycle for each that takes part, completes what depends on the device after one wait for all of it, and
   * has each looked at when it is complete.
   */
  const queueEach = async (
    part: HostPart,
    queue: (methodRun: MethodRun) => Promise<QueuedPart>,
    look: (methodRun: MethodRun) => void | Promise<void>,
    before: readonly (() => Promise<void>)[] = [],
  ): Promise<void> => {
    const open = [...before];
    for (const methodRun of methodRuns.filter(isTaking)) {
      const of = { method: methodRun.method.label };
      const { complete, ...queued } = await tracer.time(part, () => queue(methodRun), of);
      const reporting = (): void | Promise<void> => (isTaking(methodRun) ? queued.report() : undefined);
      // Reported in the order of the methods, whichever of them is complete first.
      if (!backend.immediate) unreported.push(reporting);
      const finish = async (): Promise<void> => {
        if (complete) await tracer.time(part, complete, of);
        if (backend.immediate) await reporting();
        if (isTaking(methodRun)) await look(methodRun);
      };
      backend.submit();
      if (complete && !backend.immediate) open.push(finish);
      else await finish();
    }
    if (open.length > 0) {
      await backend.collect();
      hasWaited = true;
      for (const finish of open) await finish();
    }
    await report(() => goOn(cycle));
  };

  for (const methodRun of methodRuns.filter(isTaking)) methodRun.keepPast();
  const counts = new Set(methodRuns.map(({ method }) => movedStates(method).members));
  parts.driving.drive(parts.driving.intervalOf(cycle));
  await forcing.draw(cycle, dropsAt(cycle), counts);
  forcing.applyToTruth(hidden.state);
  if (forcing.lowers) hidden.propagator.repair(hidden.state);
  hidden.show();
  const following = await observer.follow(cycle);
  const { window } = scenario.experiment;
  const along = {
    truth: hidden.state,
    onlookers: [framesOf(undefined), ...following].map((frames) => hidden.shown(frames)),
    take: (queued: QueuedForecast) => (ofTruth = queued),
  };
  const wishesOf = ({ method }: MethodRun): ForecastWishes => ({
    cycle,
    moments: observer.momentsOf(cycle),
    frames: framesOf(method),
  });
  const carrier = hasOneModel
    ? methodRuns.filter(isTaking).find((run) => run.canTake(along, wishesOf(run)))
    : undefined;
  let ofTruth: QueuedForecast | undefined;
  if (!carrier) {
    ofTruth = await tracer.time('forecast', async () => {
      const queued = await hidden.propagator.queue(hidden.state, window, ...along.onlookers);
      if (backend.immediate) await queued.complete?.();
      return queued;
    });
    backend.submit();
  }
  await report(() => ofTruth?.conclude(whereIn('the truth', cycle)).catch(withCause(scenario, files)));

  await queueEach(
    'forecast',
    (methodRun) => {
      methodRun.receive(forcing);
      return methodRun.forecast(wishesOf(methodRun), methodRun === carrier ? along : undefined);
    },
    ({ method, explanation }) => {
      if (keepsForecasts()) explanation.keep(cycle);
      return onlooker?.forecast?.(method, cycle);
    },
    ofTruth?.complete && !backend.immediate ? [ofTruth.complete] : [],
  );
  hidden.show();
  const { plan, values } = await tracer.time('observation', () => observer.observe(cycle));
  await report(async () => {
    observations = { ...plan, values: await values };
  });
  await queueEach(
    'analysis',
    (methodRun) => methodRun.analyse(cycle, plan.count > 0, observer.momentsOf(cycle)),
    ({ method }) => onlooker?.analysis?.(method, cycle),
  );

  return {
    hasWaited,
    async report() {
      for (const reporting of unreported) await reporting();
    },
    get observations() {
      return observations;
    },
  };
}
