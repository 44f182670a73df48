/** The tuning of a device that is used for the first time, if there is enough work to come for it to pay. */
import { mergeTuning, occupy, readTuningRecord, tune, tuningTasks, untunedTasks } from '../../../engine/index.ts';
import type { Backend, TuningFindings, TuningOptions, TuningRecord, TuningTask } from '../../../engine/index.ts';
import { describeFailure } from '../failure.ts';
import type { Terminal } from '../context.ts';
import { openBackend, type BackendPlace } from '../select-backend.ts';
import { createTuningFiles, type TuningFiles } from './store.ts';

/** Tuning takes a second: work of this length gives it back where kernels gain a few per cent by it. */
export const WORTH_TUNING_SECONDS = 60;

/** A GPU that was idle is slow at first, and another at every moment. */
const WAKING_MILLISECONDS = 200;

/** Tunes a backend that has nothing else to do. @throws BackendError where it has nothing to tune */
export async function tuneAwake(
  backend: Backend,
  tasks: readonly TuningTask[],
  options?: TuningOptions,
): Promise<TuningFindings> {
  if (backend.name === 'webgpu') await occupy(backend, WAKING_MILLISECONDS);
  return tune(backend, tasks, options);
}

/** Keeps a record for the next time. What cannot be kept is said, and is found again then. */
export async function keepTuning(files: TuningFiles, record: TuningRecord, terminal: Terminal): Promise<void> {
  try {
    terminal.note(`kept: ${await files.keep(record)}`);
  } catch (error) {
    terminal.note(`the choices are not kept: ${describeFailure(error).lines.join('; ')}`);
  }
}

/**
 * Tunes what of the tasks is not known yet on a backend that has nothing else to do, unless its device is simulated. The choices
 * hold for it from now on, and are kept. What fails is said, and the defaults stay.
 */
export async function tuneOnFirstUse(
  backend: Backend,
  tasks: readonly TuningTask[],
  terminal: Terminal,
  files: TuningFiles = createTuningFiles(),
): Promise<void> {
  const { tuning } = backend;
  if (!tuning || tuning.isSoftware) return;
  const known = readTuningRecord(await files.find(tuning.device), tuning.device);
  const missing = untunedTasks(known, tasks);
  if (missing.length === 0) return;
  try {
    const { record, milliseconds } = await tuneAwake(backend, missing);
    const seconds = (milliseconds / 1000).toFixed(1);
    terminal.note(`${tuning.device}: kernels tuned, once, in ${seconds} s; shoal bench --tune does it again`);
    await keepTuning(files, mergeTuning(known, record), terminal);
  } catch (error) {
    terminal.note(`the kernels could not be tuned, the defaults are taken: ${describeFailure(error).lines.join('; ')}`);
  }
}

/**
 * Tunes what a run will compute on, where it is used for the first time: the backend itself, or for one whose run has another of
 * its kind in a thread, one like that.
 */
export async function tuneForRun(backend: Backend, place: BackendPlace, terminal: Terminal): Promise<void> {
  const tasks = tuningTasks(backend.name, 'runs');
  if (backend.name === 'webgpu') {
    await tuneOnFirstUse(backend, tasks, terminal);
    return;
  }
  const like = await openBackend(backend.name, place);
  try {
    await tuneOnFirstUse(like, tasks, terminal);
  } finally {
    like.dispose();
  }
}
