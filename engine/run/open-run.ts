/** The holder's side of a run: commands go out, events and answers come in. */
import { errorOf } from '../errors.ts';
import { createCaller, memoryOf, fromPlainError, createLocalPorts } from './calls.ts';
import { branchOf, createCheckpointRing } from './checkpoint-ring.ts';
import type {
  RunCommands,
  RunHostPort,
  RunMessage,
  RunStarterPort,
  RunNotice,
  AnswerTo,
  Outcome,
  Question,
  Run,
  RunEvent,
  RunJob,
  RunObserver,
} from './run.ts';
import { serveRun, type RunHost } from './serve-run.ts';
import { firstPlane } from './states.ts';
import type { Prepared, RunWriter, WriterPlan } from './writers.ts';

export interface RunOptions {
  /** Called from the first event on. */
  readonly observers?: readonly RunObserver[];
  readonly writers?: readonly RunWriter[];
  /** Memory for checkpoints to go back to and to fork from, bytes; none are kept if omitted. */
  readonly ringBytes?: number;
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

/** Opens a run at the other end of a port, where `serveRun` waits for it. */
export function openRun(port: RunStarterPort, job: RunJob, options: RunOptions = {}): Run {
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
  const given = options.givesCheckpoint && !ring && job.checkpoint ? Object.values(job.checkpoint.arrays) : [];
  const ready = caller.call('open', { ...job, states, forecasts, writers: writers.map(planOf) }, memoryOf(given));
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

/** Opens a run in this thread. @param host the place where it computes; called once */
export function openRunHere(host: () => RunHost | Promise<RunHost>, job: RunJob, options: RunOptions = {}): Run {
  const ports: { readonly starter: RunStarterPort; readonly host: RunHostPort } = createLocalPorts();
  serveRun(ports.host, host);
  return openRun(ports.starter, job, options);
}
