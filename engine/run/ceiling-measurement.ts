/**
 * Measures the machine's ceilings beside a run, and which variants of the kernels of runs it should take the next time: in parts, on
 * a backend of its own, so that neither the run's numbers nor its kernel times know of it. What fails here is given up; a run never
 * fails for it.
 */
import type { Backend } from '../compute/backend.ts';
import type { Ceilings } from '../compute/ceilings.ts';
import { mergeTuning, readTuningRecord, tuneByParts, untunedTasks } from '../compute/tuning/index.ts';
import type { TuningStore } from '../compute/tuning/index.ts';
import { measureCeilingsByParts } from '../performance/ceilings/index.ts';
import { tuningTasks } from '../performance/tuning-tasks.ts';

export interface CeilingMeasurement {
  /** Measures one part. @returns the ceilings after the last one, `given-up` where they cannot be had */
  next(): Promise<Ceilings | 'unfinished' | 'given-up'>;
  /** Frees what was taken; after the last part that is done by itself. */
  stop(): Promise<void>;
}

/** Of all parts of the tuning: a run that somebody watches is held up for no longer. */
const TUNING_MILLISECONDS = 300;

/** The ceilings, then the tuning of what is not known yet. Tuning that fails leaves things as they are. */
async function* measureByParts(backend: Backend, store: TuningStore | undefined): AsyncGenerator<void, Ceilings, void> {
  const ceilings = yield* measureCeilingsByParts(backend);
  const { tuning } = backend;
  if (!tuning || tuning.isSoftware || !store) return ceilings;
  try {
    const known = readTuningRecord(await store.find(tuning.device), tuning.device);
    const tasks = untunedTasks(known, tuningTasks(backend.name, 'runs'));
    if (tasks.length > 0) {
      const { record } = yield* tuneByParts(backend, tasks, { budgetMilliseconds: TUNING_MILLISECONDS });
      await store.keep(mergeTuning(known, record));
    }
  } catch {
    // A device that was lost is reported by whoever computes on it.
  }
  return ceilings;
}

/**
 * @param open a backend that nothing else uses, undefined where there is no room for the measurement
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

/**
 * Measures part after part at the end of a row of work, so that what is asked for meanwhile waits for one part at most.
 *
 * @param inTurn does something after all that is in the row
 * @param breathe lets messages in before a part
 * @param isOver whether nobody waits for the outcome any more
 * @param emit takes the ceilings; a measurement that is given up reports nothing
 */
export function measureInTurn(
  measurement: CeilingMeasurement,
  inTurn: (work: () => Promise<void>) => Promise<void>,
  breathe: () => Promise<void>,
  isOver: () => boolean,
  emit: (ceilings: Ceilings) => void,
): void {
  const part = async (): Promise<void> => {
    await breathe();
    if (isOver()) return;
    const measured = await measurement.next();
    if (isOver() || measured === 'given-up') return;
    if (measured === 'unfinished') void inTurn(part);
    else emit(measured);
  };
  void inTurn(part);
}
