/**
 * Where a page keeps what would be lost with it, a run and changes that are not saved: a record each in the page's database; and the
 * worker's side of it, since writing a checkpoint packs all of it in one piece, which takes longer than user input may wait.
 */
import { createStore, del, get, set } from 'idb-keyval';
import { type Checkpoint, type Scenario, serveCalls, type HostPort } from '../../../engine/index.ts';

export interface Recovery {
  readonly scenario: Scenario;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly checkpoint: Checkpoint;
  /** The position in the scenario's lesson; omitted while it was not on screen. */
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
const DRAFT_KEY = 'draft';

/** One record, replaced by each checkpoint; the page's database, or a stand-in. */
export interface RecoveryStore {
  put(recovery: Recovery): Promise<void>;
  get(): Promise<Recovery | undefined>;
  clear(): Promise<void>;
}

/** Changes of a scenario that are in no file. */
export interface KeptDraft {
  /** The page that kept it: another page must not clear it. */
  readonly page: string;
  /** What ran, as its file would have it. */
  readonly run: Readonly<Record<string, unknown>>;
  /** Settings that were not applied; absent if all were. */
  readonly draft?: unknown;
  /** What the file holds. */
  readonly saved: unknown;
  /** The file, or where else the scenario came from. */
  readonly origin: {
    readonly name: string;
    readonly kind: 'bundled' | 'file' | 'run';
    readonly files: Readonly<Record<string, Uint8Array>>;
  };
}

/** One record, replaced as the changes continue. */
export interface DraftStore {
  put(draft: KeptDraft): Promise<void>;
  get(): Promise<KeptDraft | undefined>;
  /** @param page only what this page kept; whatever there is if absent */
  clear(page?: string): Promise<void>;
}

/** The changes in the database of the page. */
export function createDraftStore(): DraftStore {
  const store = createStore(DATABASE, STORE);
  const read = (): Promise<KeptDraft | undefined> => get<KeptDraft>(DRAFT_KEY, store);
  return {
    put: (draft) => set(DRAFT_KEY, draft, store),
    get: read,
    async clear(page) {
      if (page === undefined || (await read())?.page === page) await del(DRAFT_KEY, store);
    },
  };
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

// A type, not an interface: it has to be a record of functions.
export type KeepingCommands = {
  readonly put: (recovery: Recovery) => Promise<void>;
  readonly clear: (nothing: undefined) => Promise<void>;
};

/** Keeps what comes over a port. */
export function serveKeeping(port: HostPort<KeepingCommands>, store: RecoveryStore = createDatabaseStore()): void {
  serveCalls<KeepingCommands>(port, { put: (recovery) => store.put(recovery), clear: () => store.clear() });
}
