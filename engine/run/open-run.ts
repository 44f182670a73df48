/**
 * The two ends of a run at a port: the holder's, where commands go out and events and answers come in, and the host's, which drives
 * the loop of the run with them.
 */
import { errorOf } from '../errors.ts';
import type { Checkpoint } from '../experiment/index.ts';
import {
  Given,
  createCaller,
  createLocalPorts,
  fromPlainError,
  laterPort,
  memoryOf,
  serveCalls,
  toPlainError,
} from './calls.ts';
import { branchOf, createCheckpointRing } from './checkpoint-ring.ts';
import type {
  AnswerTo,
  Answers,
  Outcome,
  Question,
  Run,
  RunCommands,
  RunEvent,
  RunHostPort,
  RunInfo,
  RunJob,
  RunMessage,
  RunNotice,
  RunObserver,
  RunOpening,
  RunStarterPort,
} from './run.ts';
import { createRunLoop, type RunLoop, type RunPlace } from './run-loop.ts';
import { firstPlane, hostPlanesOf, type Kept, type Snapshot } from './states.ts';
import type { Prepared, RunWriter, WriterPlan } from './writers.ts';

export interface RunOptions {
  /** Called from the first event on. */
  readonly observers?: readonly RunObserver[];
  readonly writers?: readonly RunWriter[];
  /** Memory for checkpoints to go back to and to fork from, bytes; none are kept if omitted. */
  readonly ringBytes?: number;
}

/** Where a run computes. */
export interface RunSite {
  readonly port: RunStarterPort;
  /** What of its job is different there. */
  readonly job?: Partial<Pick<RunJob, 'ceilings' | 'checkpoint'>>;
  /** Whether nobody else has the checkpoint of the job: without a ring its memory is given away with it, and not copied. */
  readonly givesCheckpoint?: boolean;
}

function toEvent(message: RunMessage): RunEvent {
  return message.type === 'failed' ? { type: 'failed', error: fromPlainError(message.error) } : message;
}

function planOf({ schedule, prepare, members, waits, atEnd }: WriterPlan): WriterPlan {
  return { schedule, prepare, ...(members && { members }), waits, atEnd };
}

const nothing = (): void => undefined;

/**
 * Opens a run at the other end of a port, where `serveRun` waits for it.
 *
 * @param site the port, or what finds out where the run computes: what is asked of it waits until then, and it fails if none is found
 */
export function openRun(site: RunStarterPort | Promise<RunSite>, job: RunJob, options: RunOptions = {}): Run {
  const port = site instanceof Promise ? laterPort(site.then((found) => found.port)) : site;
  const observers = new Set(options.observers);
  const ring = options.ringBytes === undefined ? undefined : createCheckpointRing(options.ringBytes);
  if (job.checkpoint) ring?.add(job.checkpoint);
  const keeping: readonly RunWriter[] = ring
    ? [
        {
          schedule: { kind: 'return' },
          prepare: 'checkpoint',
          waits: false,
          atEnd: false,
          commit: (checkpoint) => ring.add(checkpoint),
        },
      ]
    : [];
  const writers = [...(options.writers ?? []), ...keeping];
  /** What any observer wants is sent. */
  const wishes = [
    { name: 'wantStates', of: ({ states = false }: RunObserver) => states },
    { name: 'wantForecasts', of: ({ forecasts = false }: RunObserver) => forecasts },
  ] as const;
  const wishesNow = (): readonly boolean[] => wishes.map(({ of }) => [...observers].some(of));
  let { scenario } = job;
  let disposed = false;
  let wanted = wishesNow();
  let failure: Error | undefined;

  const emit = (event: RunEvent): void => {
    if (disposed || failure) return;
    if (event.type === 'failed') failure = event.error;
    for (const observer of observers) {
      if (event.type !== 'states' || observer.states) observer.event(event);
    }
  };
  /** The run cannot continue, for a reason on this side. */
  const giveUp = (error: Error): void => {
    emit({ type: 'failed', error });
    caller.close(error);
    caller.send('dispose', undefined);
    port.close();
  };
  const commit = async ({ writer, number, prepared }: Extract<RunNotice, { type: 'commit' }>): Promise<void> => {
    const asked = writers[writer];
    try {
      // What was prepared is what its plan asks for.
      await (asked.commit as (prepared: Prepared[keyof Prepared]) => void | Promise<void>)(prepared);
      if (!disposed) caller.send('committed', number);
    } catch (error) {
      if (!disposed) giveUp(errorOf(error));
    }
  };
  const receive = (notice: RunNotice): void => {
    if (notice.type === 'commit') void commit(notice);
    else for (const message of notice.events) emit(toEvent(message));
  };
  const caller = createCaller<RunCommands, RunNotice>(port, receive, (error) => emit({ type: 'failed', error }));

  const follow = (): void => {
    const before = wanted;
    if (disposed) return;
    wanted = wishesNow();
    wishes.forEach(({ name }, i) => {
      if (wanted[i] !== before[i]) caller.send(name, wanted[i]);
    });
  };
  /** What waits when the run is disposed of settles as stopped. */
  const unlessDisposed = <Result>(work: Promise<Result>, instead: Result): Promise<Result> =>
    work.catch((error: unknown) => {
      if (disposed) return instead;
      throw error;
    });

  const [states, forecasts] = wanted;
  const openAt = ({ job: changes, givesCheckpoint }: RunSite): Promise<RunInfo> => {
    const opening = { ...job, ...changes, states, forecasts, writers: writers.map(planOf) };
    const given = givesCheckpoint && !ring && opening.checkpoint ? Object.values(opening.checkpoint.arrays) : [];
    return caller.call('open', opening, memoryOf(given));
  };
  const ready = site instanceof Promise ? site.then(openAt) : openAt({ port });
  ready.catch(nothing);
  return {
    ready,
    ring,
    step: () => unlessDisposed(caller.call('step', undefined), undefined),
    play: (until) => unlessDisposed<Outcome>(caller.call('play', until), 'stopped'),
    stop: () => caller.send('stop', undefined),
    async edit(next) {
      await caller.call('edit', next);
      scenario = next;
    },
    probe(cells) {
      if (!disposed) caller.send('probe', cells);
    },
    ask: <const Asked extends Question>(question: Asked) => caller.call('ask', question) as Promise<AnswerTo<Asked>>,
    observe(observer) {
      observers.add(observer);
      follow();
      return () => {
        observers.delete(observer);
        follow();
      };
    },
    fork: (cycle, edits) => branchOf(scenario, cycle, edits, ring),
    release(kept) {
      // What is in memory is nobody else's, and would be copied on its way.
      if (firstPlane(kept)?.kind === 'device') caller.send('release', kept);
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      caller.close(new Error('the run is not running any more'));
      caller.send('dispose', undefined);
      port.close();
    },
  };
}

export interface RunHost extends RunPlace {
  /** Settles with the reason when the place is gone while nothing runs that would notice. */
  readonly lost?: Promise<Error> | undefined;
  /** Called when the run is disposed of, or could not be opened. */
  readonly free?: (() => void) | undefined;
}

function toMessage(event: RunEvent): RunMessage {
  return event.type === 'failed' ? { type: 'failed', error: toPlainError(event.error) } : event;
}

/** What is kept of an event until it is released. */
function keptOf(event: RunEvent): readonly Kept[] {
  if (event.type === 'ready') return event.snapshot ? [event.snapshot] : [];
  if (event.type === 'states') return event.motion ? [event.snapshot, event.motion] : [event.snapshot];
  return [];
}

/** The arrays of a plain answer, which are nobody else's. */
function arraysIn(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysIn) : [];
}

function arraysOf(prepared: Checkpoint | Snapshot): readonly ArrayBufferView[] {
  // Places and errors of observations are the network's, which uses them again.
  return 'arrays' in prepared ? Object.values(prepared.arrays) : hostPlanesOf(prepared);
}

function given(
  question: Question,
  answer: Answers[Question['kind']],
): Answers[Question['kind']] | Given<typeof answer> {
  switch (question.kind) {
    case 'checkpoint':
      return new Given(answer, memoryOf(Object.values((answer as Checkpoint).arrays)));
    case 'snapshot':
      return new Given(answer, memoryOf(hostPlanesOf(answer as Answers['snapshot'])));
    case 'plane':
      return new Given(answer, memoryOf([answer as Float32Array]));
    case 'explanation':
    case 'impact':
      return new Given(answer, memoryOf(arraysIn(answer)));
    case 'innovations':
      return answer;
    default:
      return question satisfies never;
  }
}

/** Serves one run on a port. @param open the place where it computes; called once, when the run is opened */
export function serveRun(port: RunHostPort, open: () => RunHost | Promise<RunHost>): void {
  let host: RunHost | undefined;
  let opened: (loop: Promise<RunLoop>) => void = nothing;
  /** What is asked of a run before it is opened waits for it. */
  const loop = new Promise<RunLoop>((resolve) => {
    opened = resolve;
  });
  loop.catch(nothing);
  let disposed = false;
  /** Gives up what is under way when the run is disposed of. */
  const closing = new AbortController();
  let waiting: RunMessage[] = [];
  const commits = new Map<number, () => void>();
  let nextCommit = 0;

  const flush = (memory: readonly ArrayBuffer[] = []): void => {
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    emit({ type: 'events', events }, memory);
  };
  const listener = {
    event(event: RunEvent) {
      const kept = keptOf(event);
      if (disposed) {
        // Nobody will draw what comes this late.
        for (const each of kept) host?.planes.release(each);
        return;
      }
      waiting.push(toMessage(event));
      if (event.type !== 'kernel') flush(memoryOf(kept.flatMap(hostPlanesOf)));
    },
    commit(writer: number, prepared: Prepared[keyof Prepared]) {
      flush();
      const number = nextCommit++;
      const committed = new Promise<void>((resolve) => commits.set(number, resolve));
      emit({ type: 'commit', writer, number, prepared }, prepared ? memoryOf(arraysOf(prepared)) : []);
      return committed;
    },
  };
  const prepare = async (opening: RunOpening): Promise<RunLoop> => {
    try {
      host = await open();
      const prepared = await createRunLoop(opening, host, listener, closing.signal);
      void host.lost?.then((error) => prepared.fail(error));
      return prepared;
    } catch (error) {
      listener.event({ type: 'failed', error: errorOf(error) });
      host?.free?.();
      throw error;
    }
  };
  /**
   * For commands that are not answered: a run that could not be opened has said so. What they do is in the order of the commands
   * that are.
   */
  const withLoop = (use: (run: RunLoop) => unknown): Promise<unknown> => loop.then(use).catch(nothing);

  const emit = serveCalls<RunCommands, RunNotice>(port, {
    async open(opening) {
      opened(prepare(opening));
      return (await loop).info;
    },
    step: async () => (await loop).step(),
    play: async (until) => (await loop).play(until),
    edit: async (scenario) => (await loop).edit(scenario),
    ask: async (question) => given(question, await (await loop).ask(question)),
    stop: () => void withLoop((run) => run.stop()),
    probe: (cells) => void withLoop((run) => run.probe(cells)),
    wantStates: (wanted) => void withLoop((run) => run.wantStates(wanted)),
    wantForecasts: (wanted) => void withLoop((run) => run.wantForecasts(wanted)),
    committed(number) {
      commits.get(number)?.();
      commits.delete(number);
    },
    release: (kept) => host?.planes.release(kept),
    dispose() {
      disposed = true;
      closing.abort(new Error('the run was closed in the middle of its work'));
      // A writer that the loop waits for will say nothing any more.
      for (const resolve of commits.values()) resolve();
      void withLoop(async (run) => {
        await run.dispose();
        host?.free?.();
      });
    },
  });
}

/** @param host the place in this thread where a run computes; called once, when one is opened at the port */
export function portHere(host: () => RunHost | Promise<RunHost>): RunStarterPort {
  const ports: { readonly starter: RunStarterPort; readonly host: RunHostPort } = createLocalPorts();
  serveRun(ports.host, host);
  return ports.starter;
}

/** Opens a run in this thread. @param host the place where it computes; called once */
export function openRunHere(host: () => RunHost | Promise<RunHost>, job: RunJob, options: RunOptions = {}): Run {
  return openRun(portHere(host), job, options);
}
