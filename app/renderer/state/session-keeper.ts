/**
 * Keeps the one session of the page: opens it, takes in what it says, computes cycle by cycle, and goes on from the last
 * checkpoint when the computing was lost. Everything that it learns goes into session-state.
 */
import { batch, effect, untracked } from '@preact/signals';
import type { Checkpoint, Scenario } from '../../../engine/index.ts';
import type { OpenSession, Session, SessionEvent, SessionInfo, Snapshot } from '../session/session.ts';
import { notify } from './notices.ts';
import {
  addDiagnostics,
  addKernels,
  addSnapshot,
  clearRun,
  computing,
  failure,
  forgetSnapshots,
  history,
  info,
  keepReadings,
  machineCeilings,
  newestCycle,
  onForget,
  playing,
  probeReadings,
  status,
} from './session-state.ts';
import { probes } from './view-state.ts';

export type BackendChoice = Parameters<OpenSession>[1]['backend'];
export type SessionFiles = Readonly<Record<string, Uint8Array>>;

/** A run that is lost again and again is left alone. */
const MAXIMUM_RECOVERIES = 3;

export interface KeptSession {
  readonly session: Session;
  readonly scenario: Scenario;
  readonly files: SessionFiles;
  /** What it was opened from. */
  readonly from: Checkpoint | undefined;
}

interface Current extends KeptSession {
  /** The cycle that is being computed. */
  step?: Promise<boolean> | undefined;
}

export interface KeeperOptions {
  readonly backend: BackendChoice;
  /** A session is about to be opened in place of the one that there is. */
  readonly onOpening: () => void;
  readonly onReady: () => void;
  /** What a person can do about a run that failed. */
  readonly restart: () => void;
}

export interface SessionKeeper {
  readonly current: KeptSession | undefined;
  /** Ends the session and opens another, which goes on from the checkpoint where there is one. */
  open(scenario: Scenario, files: SessionFiles, checkpoint?: Checkpoint): void;
  /** Forgets how often the run was lost, for another run. */
  forgetLosses(): void;
  /** Computes one cycle, or waits for the one that is being computed. @returns whether there is one more than before */
  compute(): Promise<boolean>;
  dispose(): void;
}

function isOnDevice({ truth: { eta } }: Snapshot): boolean {
  return eta.kind === 'device';
}

/** Planes on a device that is lost, or is drawn with no more, are lost with it. */
function forgetDevicePlanes(): void {
  if (history.value.snapshots.some(isOnDevice)) forgetSnapshots();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function createSessionKeeper(
  openSession: OpenSession,
  { backend, onOpening, onReady, restart }: KeeperOptions,
): SessionKeeper {
  let current: Current | undefined;
  /** The sessions that the stored snapshots are of: what one session stored outlives it when another goes on. */
  const makers = new WeakMap<Snapshot, Session>();
  let losses = 0;

  function ready(next: SessionInfo, snapshot: Snapshot, continues: boolean): void {
    batch(() => {
      // Planes on another device than the one that is drawn with cannot be drawn.
      if (info.peek()?.device !== next.device) forgetDevicePlanes();
      info.value = next;
      failure.value = undefined;
      status.value = newestCycle.value >= next.cycles - 1 ? 'ended' : 'ready';
      const isNew = !continues || history.value.snapshots.length === 0 || snapshot.cycle > newestCycle.value;
      if (isNew) addSnapshot(snapshot);
      else makers.get(snapshot)?.release(snapshot);
    });
    onReady();
  }

  function failed(message: string, recoverable: boolean): void {
    computing.value = false;
    if (recoverable && current && recover(current, message)) return;
    batch(() => {
      status.value = 'failed';
      failure.value = { message, recoverable };
      playing.value = false;
    });
    notify('error', 'The run cannot go on', {
      lines: [message],
      actions: [{ title: 'Start again', run: restart }],
    });
  }

  /** @returns whether the run goes on */
  function recover({ session, scenario, files, from }: Current, message: string): boolean {
    const { lastCheckpoint } = session;
    // One that came further than where it began was not lost in vain.
    if (lastCheckpoint && lastCheckpoint.cycle > (from?.cycle ?? 0)) losses = 0;
    if (losses >= MAXIMUM_RECOVERIES) return false;
    losses += 1;
    const saved = lastCheckpoint ?? from;
    const where = saved ? `from cycle ${saved.cycle}` : 'from the start';
    notify('warning', `The computing was lost; the run goes on ${where}`, { lines: [message] });
    if (saved) forgetDevicePlanes();
    else clearRun();
    open(scenario, files, saved);
    return true;
  }

  function listen(event: SessionEvent, continues: boolean): void {
    switch (event.type) {
      case 'ready':
        ready(event.info, event.snapshot, continues);
        break;
      case 'cycle':
        batch(() => {
          addDiagnostics(event.diagnostics);
          addSnapshot(event.snapshot);
        });
        break;
      case 'kernels':
        addKernels(event.cycle, event.samples);
        break;
      case 'ceilings':
        machineCeilings.value = event.ceilings;
        break;
      case 'warning':
        notify('warning', 'From the run', { lines: [event.message] });
        break;
      case 'ended':
        status.value = 'ended';
        break;
      case 'failed':
        failed(event.message, event.recoverable);
        break;
      default:
        event satisfies never;
    }
  }

  function open(scenario: Scenario, files: SessionFiles, checkpoint?: Checkpoint): void {
    onOpening();
    current?.session.dispose();
    current = undefined;
    status.value = 'opening';
    computing.value = false;
    const turn: { session?: Session } = {};
    const session = openSession(scenario, {
      backend,
      files,
      ...(checkpoint && { checkpoint }),
      listener: (event) => {
        // What an ended session still says is of no interest; the first event may come before it is returned.
        if (turn.session !== undefined && turn.session !== current?.session) return;
        const snapshot = event.type === 'ready' || event.type === 'cycle' ? event.snapshot : undefined;
        if (snapshot && turn.session) makers.set(snapshot, turn.session);
        listen(event, checkpoint !== undefined);
      },
    });
    turn.session = session;
    session.onProbe((cell, readings) => {
      if (session === current?.session) probeReadings.value = new Map(probeReadings.value).set(cell, readings);
    });
    session.probe(probes.peek());
    current = { session, scenario, files, from: checkpoint };
  }

  async function computeOne(of: Current): Promise<boolean> {
    computing.value = true;
    try {
      await of.session.step();
      return of === current;
    } catch (error) {
      if (of === current && status.value === 'ready') failed(messageOf(error), false);
      return false;
    } finally {
      if (of === current) computing.value = false;
    }
  }

  onForget((snapshot) => makers.get(snapshot)?.release(snapshot));
  const endProbing = effect(() => {
    const cells = probes.value;
    if (!current) return;
    current.session.probe(cells);
    const { nx } = current.scenario.grid;
    untracked(() => keepReadings(new Set(cells.map(({ x, y }) => y * nx + x))));
  });

  return {
    open,
    get current() {
      return current;
    },
    forgetLosses() {
      losses = 0;
    },
    compute() {
      const of = current;
      if (!of || status.value !== 'ready') return Promise.resolve(false);
      of.step ??= computeOne(of).finally(() => {
        of.step = undefined;
      });
      return of.step;
    },
    dispose() {
      endProbing();
      current?.session.dispose();
      current = undefined;
    },
  };
}
