/** The tuning of a device that is used for the first time, where there is enough work to come for it to pay. */
import { readTuningRecord, tune, tuningTasks } from '../../../engine/index.ts';
import type { Backend, TuningFindings } from '../../../engine/index.ts';
import { describeFailure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { openBackend } from '../select-backend.ts';
import type { BackendPlace } from '../select-backend.ts';
import { createTuningStore } from './store.ts';
import type { TuningStore } from './store.ts';

/** Tuning takes a second: work of this length gives it back where kernels gain a few per cent by it. */
export const WORTH_TUNING_SECONDS = 60;

/** A device that is simulated by the processor compiles kernels for longer than all of them would gain. */
function isSoftware(backend: Backend): boolean {
  return 'adapterSummary' in backend && (backend.adapterSummary as { readonly software: boolean }).software;
}

/** Keeps a record for the next time. What cannot be kept is said, and is found again then. */
export async function keepTuning(store: TuningStore, { record }: TuningFindings, terminal: Terminal): Promise<void> {
  try {
    terminal.note(`kept: ${await store.keep(record)}`);
  } catch (error) {
    terminal.note(`the choices are not kept: ${describeFailure(error).lines.join('; ')}`);
  }
}

/**
 * Tunes a backend that has nothing else to do, unless its device is known, has nothing to tune, or is simulated. The choices hold
 * for it from now on, and are kept. What fails is said, and the defaults stay.
 */
export async function tuneOnFirstUse(backend: Backend, store: TuningStore, terminal: Terminal): Promise<void> {
  const { tuning } = backend;
  if (!tuning || isSoftware(backend)) return;
  if (readTuningRecord(await store.find(tuning.device), tuning.device)) return;
  const tasks = tuningTasks(backend.name);
  if (tasks.length === 0) return;
  try {
    const findings = await tune(backend, tasks);
    terminal.note(
      `${tuning.device}: kernels tuned, once, in ${(findings.milliseconds / 1000).toFixed(1)} s; shoal bench --tune does it again`,
    );
    await keepTuning(store, findings, terminal);
  } catch (error) {
    terminal.note(`the kernels could not be tuned, the defaults are taken: ${describeFailure(error).lines.join('; ')}`);
  }
}

/**
 * Tunes what a run will compute on, where it is used for the first time: the backend itself, or for one whose run has another of
 * its kind in a thread, one like that.
 */
export async function tuneForRun(backend: Backend, place: BackendPlace, terminal: Terminal): Promise<void> {
  const store = createTuningStore();
  if (backend.name === 'webgpu') {
    await tuneOnFirstUse(backend, store, terminal);
    return;
  }
  const like = await openBackend(backend.name, place);
  try {
    await tuneOnFirstUse(like, store, terminal);
  } finally {
    like.dispose();
  }
}
