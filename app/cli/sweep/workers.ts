/** The processes that compute cases: how many there are, what each may hold, and where they compute. */
import { availableParallelism } from 'node:os';
import type { Backend, BackendName, GroupLimits, NumbersOrigin, SweepPlan } from '../../../engine/index.ts';
import { availableMemory } from '../available-memory.ts';
import type { Context } from '../context.ts';
import { openBackend } from '../select-backend.ts';
import { versionsOf } from '../versions.ts';

/** Share of the memory that there is that the experiments of all workers may hold together. */
const MEMORY_SHARE = 0.6;
/** Groups for each worker, at least, if there are cases enough: the last ones should not wait for one. */
const GROUPS_A_WORKER = 3;

/**
 * Where the cases will be computed, by the backend itself.
 *
 * @param check looks at the backend while it is open
 * @throws BackendError; what the check throws
 */
export async function originOf(
  { installation }: Context,
  name: BackendName,
  check: (backend: Backend) => void = () => undefined,
): Promise<NumbersOrigin> {
  const backend = await openBackend(name, { bundleFolder: installation.bundleFolder, threads: 1 });
  const { adapter } = backend;
  try {
    check(backend);
  } finally {
    backend.dispose();
  }
  return { backend: { name, adapter }, versions: versionsOf(installation) };
}

/**
 * @param asked for; undefined where nobody says
 * @param bytes of the largest case
 * @returns processes: one for each core, as far as there is memory for the largest case in each of them
 */
export function workersOf(asked: number | undefined, { origin, bytes }: Pick<SweepPlan, 'origin' | 'bytes'>): number {
  if (asked !== undefined) return asked;
  // A device is one, however many ask it.
  if (origin.backend.name === 'webgpu') return 1;
  const room = Math.floor((MEMORY_SHARE * availableMemory()) / bytes);
  return Math.max(1, Math.min(availableParallelism(), room));
}

/** @returns what a group of cases that run as one experiment may have, so that all workers have work, and room */
export function groupLimits(cases: number, workers: number): Required<GroupLimits> {
  return {
    most: Math.max(1, Math.floor(cases / (GROUPS_A_WORKER * workers))),
    bytes: (MEMORY_SHARE * availableMemory()) / workers,
  };
}
