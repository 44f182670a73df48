/**
 * What the page and the worker of a session say to each other. Plain data; planes are transferred, not copied. The end has no
 * message: the page terminates the worker, whatever it is doing.
 */
import type { Ceilings, Checkpoint, ProbeCell, Scenario } from '../../../engine/index.ts';
import type { CellReading } from './engine-session.ts';
import type { Motion, SessionEvent, Snapshot } from './session.ts';

export type ToWorker =
  | {
      readonly type: 'open';
      readonly scenario: Scenario;
      readonly files: Readonly<Record<string, Uint8Array>>;
      readonly checkpoint: Checkpoint | undefined;
      readonly reason: string;
      readonly ceilings: Ceilings | undefined;
    }
  | { readonly type: 'step'; readonly call: number }
  | { readonly type: 'checkpoint'; readonly call: number }
  | { readonly type: 'probe'; readonly cells: readonly ProbeCell[] };

export type FromWorker =
  | { readonly type: 'event'; readonly event: SessionEvent }
  | { readonly type: 'readings'; readonly readings: readonly CellReading[] }
  /** One that was taken without asking. */
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint }
  /** To `step` and `checkpoint`; with `failure` the call could not be carried out. */
  | {
      readonly type: 'answer';
      readonly call: number;
      readonly checkpoint?: Checkpoint | undefined;
      readonly failure?: string;
    };

/** One end of the line. */
export interface Port<In, Out> {
  post(message: Out, transfer: readonly ArrayBuffer[]): void;
  /** Takes the messages that come from now on. */
  listen(listener: (message: In) => void): void;
}

/** The memory of the planes of a snapshot and of a motion, each array once. */
export function transferables({ truth, methods }: Snapshot, motion?: Motion): ArrayBuffer[] {
  const planes = [
    truth.eta,
    ...methods.flatMap(({ forecast, analysis, spread }) => [forecast.eta, analysis.eta, ...(spread ? [spread] : [])]),
    ...(motion?.surfaces ?? []).flatMap(({ frames }) => frames.map(({ eta }) => eta)),
  ];
  const memory = planes.flatMap((plane) => (plane.kind === 'host' ? [plane.values.buffer as ArrayBuffer] : []));
  return [...new Set(memory)];
}
