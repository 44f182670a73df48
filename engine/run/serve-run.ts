/** The host's side of a run: its loop, driven by commands from a port. */
import { errorOf } from '../errors.ts';
import type { Checkpoint } from '../experiment/index.ts';
import { Given, memoryOf, serveCalls, toPlainError } from './calls.ts';
import type {
  RunCommands,
  RunHostPort,
  RunMessage,
  RunOpening,
  RunNotice,
  Answers,
  Question,
  RunEvent,
} from './run.ts';
import { createRunLoop, type RunLoop, type RunPlace } from './run-loop.ts';
import { hostPlanesOf, type Kept, type Snapshot } from './states.ts';
import type { Prepared } from './writers.ts';

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
  let loop: Promise<RunLoop> = Promise.reject(new Error('the run is not opened yet'));
  loop.catch(() => undefined);
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
  const withLoop = (use: (opened: RunLoop) => unknown): Promise<unknown> => loop.then(use).catch(() => undefined);

  const emit = serveCalls<RunCommands, RunNotice>(port, {
    async open(opening) {
      loop = prepare(opening);
      return (await loop).info;
    },
    step: async () => (await loop).step(),
    play: async (until) => (await loop).play(until),
    edit: async (scenario) => (await loop).edit(scenario),
    ask: async (question) => given(question, await (await loop).ask(question)),
    stop: () => void withLoop((opened) => opened.stop()),
    probe: (cells) => void withLoop((opened) => opened.probe(cells)),
    wantStates: (wanted) => void withLoop((opened) => opened.wantStates(wanted)),
    wantForecasts: (wanted) => void withLoop((opened) => opened.wantForecasts(wanted)),
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
      void withLoop(async (opened) => {
        await opened.dispose();
        host?.free?.();
      });
    },
  });
}
