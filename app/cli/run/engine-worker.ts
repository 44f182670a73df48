/** The worker in which the reference backend runs an experiment; `engine-host.ts` starts it and listens. */
import { parentPort, workerData } from 'node:worker_threads';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { ExperimentEvent } from '../../../engine/index.ts';
import { readScenarioFiles } from '../scenario-source.ts';
import { drive } from './drive.ts';
import { toPlainError } from './engine-host.ts';
import type { EngineJob, WorkerMessage } from './engine-host.ts';

const port = parentPort;
if (!port) throw new Error('this module is started as a worker');

const stopping = new AbortController();
let saved: (() => void) | undefined;
port.on('message', (message: 'stop' | 'saved') => {
  if (message === 'stop') stopping.abort();
  else saved?.();
});

let waiting: ExperimentEvent[] = [];
const say = (message: WorkerMessage): void => port.postMessage(message);
/** Kernel times come by the hundred; they go over together with the next event of another kind. */
const flush = (): void => {
  if (waiting.length > 0) say({ type: 'events', events: waiting });
  waiting = [];
};

const { scenarioPath, ...job }: EngineJob = workerData;
try {
  const files = await readScenarioFiles(job.scenario, scenarioPath);
  const outcome = await drive(
    createReferenceBackend(),
    { ...job, files },
    {
      event: (event) => {
        waiting.push(event);
        if (event.type !== 'kernel') flush();
      },
      checkpoint: (checkpoint) => {
        flush();
        say({ type: 'checkpoint', checkpoint });
        return new Promise<void>((resolve) => {
          saved = resolve;
        });
      },
    },
    stopping.signal,
  );
  flush();
  say({ type: 'done', outcome });
} catch (error) {
  flush();
  say({ type: 'failed', failure: toPlainError(error) });
} finally {
  port.close();
}
