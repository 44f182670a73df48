/** What is called in the thread or worker that checks a backend, and what it says meanwhile; and that side of it. */
import { runCheck, serveCalls } from '../../engine/index.ts';
import type { Backend, CheckedBackend, CheckListener, CheckResult, HostPort } from '../../engine/index.ts';

// A type, not an interface: it has to be a record of functions.
export type CheckCommands = {
  /** Every case, one after the other. It ends with its thread. */
  readonly check: () => void;
};

export type CheckEvent =
  | { readonly type: 'opened'; readonly backend: CheckedBackend; readonly cases: number }
  | { readonly type: 'begin'; readonly title: string }
  | { readonly type: 'result'; readonly result: CheckResult };

/** Hands what the thread says to who listens to a check. */
export function hearCheck(event: CheckEvent, listener: CheckListener): void {
  switch (event.type) {
    case 'opened':
      listener.opened(event.backend, event.cases);
      break;
    case 'begin':
      listener.begin(event.title);
      break;
    case 'result':
      listener.result(event.result);
      break;
    default:
      event satisfies never;
  }
}

/** @param turn lets messages in */
export function serveCheck(
  port: HostPort<CheckCommands, CheckEvent>,
  open: () => Promise<Backend>,
  turn: () => Promise<void>,
): void {
  const tell = serveCalls<CheckCommands, CheckEvent>(port, {
    async check() {
      const backend = await open();
      try {
        await runCheck(
          backend,
          {
            opened: (opened, cases) => tell({ type: 'opened', backend: opened, cases }),
            begin: (title) => tell({ type: 'begin', title }),
            result: (result) => tell({ type: 'result', result }),
          },
          { signal: new AbortController().signal, turn },
        );
      } finally {
        backend.dispose();
      }
    },
  });
}
