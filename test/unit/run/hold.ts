/** Runs as tests hold them: in this thread, or across a real channel, over which everything is cloned. */
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { createHostPlanes, createReferenceBackend, openRun, openRunHere, serveRun } from '../../../engine/index.ts';
import type {
  Backend,
  CellReading,
  CycleDiagnostics,
  CycleStates,
  Plane,
  Port,
  Run,
  RunEvent,
  RunHost,
  RunJob,
  RunOptions,
  RunStarterPort,
  Scenario,
  Snapshot,
} from '../../../engine/index.ts';

export function portOf<In, Out>(port: MessagePort): Port<In, Out> {
  return {
    post: (message, transfer) => port.postMessage(message, transfer as readonly TransferListItem[]),
    listen: (listener) => void port.on('message', (message: In) => listener(message)),
  };
}

/** A line whose two ends are in this thread, with a real channel between them. */
export function channelTo(host: () => RunHost | Promise<RunHost>): RunStarterPort {
  const { port1, port2 } = new MessageChannel();
  serveRun(portOf(port2), host);
  return { ...portOf(port1), onFailure: () => undefined, close: () => port1.close() };
}

interface Held {
  readonly run: Run;
  readonly events: RunEvent[];
}

export interface HoldOptions extends RunOptions {
  readonly job?: Partial<RunJob>;
  readonly host?: Partial<RunHost>;
  readonly backend?: Backend;
  readonly states?: boolean;
  readonly across?: boolean;
}

export function hold(scenario: Scenario, options: HoldOptions = {}): Held {
  const { job, host, backend = createReferenceBackend(), states = true, across = false, ...rest } = options;
  const events: RunEvent[] = [];
  const place = (): RunHost => ({
    backend,
    planes: createHostPlanes(backend),
    yieldToEventLoop: () => turn(),
    ...host,
  });
  const whole: RunJob = { scenario, files: {}, source: 'tiny', misfit: 'begin', ...job };
  const observers = [{ states, event: (event: RunEvent) => void events.push(event) }, ...(rest.observers ?? [])];
  const run = across
    ? openRun(channelTo(place), whole, { ...rest, observers })
    : openRunHere(place, whole, { ...rest, observers });
  return { run, events };
}

/** The states that were reported, the first before the next cycle, each with the diagnostics of its cycle. */
export function cyclesOf(events: readonly RunEvent[]): (CycleStates & { readonly diagnostics: CycleDiagnostics[] })[] {
  let diagnostics: CycleDiagnostics[] = [];
  return events.flatMap((event) => {
    if (event.type === 'diagnostics') diagnostics.push(event.diagnostics);
    if (event.type === 'ready' && event.snapshot) {
      return [{ snapshot: event.snapshot, motion: undefined, readings: [], diagnostics: [] }];
    }
    if (event.type !== 'states') return [];
    const { snapshot, motion, readings } = event;
    const cycle = { snapshot, motion, readings, diagnostics };
    diagnostics = [];
    return [cycle];
  });
}

export function readingsIn(events: readonly RunEvent[]): CellReading[] {
  return events.flatMap((event) => (event.type === 'states' ? event.readings : []));
}

export function snapshots(events: readonly RunEvent[]): Snapshot[] {
  return cyclesOf(events).map(({ snapshot }) => snapshot);
}

/** A run that is ready. */
export async function open(scenario: Scenario, options: HoldOptions = {}): Promise<Held> {
  const { run, events } = hold(scenario, options);
  await run.ready;
  return { run, events };
}

export function valuesOf(plane: Plane | undefined): Float32Array {
  if (plane?.kind !== 'host') throw new Error('the plane is not in memory');
  return plane.values;
}
