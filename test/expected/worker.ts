/** A process that runs the jobs it is sent, one after the other. */
import { runJob } from './job.ts';
import type { Job } from './job.ts';

process.on('message', ({ id, job }: { id: number; job: Job }) => {
  const begin = performance.now();
  runJob(job).then(
    (result) => process.send?.({ id, result, seconds: (performance.now() - begin) / 1000 }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});

// Whoever asked is gone.
process.on('disconnect', () => process.exit());
