/**
 * What a run needs to go on after its page broke down: kept in the page's database, which outlives the process. Under
 * Electron the page is then loaded with `?recovered`; `takeRecovery` gives what was kept.
 */
import { createStore, del, get, set } from 'idb-keyval';
import type { Checkpoint, Scenario } from '../../../engine/index.ts';

export interface Recovery {
  readonly scenario: Scenario;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly checkpoint: Checkpoint;
  /** Where the scenario's lesson stood; left out while it was not on screen. */
  readonly lesson?: KeptStep | undefined;
}

/** A step of a lesson that was on screen. */
export interface KeptStep {
  /** From 1. */
  readonly step: number;
  /** Whether somebody had changed what the step shows. */
  readonly tried: boolean;
  /** The scenario that the lesson began with, as its file has it. */
  readonly base: Readonly<Record<string, unknown>>;
}

/** One record, replaced by each checkpoint; the page's database, or a stand-in. */
export interface RecoveryStore {
  put(recovery: Recovery): Promise<void>;
  get(): Promise<Recovery | undefined>;
  clear(): Promise<void>;
}

const DATABASE = 'shoal.recovery';
const STORE = 'run';
const KEY = 'latest';
/** Checkpoints come more often than they need to be written. */
const INTERVAL_MILLISECONDS = 10_000;
/** A larger run begins again: writing it every few seconds would cost more than it saves. */
const LARGEST_CHECKPOINT_BYTES = 256 * 2 ** 20;

/** In the page's database. */
function createRecoveryStore(): RecoveryStore {
  const store = createStore(DATABASE, STORE);
  return {
    put: (recovery) => set(KEY, recovery, store),
    get: () => get<Recovery>(KEY, store),
    clear: () => del(KEY, store),
  };
}

/**
 * @param lessonNow where the lesson stands: looked at when something is written
 * @returns for `openSession`'s `onCheckpoint`: keeps the latest, quietly, one at a time
 */
export function keepRecovery(
  files: Recovery['files'],
  lessonNow: () => KeptStep | undefined = () => undefined,
  store: RecoveryStore = createRecoveryStore(),
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
    // Where nothing can be kept the run goes on all the same; it then starts again from the beginning.
    const writing = store.put({ scenario, files, checkpoint, lesson: lessonNow() }).catch(() => undefined);
    void writing.then(() => {
      isWriting = false;
    });
  };
}

/** Whether a page was loaded to go on with what the last one has left. */
export function isRecovering(address: string): boolean {
  return new URLSearchParams(address).has('recovered');
}

/** What the page that broke down has left, where this page was loaded to go on with it. It is given once. */
export async function takeRecovery(
  address: string = location.search,
  store: RecoveryStore = createRecoveryStore(),
): Promise<Recovery | undefined> {
  if (!isRecovering(address)) return undefined;
  try {
    const found = await store.get();
    await store.clear();
    return found;
  } catch {
    return undefined;
  }
}
