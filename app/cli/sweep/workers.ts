/** The processes that compute cases: how many there are, what each may hold, and where they compute. */
import { availableParallelism, totalmem } from 'node:os';
import type { Backend, BackendName, GroupLimits, NumbersOrigin, SweepPlan } from '../../../engine/index.ts';
import type { Context } from '../context.ts';
import { openBackend } from '../select-backend.ts';
import { versionsOf } from '../installation.ts';
import { durationText, groupCases } from '../../../engine/index.ts';

/** The estimate of `wasm` is of two threads, and a worker has one. */
export const THREADS_OF_ESTIMATE = 2;

/** @returns how many times longer a case takes in one of several processes than it is estimated to by itself */
export function slowdown(backend: BackendName, workers: number): number {
  return backend === 'wasm' && workers > 1 ? THREADS_OF_ESTIMATE : 1;
}

interface SweepEstimate {
  /** Groups of cases that share truth and observations. */
  readonly groups: number;
  /** With all workers. */
  readonly seconds: number;
  /** Memory of all workers together, each with the largest case, bytes. */
  readonly bytes: number;
}

export function estimateSweep(plan: SweepPlan, workers: number): SweepEstimate {
  const { seeds, seconds, sharedSeconds, origin, count, bytes } = plan;
  const groups = groupCases(plan, Array(count).keys());
  const each = groups.reduce((sum, group) => {
    const combinations = group.map((index) => Math.floor(index / seeds.length));
    const own = combinations.reduce((all, c) => all + seconds[c] - sharedSeconds[c], 0);
    return sum + own + sharedSeconds[combinations[0]];
  }, 0);
  return {
    groups: groups.length,
    seconds: (slowdown(origin.backend.name, workers) * each) / workers,
    bytes: bytes * workers,
  };
}

function counted(count: number, what: string, plural = `${what}s`): string {
  return `${count} ${count === 1 ? what : plural}`;
}

/** @returns all of it on one line */
export function describeEstimate(plan: SweepPlan, { groups, seconds, bytes }: SweepEstimate, workers: number): string {
  const combinations = plan.count / plan.seeds.length;
  return (
    `${plan.name}: ${counted(plan.count, 'case')} (${counted(combinations, 'combination')}, ${counted(plan.seeds.length, 'seed')}) ` +
    `in ${counted(groups, 'group')}, ${counted(workers, 'process', 'processes')}; ` +
    `${durationText(seconds)}, about ${Math.ceil(bytes / 2 ** 20)} MiB`
  );
}

/** Variable with the memory of a Slurm task on this node, MiB. */
const SLURM_MEMORY = 'SLURM_MEM_PER_NODE';

/** @returns bytes */
export function availableMemory(environment: NodeJS.ProcessEnv = process.env): number {
  const bounds = [
    totalmem(),
    // Of a control group; 0 or beyond all machines if there is none.
    process.constrainedMemory(),
    Number(environment[SLURM_MEMORY] ?? 0) * 2 ** 20,
  ];
  return Math.min(...bounds.filter((bytes) => bytes > 0));
}

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
