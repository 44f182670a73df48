/** Jobs over the processor's cores: a process each, the next job to whichever is idle. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, JobResult } from './job.ts';

export interface Pool {
  /** @param first before the jobs that wait, not after them */
  run(job: Job, first?: boolean): Promise<JobResult>;
  /** Jobs asked for, and done. */
  readonly asked: number;
  readonly done: number;
  close(): void;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: Error) => void;
}

type Answer = { readonly id: number; readonly result?: JobResult; readonly error?: string };

/** @param workers processes, each of which needs the memory of one run */
export function createPool(workers: number): Pool {
  const script = fileURLToPath(new URL('worker.js', import.meta.url));
  const queue: Waiting[] = [];
  const idle: ChildProcess[] = [];
  const busy = new Map<ChildProcess, Waiting>();
  let asked = 0;
  let done = 0;

  const give = (): void => {
    while (idle.length > 0 && queue.length > 0) {
      const [child, waiting] = [idle.pop(), queue.shift()];
      if (!child || !waiting) return;
      busy.set(child, waiting);
      child.send({ id: 0, job: waiting.job });
    }
  };
  const start = (): ChildProcess => {
    const child = fork(script, { stdio: 'inherit' });
    child.on('message', ({ result, error }: Answer) => {
      const waiting = busy.get(child);
      busy.delete(child);
      done += 1;
      if (result) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
      idle.push(child);
      give();
    });
    child.on('exit', (code) => busy.get(child)?.reject(new Error(`a worker ended with ${code}`)));
    return child;
  };
  for (let worker = 0; worker < workers; worker++) idle.push(start());

  return {
    run: (job, first = false) =>
      new Promise((resolve, reject) => {
        asked += 1;
        if (first) queue.unshift({ job, resolve, reject });
        else queue.push({ job, resolve, reject });
        give();
      }),
    get asked() {
      return asked;
    },
    get done() {
      return done;
    },
    close() {
      for (const child of [...idle, ...busy.keys()]) child.kill();
    },
  };
}
