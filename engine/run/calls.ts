/**
 * Calls and events over a port: the starter's side calls by name and waits for an answer, the host's side answers, and reports
 * events that nobody asked for. Arguments, results and events are plain data that can be cloned.
 */
import {
  AllDivergedError,
  BackendError,
  CaseError,
  DeviceLostError,
  DivergenceError,
  FileLostError,
  LimitError,
  NotKeptError,
  QuestionError,
  RunLostError,
  ScenarioError,
  errorOf,
} from '../errors.ts';
import type { Divergence, Problem } from '../errors.ts';

/** One end. Messages arrive in the order in which they were posted. */
export interface Port<In, Out> {
  /** @param transfer memory that is given away with the message where the ends are of two threads */
  post(message: Out, transfer: readonly ArrayBuffer[]): void;
  /** Takes the messages that come from now on. */
  listen(listener: (message: In) => void): void;
}

/** The end of whoever started what is at the other one. */
export interface StarterPort<In, Out> extends Port<In, Out> {
  /** The listener is called when the other side breaks down without saying why itself. */
  onFailure(listener: (error: Error) => void): void;
  /** Ends a thread or process at the other side, whatever it is doing; within one thread without effect. */
  close(): void;
}

interface LocalPorts<ToHost, FromHost> {
  readonly starter: StarterPort<FromHost, ToHost>;
  readonly host: Port<ToHost, FromHost>;
}

/** Two ends in one thread: what is posted is handed over at once and as it is, nothing is cloned. */
export function createLocalPorts<ToHost, FromHost>(): LocalPorts<ToHost, FromHost> {
  let toHost: ((message: ToHost) => void) | undefined;
  let toStarter: ((message: FromHost) => void) | undefined;
  return {
    starter: {
      post: (message) => toHost?.(message),
      listen(listener) {
        toStarter = listener;
      },
      onFailure: () => undefined,
      close: () => undefined,
    },
    host: {
      post: (message) => toStarter?.(message),
      listen(listener) {
        toHost = listener;
      },
    },
  };
}

/**
 * @param finding the port of a thread or process that is yet to be found or started
 * @returns a port that is there at once: what is posted waits; if none is found, this is the failure of the other side
 */
export function laterPort<In, Out>(finding: Promise<StarterPort<In, Out>>): StarterPort<In, Out> {
  const once = (use: (port: StarterPort<In, Out>) => void): void => void finding.then(use, () => undefined);
  return {
    post: (message, transfer) => once((port) => port.post(message, transfer)),
    listen: (listener) => once((port) => port.listen(listener)),
    onFailure: (listener) =>
      void finding.then(
        (port) => port.onFailure(listener),
        (error: unknown) => listener(errorOf(error)),
      ),
    close: () => once((port) => port.close()),
  };
}

/** Errors as they cross between threads, which keep neither their class nor their fields. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly divergence: Divergence | undefined;
  readonly problems: readonly Problem[] | undefined;
}

export function toPlainError(error: unknown): PlainError {
  const { name, message, stack } = errorOf(error);
  return {
    name,
    message,
    stack,
    divergence: error instanceof DivergenceError ? error.divergence : undefined,
    problems: error instanceof ScenarioError ? error.problems : undefined,
  };
}

const CLASSES: Readonly<Record<string, new (message: string) => Error>> = {
  AllDivergedError,
  BackendError,
  CaseError,
  DeviceLostError,
  FileLostError,
  LimitError,
  NotKeptError,
  QuestionError,
  RunLostError,
};

/** @returns an error of the class that it had, with the stack of where it was thrown */
export function fromPlainError({ name, message, stack, divergence, problems }: PlainError): Error {
  const revive = (): Error => {
    if (divergence) return Object.assign(new DivergenceError(divergence, ''), { message });
    if (problems) return new ScenarioError(problems);
    const Class = Object.hasOwn(CLASSES, name) ? CLASSES[name] : Error;
    return new Class(message);
  };
  return Object.assign(revive(), { stack });
}

/** What can be called: a function of at most one argument for each name. */
type Commands<Names extends string> = Readonly<Record<Names, (argument: never) => unknown>>;
type NamesOf<Called> = keyof Called & string;
type ArgumentOf<Command> = Command extends (argument: infer Argument) => unknown ? Argument : never;
type ResultOf<Command> = Command extends (argument: never) => infer Result ? Awaited<Result> : never;

/** From the starter; what has no number is not answered. */
interface CallMessage<Name extends string = string> {
  readonly call: number | undefined;
  readonly name: Name;
  readonly argument: unknown;
}

type HostMessage<Event> =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'result'; readonly call: number; readonly result: unknown }
  | { readonly type: 'failure'; readonly call: number; readonly failure: PlainError };

/** The end of a line at which a service is called, and the one at which it answers. */
export type ServicePort<Called, Event = never> = StarterPort<HostMessage<Event>, CallMessage<NamesOf<Called>>>;
export type HostPort<Called, Event = never> = Port<CallMessage<NamesOf<Called>>, HostMessage<Event>>;

/** A result whose memory is given away with it. */
export class Given<Value> {
  readonly value: Value;
  readonly memory: readonly ArrayBuffer[];

  constructor(value: Value, memory: readonly ArrayBuffer[]) {
    this.value = value;
    this.memory = memory;
  }
}

type Handled<Result> = Result | Given<Result>;

export type Handlers<Called> = {
  readonly [Name in NamesOf<Called>]: (
    argument: ArgumentOf<Called[Name]>,
  ) => Handled<ResultOf<Called[Name]>> | Promise<Handled<ResultOf<Called[Name]>>>;
};

/** @returns the memory of arrays, each once */
export function memoryOf(arrays: readonly ArrayBufferView[]): ArrayBuffer[] {
  return [...new Set(arrays.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}

/**
 * Answers what is called.
 *
 * @returns reports an event, with memory that is given away
 */
export function serveCalls<Called extends Commands<NamesOf<Called>>, Event = never>(
  port: HostPort<Called, Event>,
  handlers: Handlers<Called>,
): (event: Event, memory?: readonly ArrayBuffer[]) => void {
  const handle = async ({ call, name, argument }: CallMessage<NamesOf<Called>>): Promise<void> => {
    try {
      const handled = await handlers[name](argument as never);
      if (call === undefined) return;
      const [result, memory] = handled instanceof Given ? [handled.value, handled.memory] : [handled, []];
      port.post({ type: 'result', call, result }, memory);
    } catch (error) {
      if (call !== undefined) port.post({ type: 'failure', call, failure: toPlainError(error) }, []);
    }
  };
  port.listen((message) => void handle(message));
  return (event, memory = []) => port.post({ type: 'event', event }, memory);
}

interface Caller<Called> {
  /** Rejects with what the host threw, or what the caller was closed with. */
  call<Name extends NamesOf<Called>>(
    name: Name,
    argument: ArgumentOf<Called[Name]>,
    memory?: readonly ArrayBuffer[],
  ): Promise<ResultOf<Called[Name]>>;
  /** Calls without waiting; nothing is known of how it ended. */
  send<Name extends NamesOf<Called>>(name: Name, argument: ArgumentOf<Called[Name]>): void;
  /** Calls that wait, and all later ones, reject with this; events are not reported any more. */
  close(error: Error): void;
}

/**
 * Calls what `serveCalls` answers.
 *
 * @param onFailure is notified of a host that breaks down; the caller is closed with that error then
 */
export function createCaller<Called extends Commands<NamesOf<Called>>, Event = never>(
  port: ServicePort<Called, Event>,
  listener: (event: Event) => void = () => undefined,
  onFailure: (error: Error) => void = () => undefined,
): Caller<Called> {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let closed: Error | undefined;
  let next = 0;
  const close = (error: Error): void => {
    closed ??= error;
    for (const { reject } of waiting.values()) reject(closed);
    waiting.clear();
  };
  port.listen((message) => {
    if (closed) return;
    if (message.type === 'event') {
      listener(message.event);
      return;
    }
    const call = waiting.get(message.call);
    waiting.delete(message.call);
    if (message.type === 'result') call?.resolve(message.result);
    else call?.reject(fromPlainError(message.failure));
  });
  port.onFailure((error) => {
    if (closed) return;
    onFailure(error);
    close(error);
  });
  return {
    call<Name extends NamesOf<Called>>(
      name: Name,
      argument: ArgumentOf<Called[Name]>,
      memory: readonly ArrayBuffer[] = [],
    ) {
      return new Promise<ResultOf<Called[Name]>>((resolve, reject) => {
        if (closed) {
          reject(closed);
          return;
        }
        const call = next++;
        waiting.set(call, { resolve: resolve as (result: unknown) => void, reject });
        port.post({ call, name, argument }, memory);
      });
    },
    send: (name, argument) => port.post({ call: undefined, name, argument }, []),
    close,
  };
}

/** A service in a thread of its own, which ends with it. */
export interface Service<Called> extends Pick<Caller<Called>, 'call' | 'send'> {
  /** Ends its thread, whatever it is doing: calls that wait, and all later ones, reject with this. */
  end(error?: Error): void;
}

/**
 * Calls what `serveCalls` answers in a thread that was started for it.
 *
 * @param listener takes the events, which nobody called for
 * @param onFailure is notified of a thread that breaks down; it is ended then
 */
export function startService<Called extends Commands<NamesOf<Called>>, Event = never>(
  port: ServicePort<Called, Event>,
  listener?: (event: Event) => void,
  onFailure?: (error: Error) => void,
): Service<Called> {
  const caller = createCaller<Called, Event>(port, listener, (error) => {
    onFailure?.(error);
    port.close();
  });
  return {
    ...caller,
    end(error = new Error('the service was ended')) {
      caller.close(error);
      port.close();
    },
  };
}
