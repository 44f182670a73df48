/**
 * Who writes down what a run has come to. A writer says when (its schedule) and what is to be prepared for it, where the run
 * is, between two cycles, while its states belong together; it commits that where it is itself.
 */
import type { Checkpoint } from '../experiment/index.ts';
import { isDue, isMultiple, type LastWritten, type Moment, type Schedule } from './checkpoint-ring.ts';
import type { Snapshot } from './states.ts';

/** What can be taken from a run for a writer, by what it asks for; `states` are those of the cycle that was run last. */
export interface Prepared {
  readonly checkpoint: Checkpoint;
  readonly states: Snapshot;
  readonly nothing: undefined;
}

/** The part of a writer that the run needs to know: plain data. */
export interface WriterPlan {
  /** Schedule of states: `multiples`, since they are recorded while their cycle runs. */
  readonly schedule: Schedule;
  /** What is taken from the run for it. */
  readonly prepare: keyof Prepared;
  /** Members of every ensemble whose states are kept beside its mean, from 0; default: none. */
  readonly members?: readonly number[];
  /**
   * Whether the run waits until it is committed. `false`: what is due while the last is being committed is omitted, and comes with
   * the next. `behind`: the run waits only where the last is still being committed when the next is due, so that it is never further
   * ahead than that.
   */
  readonly waits: boolean | 'behind';
  /** Whether it also gets what the run came to when it ends or is stopped. */
  readonly atEnd: boolean;
}

/** A run whose writer fails is given up, with the writer's error. */
export type RunWriter = {
  readonly [Kind in keyof Prepared]: WriterPlan & {
    readonly prepare: Kind;
    commit(prepared: Prepared[Kind]): void | Promise<void>;
  };
}[keyof Prepared];

export interface WriterRow {
  /** Whether the states of a cycle that is about to run are to be recorded. */
  wantsStates(cycle: number): boolean;
  /** Between two cycles: prepares what is due and has it committed. */
  between(moment: Moment): Promise<void>;
  /** At the end of the run, or where it stops: what writers must still get. */
  last(moment: Moment): Promise<void>;
}

interface Written extends LastWritten {
  /** Settles when what is being committed is; undefined if nothing is. */
  readonly committing: Promise<void> | undefined;
}

/**
 * @param start the cycle that the run begins with
 * @param take takes from the run what a writer asks for
 * @param commit hands what was prepared to the writer of that index; settles when it is committed
 */
export function createWriterRow(
  plans: readonly WriterPlan[],
  start: number,
  take: (what: keyof Prepared) => Promise<Prepared[keyof Prepared]>,
  commit: (writer: number, prepared: Prepared[keyof Prepared]) => Promise<void>,
): WriterRow {
  const begun = performance.now();
  const last = plans.map((): Written => ({ at: begun, cycle: start, milliseconds: 0, committing: undefined }));

  async function write(index: number, cycle: number): Promise<void> {
    const { prepare, waits } = plans[index];
    const begin = performance.now();
    const committed = commit(index, await take(prepare));
    const tell = (committing?: Promise<void>): void => {
      const at = performance.now();
      last[index] = { at, cycle, milliseconds: at - begin, committing };
    };
    if (waits === true) {
      await committed;
      tell();
      return;
    }
    // Who cannot commit gives the run up by itself. What it took counts to the end, however far the run has come.
    tell(committed.then(() => tell()).catch(() => tell()));
  }

  async function writeThose(isWanted: (plan: WriterPlan, written: Written) => boolean, cycle: number): Promise<void> {
    for (const [index, plan] of plans.entries()) {
      if (!isWanted(plan, last[index])) continue;
      const { committing } = last[index];
      if (committing && plan.waits === false) continue;
      await committing;
      await write(index, cycle);
    }
  }

  /** Until those that want the end of the run have committed what they were given. */
  async function untilCommitted(): Promise<void> {
    for (const [index, { atEnd }] of plans.entries()) if (atEnd) await last[index].committing;
  }

  const isDueAt =
    (moment: Moment) =>
    ({ schedule }: WriterPlan, written: Written) =>
      isDue(schedule, moment, written, begun);
  /** States are due at the end as everywhere: of another cycle there are none. */
  const isLast = (moment: Moment) => (plan: WriterPlan, written: Written) =>
    plan.prepare === 'states' ? isDueAt(moment)(plan, written) : plan.atEnd && written.cycle !== moment.cycle;

  return {
    wantsStates: (cycle) =>
      plans.some(
        ({ prepare, schedule }) =>
          prepare === 'states' && schedule.kind === 'multiples' && isMultiple(schedule, cycle + 1),
      ),
    between: (moment) => writeThose(isDueAt(moment), moment.cycle),
    async last(moment) {
      await untilCommitted();
      await writeThose(isLast(moment), moment.cycle);
      await untilCommitted();
    },
  };
}
