/**
 * Measures the machine's ceilings beside a run, and which variants of the kernels of runs it should take the next time: in parts, on
 * a backend of its own, so that it changes neither the run's numbers nor its kernel times. What fails here is given up; a run never
 * fails for it.
 */
import type { Backend, BackendName, Ceilings } from '../compute/backend.ts';
import { mergeTuning, readTuningRecord, tuneByParts, untunedTasks } from '../compute/tuning/index.ts';
import type { TuningStore, TuningTask } from '../compute/tuning/index.ts';
import { measureCeilingsByParts } from '../performance/ceilings/index.ts';
import { convolutionTuning } from '../operators/convolution/index.ts';
import { recursiveFilterTuning } from '../operators/recursive-filter/index.ts';

/** What a room tunes. */
type RoomTasks = Readonly<Record<Exclude<BackendName, 'reference'>, readonly TuningTask[]>>;

/** Rooms whose kernels runs are made of, and those that are there to be applied and measured; quick ones first. */
const ROOMS: Readonly<Record<'ofRuns' | 'others', readonly RoomTasks[]>> = {
  ofRuns: [recursiveFilterTuning],
  others: [convolutionTuning],
};

/** @param use all kernels, or those alone that runs are made of */
export function tuningTasks(backend: BackendName, use: 'all' | 'runs' = 'all'): readonly TuningTask[] {
  if (backend === 'reference') return [];
  const rooms = use === 'all' ? [...ROOMS.ofRuns, ...ROOMS.others] : ROOMS.ofRuns;
  return rooms.flatMap((room) => room[backend]);
}

export interface CeilingMeasurement {
  /** Opens what it measures on. It may wait for long, but for nothing that the run does. */
  open(): Promise<void>;
  /** Measures one part, once it is open. @returns the ceilings after the last one, `given-up` if they are not available */
  next(): Promise<Ceilings | 'unfinished' | 'given-up'>;
  /** Frees what was taken; after the last part that is done by itself. */
  stop(): Promise<void>;
}

/** Time of all parts of the tuning: a watched run is delayed for no longer. */
const TUNING_MILLISECONDS = 300;

/** The ceilings, then the tuning of what is not known yet. Tuning that fails leaves things as they are. */
async function* measureByParts(
  backend: Backend,
  store: TuningStore | undefined,
): AsyncGenerator<unknown, Ceilings, void> {
  const ceilings = yield* measureCeilingsByParts(backend);
  const { tuning } = backend;
  if (!tuning || tuning.isSoftware || !store) return ceilings;
  try {
    const known = readTuningRecord(await store.find(tuning.device), tuning.device);
    const tasks = untunedTasks(known, tuningTasks(backend.name, 'runs'));
    if (tasks.length > 0) {
      const { record } = yield* tuneByParts(backend, tasks, { budgetMilliseconds: TUNING_MILLISECONDS });
      // A database may take its time, and what it does not keep is measured again: nobody waits for it.
      void store.keep(mergeTuning(known, record)).catch(() => undefined);
    }
  } catch {
    // A device that was lost is reported by whoever computes on it.
  }
  return ceilings;
}

/**
 * @param open a backend that nothing else uses, undefined if there is no room for the measurement
 * @param store where choices of variants are kept; without one nothing is tuned
 */
export function createCeilingMeasurement(
  open: () => Promise<Backend | undefined>,
  store?: TuningStore,
): CeilingMeasurement {
  let backend: Backend | undefined;
  let parts: ReturnType<typeof measureByParts> | undefined;
  let over = false;
  const stop = async (): Promise<void> => {
    over = true;
    // The measurement ends with an error where the device is gone; there is nothing left to free then.
    await parts?.return(undefined as never).catch(() => undefined);
    backend?.dispose();
    backend = undefined;
  };
  return {
    async open() {
      try {
        backend ??= await open();
      } catch {
        over = true;
      }
      if (over) await stop();
    },
    async next() {
      try {
        if (over) return 'given-up';
        backend ??= await open();
        if (!backend || over) {
          await stop();
          return 'given-up';
        }
        parts ??= measureByParts(backend, store);
        const part = await parts.next();
        if (!part.done) return 'unfinished';
        await stop();
        return part.value;
      } catch {
        await stop();
        return 'given-up';
      }
    },
    stop,
  };
}

/** Share of the time of a run that continues which the measurement beside it takes at most. */
const SHARE_OF_RUN = 0.05;

/** However slow the machine is, a part follows on another within that time, ms; and what held up nobody needs no rest. */
const LONGEST_REST = 1000;
const LEAST_REST = 20;

/** A run that has computed no cycle for so long has nothing to do, ms. */
const IDLE = 250;

/** The run that is measured beside. */
export interface MeasuredRun {
  /** Does something after all that is in the row of its work. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Lets messages in before a part. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** Cycles that were computed so far. */
  readonly cycles: () => number;
  /** Whether nobody waits for the outcome any more. */
  readonly isOver: () => boolean;
}

/**
 * Measures part after part at the end of a row of work, so that what is asked for meanwhile waits for one part at most. Where the
 * run has nothing to do they follow each other; where it continues it is held up for a small share of its time.
 *
 * @param emit takes the ceilings; a measurement that is given up reports nothing
 */
export function measureInTurn(
  measurement: CeilingMeasurement,
  { inTurn, yieldToEventLoop, cycles, isOver }: MeasuredRun,
  emit: (ceilings: Ceilings) => void,
): void {
  let seen = cycles();
  let seenAt = performance.now();
  /** When the run has had its share of the time since the last part. */
  let due = 0;
  const part = async (): Promise<void> => {
    await yieldToEventLoop();
    if (isOver()) return;
    const begun = performance.now();
    if (cycles() !== seen) seenAt = begun;
    seen = cycles();
    if (begun - seenAt < IDLE && begun < due) {
      setTimeout(() => void inTurn(part), Math.min(IDLE, due - begun));
      return;
    }
    const measured = await measurement.next();
    const now = performance.now();
    const rest = (now - begun) / SHARE_OF_RUN;
    due = rest < LEAST_REST ? now : now + Math.min(LONGEST_REST, rest);
    if (isOver() || measured === 'given-up') return;
    if (measured === 'unfinished') void inTurn(part);
    else emit(measured);
  };
  void measurement.open().then(() => inTurn(part));
}
