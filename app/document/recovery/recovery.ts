/**
 * What a run needs to continue after its page broke down: kept in the page's database, which outlives the process. Under
 * Electron the page is then loaded with `?recovered`; `takeRecovery` gives what was kept.
 */
import { memoryOf, startService } from '../../../engine/index.ts';
import type { Checkpoint, Scenario, Service, ServicePort } from '../../../engine/index.ts';
import { copyCheckpoint } from '../run/copy-checkpoint.ts';
import { workerPort } from '../../workers/worker-port.ts';
import { createDatabaseStore } from './recovery-store.ts';
import type { KeepingCommands, KeptStep, Recovery, RecoveryStore } from './recovery-store.ts';

/** Checkpoints come more often than they need to be written. */
const INTERVAL_MILLISECONDS = 10_000;
/** A larger run begins again: writing it every few seconds would cost more than it saves. */
const LARGEST_CHECKPOINT_BYTES = 256 * 2 ** 20;

function startWorker(): ServicePort<KeepingCommands> {
  return workerPort(
    new Worker(new URL('./keeping-worker.ts', import.meta.url), { type: 'module', name: 'shoal keeper' }),
  );
}

/**
 * The page's database. A worker writes to it, from the first checkpoint on; where that broke down another is started for the next.
 * The worker is given a copy, made piece by piece: to post the checkpoint itself would copy all of it at once.
 * @param database for what needs no worker
 */
export function createRecoveryStore(
  start: () => ServicePort<KeepingCommands> = startWorker,
  database: RecoveryStore = createDatabaseStore(),
): RecoveryStore {
  let worker: Service<KeepingCommands> | undefined;
  const open = (): Service<KeepingCommands> =>
    startService<KeepingCommands>(start(), undefined, () => {
      worker = undefined;
    });
  let cleared = 0;
  return {
    async put(recovery) {
      const before = cleared;
      const checkpoint = await copyCheckpoint(recovery.checkpoint);
      // Another run has begun while it was copied.
      if (cleared !== before) return;
      const memory = memoryOf(Object.values(checkpoint.arrays));
      await (worker ??= open()).call('put', { ...recovery, checkpoint }, memory);
    },
    get: () => database.get(),
    clear() {
      cleared += 1;
      // After what the worker is writing, if it is.
      return worker?.call('clear', undefined) ?? database.clear();
    },
  };
}

/**
 * @param lessonNow the position in the lesson: read when something is written
 * @returns keeps the latest checkpoint, quietly, one at a time
 */
export function keepRecovery(
  files: Recovery['files'],
  lessonNow: () => KeptStep | undefined,
  store: RecoveryStore,
  now: () => number = () => performance.now(),
): (checkpoint: Checkpoint, scenario: Scenario) => void {
  let isWriting = false;
  let written = -Infinity;
  // What another run left must not be taken for this one's, which may go down before its first checkpoint.
  void store.clear().catch(() => undefined);
  return (checkpoint, scenario) => {
    const bytes = Object.values(checkpoint.arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (isWriting || now() - written < INTERVAL_MILLISECONDS || bytes > LARGEST_CHECKPOINT_BYTES) return;
    isWriting = true;
    written = now();
    // If nothing can be kept the run continues all the same; it then starts again from the beginning.
    const writing = store.put({ scenario, files, checkpoint, lesson: lessonNow() }).catch(() => undefined);
    void writing.then(() => {
      isWriting = false;
    });
  };
}

/** Whether a page was loaded to continue with what the last one has left. */
export function isRecovering(address: string): boolean {
  return new URLSearchParams(address).has('recovered');
}

/** What the page that broke down has left, where this page was loaded to continue with it. It is given once. */
export async function takeRecovery(address: string, store: RecoveryStore): Promise<Recovery | undefined> {
  if (!isRecovering(address)) return undefined;
  try {
    const found = await store.get();
    await store.clear();
    return found;
  } catch {
    return undefined;
  }
}
