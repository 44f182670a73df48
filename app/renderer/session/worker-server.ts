/** The worker's side of a session: the reference backend, driven by messages. */
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Checkpoint } from '../../../engine/index.ts';
import { createCeilingMeasurement } from './ceiling-measurement.ts';
import { createEngineSession, failureOf } from './engine-session.ts';
import type { EngineSession } from './engine-session.ts';
import { createHostPlanes } from './planes.ts';
import type { SessionEvent } from './session.ts';
import { transferables } from './worker-protocol.ts';
import type { FromWorker, Port, ToWorker } from './worker-protocol.ts';

function memoryOf({ arrays }: Checkpoint): ArrayBuffer[] {
  return Object.values(arrays).map(({ buffer }) => buffer as ArrayBuffer);
}

/**
 * Serves one session on a port.
 *
 * @param breathe lets waiting messages in between the parts of a cycle
 */
export function serveSession(port: Port<ToWorker, FromWorker>, breathe: () => Promise<void>): void {
  const backend = createReferenceBackend();
  const planes = createHostPlanes(backend);
  let session: Promise<EngineSession | undefined> = Promise.resolve(undefined);

  const tell = (event: SessionEvent): void => {
    const snapshot = event.type === 'ready' || event.type === 'cycle' ? event.snapshot : undefined;
    const motion = event.type === 'cycle' ? event.motion : undefined;
    port.post({ type: 'event', event }, snapshot ? transferables(snapshot, motion) : []);
  };
  const open = async (message: Extract<ToWorker, { type: 'open' }>): Promise<EngineSession | undefined> => {
    try {
      return await createEngineSession(backend, message.scenario, {
        files: message.files,
        checkpoint: message.checkpoint,
        reason: message.reason,
        ceilings: message.ceilings,
        measure: () => createCeilingMeasurement(() => Promise.resolve(createReferenceBackend())),
        planes,
        breathe,
        listener: tell,
        onReadings: (readings) => port.post({ type: 'readings', readings }, []),
        onCheckpoint: (checkpoint) => port.post({ type: 'checkpoint', checkpoint }, memoryOf(checkpoint)),
      });
    } catch (error) {
      tell(failureOf(error));
      return undefined;
    }
  };
  const take = async (message: ToWorker): Promise<void> => {
    switch (message.type) {
      case 'open':
        session = open(message);
        break;
      case 'step':
        await (await session)?.step();
        port.post({ type: 'answer', call: message.call }, []);
        break;
      case 'checkpoint': {
        const checkpoint = await (await session)?.checkpoint();
        const answer = { type: 'answer', call: message.call } as const;
        if (checkpoint) port.post({ ...answer, checkpoint }, memoryOf(checkpoint));
        else port.post({ ...answer, failure: 'the session is not running' }, []);
        break;
      }
      case 'probe':
        (await session)?.probe(message.cells);
        break;
      default:
        message satisfies never;
    }
  };
  port.listen((message) => {
    take(message).catch((error: unknown) => {
      tell(failureOf(error));
      if (message.type === 'step' || message.type === 'checkpoint') {
        port.post({ type: 'answer', call: message.call, failure: failureOf(error).message }, []);
      }
    });
  });
}
