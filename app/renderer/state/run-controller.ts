/**
 * Drives the run on screen: opens sessions, plays, steps, goes round in a loop, applies changed settings, and goes on from
 * the last checkpoint when the computing was lost. Everything that it learns goes into session-state.
 */
import { batch, effect } from '@preact/signals';
import { retargetCheckpoint } from '../../../engine/index.ts';
import type { BackendName, Checkpoint, Scenario } from '../../../engine/index.ts';
import type { OpenSession, Plane, Session, SessionEvent, SessionInfo, Snapshot } from '../session/session.ts';
import { notify } from './notices.ts';
import { draftScenario, markApplied, origin, pendingEffect } from './scenario-state.ts';
import {
  addDiagnostics,
  addKernels,
  addSnapshot,
  clearRun,
  computing,
  cycle,
  failure,
  followNewest,
  forgetSnapshots,
  history,
  info,
  loopRange,
  machineCeilings,
  newestCycle,
  oldestCycle,
  playing,
  showCycle,
  speed,
  status,
  onForget,
  probeReadings,
  storedAfter,
  storedBefore,
} from './session-state.ts';
import { clearSelection, probes } from './view-state.ts';

export type BackendChoice = Parameters<OpenSession>[1]['backend'];
export type SessionFiles = Readonly<Record<string, Uint8Array>>;

export interface Clock {
  /** Milliseconds. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export interface StartOptions {
  /** Whether it plays as soon as it is there; it does unless it is told not to. */
  readonly play?: boolean;
  /** Where the run goes on. */
  readonly checkpoint?: Checkpoint;
}

export interface RunController {
  /** Ends what runs and begins another run. */
  start(scenario: Scenario, files: SessionFiles, options?: StartOptions): void;
  play(): void;
  pause(): void;
  /** The next cycle: a stored one, or one that is computed now. */
  stepForward(): Promise<void>;
  stepBack(): void;
  /** Shows a stored cycle, and stops following the newest unless it is that. */
  scrub(wanted: number): void;
  restart(): void;
  /** Brings the draft into the run: at once for words, at the next cycle or from the start as the changes need it. */
  apply(): Promise<void>;
  /** The session's checkpoint, or undefined while there is none. */
  checkpoint(): Promise<Checkpoint | undefined>;
  dispose(): void;
}

export interface RunControllerOptions {
  readonly backend?: BackendChoice;
  readonly clock?: Clock;
  /** Whether playing begins anew at the end of the run. */
  readonly repeats?: () => boolean;
}

/** A run that is lost again and again is left alone. */
const MAXIMUM_RECOVERIES = 3;

const systemClock: Clock = {
  now: () => performance.now(),
  wait: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
};

function isOnDevice({ truth: { eta } }: Snapshot): boolean {
  const plane: Plane = eta;
  return plane.kind === 'device';
}

interface Current {
  readonly session: Session;
  readonly scenario: Scenario;
  readonly files: SessionFiles;
  /** What it was opened from. */
  readonly from: Checkpoint | undefined;
  /** The cycle that is being computed. */
  step?: Promise<boolean> | undefined;
}

function rewind(): void {
  followNewest.value = false;
  showCycle(oldestCycle.value);
}

/** @returns whether there was a stored cycle to go on to */
function showNext(): boolean {
  const next = storedAfter(cycle.value);
  if (next !== undefined) showCycle(next);
  return next !== undefined;
}

export function createRunController(
  open: OpenSession,
  { backend = 'auto', clock = systemClock, repeats = () => false }: RunControllerOptions = {},
): RunController {
  let current: Current | undefined;
  /** Raised by whatever ends a row of playing; a loop that finds another number stops. */
  let playTurn = 0;
  let recoveries = 0;

  function opened(next: SessionInfo, snapshot: Snapshot, continues: boolean): void {
    batch(() => {
      info.value = next;
      failure.value = undefined;
      status.value = newestCycle.value >= next.cycles - 1 ? 'ended' : 'ready';
      if (!continues || snapshot.cycle > newestCycle.value) addSnapshot(snapshot);
    });
    if (playing.value) startPlaying();
  }

  function failed(message: string, recoverable: boolean): void {
    computing.value = false;
    if (recoverable && current && recoveries < MAXIMUM_RECOVERIES) {
      recoveries += 1;
      recover(current, message);
      return;
    }
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

  function recover({ session, scenario, files, from: opened }: Current, message: string): void {
    const saved = session.lastCheckpoint ?? opened;
    const from = saved ? `from cycle ${saved.cycle}` : 'from the start';
    notify('warning', `The computing was lost; the run goes on ${from}`, { lines: [message] });
    if (!saved) clearRun();
    openSession(scenario, files, saved);
  }

  function listen(event: SessionEvent, continues: boolean): void {
    switch (event.type) {
      case 'ready':
        opened(event.info, event.snapshot, continues);
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

  function openSession(scenario: Scenario, files: SessionFiles, checkpoint?: Checkpoint): void {
    playTurn += 1;
    // Planes on a device go with the session that made them.
    if (history.value.snapshots.some(isOnDevice)) forgetSnapshots();
    current?.session.dispose();
    current = undefined;
    status.value = 'opening';
    computing.value = false;
    const turn: { session?: Session } = {};
    const session = open(scenario, {
      backend,
      files,
      ...(checkpoint && { checkpoint }),
      listener: (event) => {
        // What an ended session still says is of no interest; the first event may come before `open` returns.
        if (turn.session === undefined || turn.session === current?.session) {
          listen(event, checkpoint !== undefined);
        }
      },
    });
    turn.session = session;
    session.onProbe((cell, readings) => {
      if (session === current?.session) probeReadings.value = new Map(probeReadings.value).set(cell, readings);
    });
    session.probe(probes.peek());
    current = { session, scenario, files, from: checkpoint };
  }

  /** Computes one cycle, or waits for the one that is being computed. @returns whether there is one more than before */
  function compute(): Promise<boolean> {
    const of = current;
    if (!of || status.value !== 'ready') return Promise.resolve(false);
    of.step ??= computeOne(of).finally(() => {
      of.step = undefined;
    });
    return of.step;
  }

  async function computeOne(of: Current): Promise<boolean> {
    computing.value = true;
    try {
      await of.session.step();
      return of === current;
    } catch (error) {
      if (of === current && status.value === 'ready') {
        failed(error instanceof Error ? error.message : String(error), false);
      }
      return false;
    } finally {
      if (of === current) computing.value = false;
    }
  }

  /**
   * Goes one cycle on, within the loop where there is one. A cycle that is there only after playing has ended is kept, and the
   * view stays where it was put in the meantime.
   *
   * @returns whether there was anything to go on to
   */
  async function advance(goesOn: () => boolean): Promise<boolean> {
    const loop = loopRange.value;
    if (loop && (cycle.value >= loop.to || cycle.value < loop.from)) {
      followNewest.value = false;
      showCycle(loop.from);
      return true;
    }
    if (showNext()) return true;
    if (status.value === 'ended' && repeats()) {
      rewind();
      return true;
    }
    if (!(await compute())) return false;
    if (goesOn()) showNext();
    return true;
  }

  function startPlaying(): void {
    playTurn += 1;
    void playOn(playTurn);
  }

  async function playOn(turn: number): Promise<void> {
    const goesOn = (): boolean => playing.value && turn === playTurn;
    while (goesOn()) {
      const start = clock.now();
      if (!(await advance(goesOn))) break;
      const pause = 1000 / speed.value - (clock.now() - start);
      // At least one task in between, so that what was computed is drawn.
      await clock.wait(Math.max(0, pause));
    }
    const isOver = turn === playTurn && status.value !== 'opening';
    if (isOver) playing.value = false;
  }

  function restart(): void {
    if (current) start(current.scenario, current.files, { play: playing.value });
  }

  function start(scenario: Scenario, files: SessionFiles, { play = true, checkpoint }: StartOptions = {}): void {
    recoveries = 0;
    const { nx, ny } = scenario.grid;
    const basin = info.peek()?.basin;
    batch(() => {
      // Probes stay where they are while the basin does.
      if (basin?.nx !== nx || basin.ny !== ny) clearSelection();
      clearRun();
      playing.value = play;
    });
    openSession(scenario, files, checkpoint);
  }

  onForget((snapshot) => current?.session.release(snapshot));
  const endProbing = effect(() => {
    const cells = probes.value;
    current?.session.probe(cells);
  });

  return {
    start,
    restart,
    play() {
      const atEnd = status.value === 'ended' && cycle.value >= newestCycle.value && !loopRange.value;
      if (atEnd) rewind();
      playing.value = true;
      startPlaying();
    },
    pause() {
      playing.value = false;
      playTurn += 1;
    },
    async stepForward() {
      playing.value = false;
      playTurn += 1;
      if (!showNext() && (await compute())) showCycle(newestCycle.value);
    },
    stepBack() {
      playing.value = false;
      playTurn += 1;
      followNewest.value = false;
      showCycle(storedBefore(cycle.value) ?? cycle.value);
    },
    scrub(wanted) {
      followNewest.value = wanted >= newestCycle.value;
      showCycle(wanted);
    },
    async apply() {
      const scenario = draftScenario.value;
      if (!scenario) return;
      const effect = pendingEffect.value;
      const { files } = origin.value;
      if (!current || effect === 'restart') {
        markApplied();
        start(scenario, files, { play: true });
        return;
      }
      if (effect === 'none') {
        markApplied();
        return;
      }
      const of = current;
      const latest = await of.session.checkpoint().catch(() => of.session.lastCheckpoint);
      const running = info.value?.backend;
      if (of !== current || !running) return;
      markApplied();
      if (!latest) {
        start(scenario, files, { play: true });
        return;
      }
      const { name, adapter } = running;
      openSession(scenario, files, retargetCheckpoint(latest, scenario, { name: name as BackendName, adapter }));
    },
    async checkpoint() {
      return current?.session.checkpoint();
    },
    dispose() {
      endProbing();
      playTurn += 1;
      current?.session.dispose();
      current = undefined;
    },
  };
}

let controller: RunController | undefined;

/** Sets the controller of this page, once, before anything is drawn. */
export function setRunController(next: RunController): void {
  controller = next;
}

/** @throws RangeError before it is set */
export function runController(): RunController {
  if (!controller) throw new RangeError('the run controller is not set yet; setRunController comes first');
  return controller;
}

/** Ends what runs and begins another run, which plays. */
export function startRun(scenario: Scenario, files: SessionFiles = {}): void {
  runController().start(scenario, files);
}
