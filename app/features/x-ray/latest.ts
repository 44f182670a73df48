/** Work on what is asked for, one at a time: while one is done the newest waits, and those in between are dropped. */

export interface Latest<Job> {
  ask(job: Job): void;
  /** Drops what waits; what is done is done for nobody. */
  clear(): void;
}

/** @param work must not reject; `isStale` says that another job waits, or that nobody does */
export function createLatest<Job>(work: (job: Job, isStale: () => boolean) => Promise<void>): Latest<Job> {
  let waiting: { readonly job: Job } | undefined;
  let isBusy = false;
  let generation = 0;

  async function go(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (waiting) {
      const { job } = waiting;
      const own = generation;
      waiting = undefined;
      await work(job, () => waiting !== undefined || own !== generation);
    }
    isBusy = false;
  }

  return {
    ask(job) {
      waiting = { job };
      void go();
    },
    clear() {
      waiting = undefined;
      generation += 1;
    },
  };
}
