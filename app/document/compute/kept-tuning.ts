/** The variants of kernels that were chosen on this machine, kept in the page's database: a record a device. */
import { createStore, get, set } from 'idb-keyval';
import type { TuningStore } from '../../../engine/index.ts';

const DATABASE = 'shoal.tuning';
const STORE = 'devices';

/** What of the database is used, so that a test can give another. */
export interface TuningDatabase {
  get(device: string): Promise<unknown>;
  set(device: string, record: unknown): Promise<void>;
}

function pageDatabase(): TuningDatabase {
  const store = createStore(DATABASE, STORE);
  return { get: (device) => get<unknown>(device, store), set: (device, record) => set(device, record, store) };
}

/** A database that does not answer is not waited for: what was chosen saves less than that. */
const PATIENCE_MILLISECONDS = 250;

function orNothing(answer: Promise<unknown>): Promise<unknown> {
  const patience = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE_MILLISECONDS);
  });
  return Promise.race([answer, patience]);
}

/** @param open the database, which a browser may refuse: nothing is kept then */
export function createKeptTuning(open: () => TuningDatabase = pageDatabase): TuningStore {
  return {
    async find(device) {
      try {
        return await orNothing(open().get(device));
      } catch {
        return undefined;
      }
    },
    async keep(record) {
      try {
        await open().set(record.device, record);
      } catch {
        // What cannot be kept is measured again.
      }
    },
  };
}
