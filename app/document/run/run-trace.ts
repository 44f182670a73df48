/** What the thread of a run was busy with: the trace that its folder gets, and what its last cycles asked of the device. */
import { signal } from '@preact/signals';
import { createTraceLog, median, NO_TRACE } from '../../../engine/index.ts';
import type { CycleTrace, KernelSample, StoredTrace } from '../../../engine/index.ts';

/** What a cycle asked of the device. */
export type DeviceWork = CycleTrace['counts'];

export interface CycleWork {
  readonly cycle: number;
  readonly counts: DeviceWork;
}

/** Cycles of which it is known one by one. */
const WORK_CYCLES = 100;

/** @returns the middle one of each count: a checkpoint in between, which reads everything back, is no cycle */
export function typicalWork(cycles: readonly CycleWork[]): DeviceWork | undefined {
  if (cycles.length === 0) return undefined;
  const middle = (count: keyof DeviceWork): number => median(cycles.map(({ counts }) => counts[count]));
  return {
    waits: middle('waits'),
    submissions: middle('submissions'),
    dispatches: middle('dispatches'),
    uploads: middle('uploads'),
    uploadedBytes: middle('uploadedBytes'),
    readbacks: middle('readbacks'),
    readBytes: middle('readBytes'),
  };
}

/** Makes the empty trace of one run. */
export function createRunTrace() {
  let log = createTraceLog(Date.now());
  /** Work of the last cycles one by one, ascending. */
  const work = signal<readonly CycleWork[]>([]);

  /** A run begins, or continues with what was traced of it. @param start ISO 8601 */
  function beginTrace(start: string, before: StoredTrace = NO_TRACE): void {
    log = createTraceLog(Date.parse(start), before);
    work.value = [];
  }

  /** @param samples kernels of the cycle, where they were timed */
  function addTrace(trace: CycleTrace, samples: readonly KernelSample[]): void {
    const { cycle, counts } = trace;
    log.dropFrom(cycle);
    for (const sample of samples) log.kernel(cycle, sample);
    log.add(trace);
    if (!trace.spans.some(({ part }) => part === 'cycle')) return;
    work.value = [...work.value.filter((each) => each.cycle < cycle), { cycle, counts }].slice(-WORK_CYCLES);
  }

  return {
    work,
    beginTrace,
    addTrace,
    /** What a folder of the run gets. */
    storedTrace: (): StoredTrace => log.stored,
  };
}
