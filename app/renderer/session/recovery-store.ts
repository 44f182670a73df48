/** Where a run that is cut off is kept: one record in the page's database. */
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

const DATABASE = 'shoal.recovery';
const STORE = 'run';
const KEY = 'latest';

/** One record, replaced by each checkpoint; the page's database, or a stand-in. */
export interface RecoveryStore {
  put(recovery: Recovery): Promise<void>;
  get(): Promise<Recovery | undefined>;
  clear(): Promise<void>;
}

/** In the database of the page, whichever of its threads asks. */
export function createDatabaseStore(): RecoveryStore {
  const store = createStore(DATABASE, STORE);
  return {
    put: (recovery) => set(KEY, recovery, store),
    get: () => get<Recovery>(KEY, store),
    clear: () => del(KEY, store),
  };
}
