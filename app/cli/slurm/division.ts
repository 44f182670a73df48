/** How a sweep is divided into tasks, and what they will have to do. */
import type { SweepPlan } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';
import { casesOfChunk, groupsOf } from '../sweep/chunk.ts';
import { taskSeconds } from './request.ts';
import type { Workload } from './request.ts';

/** Tasks of an array: as many as Slurm takes where nobody has changed it. */
const MOST_CHUNKS = 1000;
/** A task that is over sooner costs a cluster more than it is worth; one that lasts longer leaves others without work. */
const CHUNK_SECONDS = 300;

export interface Division {
  readonly chunkCount: number;
  readonly workload: Workload;
}

/**
 * @param cpus of a task
 * @param chunkSize cases of a task, about: groups of cases stay together
 * @throws UsageError if there would be more tasks than Slurm takes
 */
export function divide(plan: SweepPlan, cpus: number, chunkSize: number | undefined): Division {
  const groups = groupsOf(plan);
  const secondsOf = (cases: readonly number[]): number =>
    cases.reduce((sum, index) => sum + plan.seconds[Math.floor(index / plan.seeds.length)], 0);
  const caseSeconds = plan.seconds.reduce((most, seconds) => Math.max(most, seconds), 0);
  const workloadOf = (chunkSeconds: number): Workload => ({ chunkSeconds, caseSeconds, caseBytes: plan.bytes });
  const whole = taskSeconds(workloadOf(secondsOf(groups.flat())), plan.origin.backend.name, cpus);
  const wished =
    chunkSize === undefined
      ? Math.min(MOST_CHUNKS, Math.ceil(whole / CHUNK_SECONDS))
      : Math.ceil(plan.count / chunkSize);
  const chunkCount = Math.max(1, Math.min(groups.length, wished));
  if (chunkCount > MOST_CHUNKS) {
    throw new UsageError(
      `--chunk-size ${chunkSize}: makes ${chunkCount} tasks of ${plan.count} cases, allowed: ${MOST_CHUNKS}; ` +
        `use --chunk-size ${Math.ceil(plan.count / MOST_CHUNKS)} or more`,
    );
  }
  let longest = 0;
  for (let part = 1; part <= chunkCount; part++) {
    longest = Math.max(longest, secondsOf(casesOfChunk(groups, { part, of: chunkCount })));
  }
  return { chunkCount, workload: workloadOf(longest) };
}
