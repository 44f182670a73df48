/** The worker in which the reference backend runs benchmarks, so that Ctrl-C is heard; `thread.ts` starts it and listens. */
import { parentPort, workerData } from 'node:worker_threads';
import { benchmarkNamed, createReferenceBackend, resultOf } from '../../../engine/index.ts';
import type { Benchmark } from '../../../engine/index.ts';
import { toPlainError } from '../run/engine-host.ts';
import { driveBenchmarks } from './drive.ts';
import type { BenchJob, BenchMessage } from './thread.ts';

const port = parentPort;
if (!port) throw new Error('this module is started as a worker');

const say = (message: BenchMessage): void => port.postMessage(message);

function named(name: string): Benchmark {
  const benchmark = benchmarkNamed(name);
  if (!benchmark) throw new Error(`there is no benchmark ${name}`);
  return benchmark;
}

const job: BenchJob = workerData;
const backend = createReferenceBackend();
try {
  switch (job.task) {
    case 'measure':
      await driveBenchmarks(
        backend,
        job.names.map(named),
        {
          opened: (opened) => say({ type: 'opened', backend: opened }),
          begin: (name) => say({ type: 'begin', name }),
          row: (row) => say({ type: 'row', row }),
          failed: (name, error) => say({ type: 'failed', name, failure: toPlainError(error) }),
        },
        { signal: new AbortController().signal },
      );
      break;
    case 'result': {
      say({ type: 'begin', name: job.name });
      const values = await resultOf(backend, named(job.name));
      port.postMessage({ type: 'result', values } satisfies BenchMessage, [values.buffer as ArrayBuffer]);
      break;
    }
    default:
      job satisfies never;
  }
  say({ type: 'done' });
} catch (error) {
  say({ type: 'broken', failure: toPlainError(error) });
} finally {
  port.close();
}
