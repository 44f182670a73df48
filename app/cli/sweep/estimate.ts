/** What a sweep will take, reported before it starts: cases, groups, time and memory. Times are good to a factor of about three. */
import { durationText, groupCases } from '../../../engine/index.ts';
import type { BackendName, SweepPlan } from '../../../engine/index.ts';

/** The estimate of `wasm` is of two threads, and a worker has one. */
export const THREADS_OF_ESTIMATE = 2;

/** @returns how many times longer a case takes in one of several processes than it is estimated to by itself */
export function slowdown(backend: BackendName, workers: number): number {
  return backend === 'wasm' && workers > 1 ? THREADS_OF_ESTIMATE : 1;
}

export interface SweepEstimate {
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
