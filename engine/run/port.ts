/** The line between a run and who holds it: two ends that post and listen, whatever lies between them. */

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

export interface LocalPorts<ToHost, FromHost> {
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
