/**
 * Who writes down what a run has come to. A writer says when (its schedule) and what is to be prepared for it, where the run
 * is, between two cycles, while its states belong together; it commits that where it is itself.
 */
import type { Checkpoint } from '../experiment/index.ts';
import { isDue } from './schedule.ts';
import type { LastWritten, Moment, Schedule } from './schedule.ts';

/** The part of a writer that the run needs to know: plain data. */
export interface WriterPlan {
  readonly schedule: Schedule;
  /** What is taken from the run for it. */
  readonly prepare: 'checkpoint' | 'nothing';
  /** Whether the run waits until it is committed. One that it does not wait for gets the next when it has committed the last. */
  readonly waits: boolean;
  /** Whether it also gets what the run came to when it ends or is stopped. */
  readonly atEnd: boolean;
}

/** A run whose writer fails is given up, with the writer's error. */
export type RunWriter =
  | (WriterPlan & { readonly prepare: 'checkpoint'; commit(checkpoint: Checkpoint): void | Promise<void> })
  | (WriterPlan & { readonly prepare: 'nothing'; commit(): void | Promise<void> });

export interface WriterRow {
  /** Between two cycles: prepares what is due and has it committed. */
  between(moment: Moment): Promise<void>;
  /** At the end of the run, or where it stops: what writers must still get. */
  last(moment: Moment): Promise<void>;
}

interface Written extends LastWritten {
  readonly isCommitting: boolean;
}

/**
 * @param start the cycle that the run begins with
 * @param commit hands what was prepared to the writer of that index; settles when it is committed
 */
export function createWriterRow(
  plans: readonly WriterPlan[],
  start: number,
  checkpoint: () => Promise<Checkpoint>,
  commit: (writer: number, prepared: Checkpoint | undefined) => Promise<void>,
): WriterRow {
  const begun = performance.now();
  const last = plans.map((): Written => ({ at: begun, cycle: start, milliseconds: 0, isCommitting: false }));

  async function write(index: number, cycle: number): Promise<void> {
    const { prepare, waits } = plans[index];
    const begin = performance.now();
    const committed = commit(index, prepare === 'checkpoint' ? await checkpoint() : undefined);
    if (waits) await committed;
    const at = performance.now();
    last[index] = { at, cycle, milliseconds: at - begin, isCommitting: !waits };
    if (!waits) void whenCommitted(index, committed);
  }

  async function whenCommitted(index: number, committed: Promise<void>): Promise<void> {
    // Who cannot commit gives the run up by itself.
    await committed.catch(() => undefined);
    last[index] = { ...last[index], isCommitting: false };
  }

  async function writeThose(isWanted: (plan: WriterPlan, written: Written) => boolean, cycle: number): Promise<void> {
    for (const [index, plan] of plans.entries()) {
      if (!last[index].isCommitting && isWanted(plan, last[index])) await write(index, cycle);
    }
  }

  return {
    between: (moment) => writeThose(({ schedule }, written) => isDue(schedule, moment, written, begun), moment.cycle),
    last: ({ cycle }) => writeThose(({ atEnd }, written) => atEnd && written.cycle !== cycle, cycle),
  };
}
