/**
 * What the page has kept in its database beside itself: writing a checkpoint packs all of it in one piece, which takes longer than
 * user input may wait. Here are the calls, and the worker's side of them.
 */
import { serveCalls, type HostPort } from '../../../engine/index.ts';
import { createDatabaseStore, type Recovery, type RecoveryStore } from './recovery-store.ts';

// A type, not an interface: it has to be a record of functions.
export type KeepingCommands = {
  readonly put: (recovery: Recovery) => Promise<void>;
  readonly clear: (nothing: undefined) => Promise<void>;
};

/** Keeps what comes over a port. */
export function serveKeeping(port: HostPort<KeepingCommands>, store: RecoveryStore = createDatabaseStore()): void {
  serveCalls<KeepingCommands>(port, { put: (recovery) => store.put(recovery), clear: () => store.clear() });
}
