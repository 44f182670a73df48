/**
 * Keeps the one session of the page: opens it, takes in what it says, computes cycle by cycle, and goes on from the last
 * checkpoint when the computing was lost. Everything that it learns goes into session-state.
 */
import { batch, effect, untracked } from '@preact/signals';
import { createCheckpointRing, cyclesOf } from '../../../engine/index.ts';
import type { Checkpoint, Scenario } from '../../../engine/index.ts';
import type { Kept, OpenSession, Session, SessionEvent, SessionInfo, Snapshot } from '../session/session.ts';
import type { KeeperOptions, KeeperStates, KeptSession, SessionFiles, SessionKeeper } from './keeper-contract.ts';
import type { LongWorkHandle } from '../../page/progress.ts';
import type { RunFailure } from './session-state.ts';

/** Milliseconds that a session may take to be ready before anything is said of it. */
const A_MOMENT = 500;
/** How far the preparation of a run is when a part of it is that far: which part takes longer differs from run to run. */
const PREPARATION: Readonly<Record<'drawing' | 'spin-up', (share: number) => number>> = {
  drawing: (share) => share / 2,
  'spin-up': (share) => (1 + share) / 2,
};

/** A run that is lost again and again is left alone. */
const MAXIMUM_RECOVERIES = 3;

interface Current extends KeptSession {
  /** Of now: what is changed while the run goes on is in it. */
  scenario: Scenario;
  /** The cycle that is being computed. */
  step?: Promise<boolean> | undefined;
  /** A change that takes hold before the next cycle. */
  edit?: Promise<boolean> | undefined;
  /** Hears of each cycle that is computed again, before the one that was gone back to. */
  onAgain?: ((cycle: number) => void) | undefined;
}

function isOnDevice({ truth: { eta } }: Snapshot): boolean {
  return eta.kind === 'device';
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function createSessionKeeper(
  openSession: OpenSession,
  { session: state, clock, view: { probes }, notices: { notify, dismissRun }, progress: { beginWork } }: KeeperStates,
  { backend, name = () => 'the run', ringBytes, onOpening, onReady, onDiverged, onCycle, restart }: KeeperOptions,
): SessionKeeper {
  const {
    computing,
    failure,
    history,
    info,
    keepsForecasts,
    machineCeilings,
    newestCycle,
    playing,
    probeReadings,
    recorded,
    status,
  } = state;
  const {
    addDiagnostics,
    addDivergence,
    addKernels,
    addTrace,
    addSnapshot,
    addWarning,
    clearRun,
    forgetFrom,
    forgetSnapshots,
  } = state;
  let current: Current | undefined;
  /** The sessions that what is stored is of: what one session stored outlives it when another goes on. */
  const makers = new WeakMap<Kept, Session>();
  let losses = 0;
  const ring = createCheckpointRing(ringBytes);

  /** Planes on a device that is lost, or is drawn with no more, are lost with it. */
  function forgetDevicePlanes(): void {
    if (history.value.snapshots.some(isOnDevice)) forgetSnapshots();
  }

  /** @param goal the cycle that is to come next; what lies before it is computed again */
  function ready(next: SessionInfo, snapshot: Snapshot, continues: boolean, goal: number): void {
    const of = current;
    const isThere = snapshot.cycle + 1 >= goal;
    batch(() => {
      // Planes on another device than the one that is drawn with cannot be drawn.
      if (info.peek()?.device !== next.device) forgetDevicePlanes();
      info.value = next;
      failure.value = undefined;
      if (isThere) status.value = newestCycle.value >= next.cycles - 1 ? 'ended' : 'ready';
      const isNew = !continues || history.value.snapshots.length === 0 || snapshot.cycle > newestCycle.value;
      if (isNew) addSnapshot(snapshot);
      else makers.get(snapshot)?.release(snapshot);
    });
    if (isThere) onReady();
    else if (of) void computeUpTo(of, snapshot.cycle + 1, goal);
  }

  /** Whether a session is the one that is being prepared. */
  function isWaitedFor(of: Current): boolean {
    return of === current && status.value === 'opening';
  }

  /** Computes again what lies between a checkpoint and the cycle that was gone back to. */
  async function computeUpTo(of: Current, first: number, goal: number): Promise<void> {
    const work = beginWork(`Computing ${name()} up to cycle ${goal}`);
    of.onAgain = (cycle) => work.update((cycle + 1 - first) / (goal - first));
    try {
      await of.session.playTo(goal);
    } catch (error) {
      if (isWaitedFor(of)) failed({ message: messageOf(error), recoverable: false });
    } finally {
      of.onAgain = undefined;
      work.end();
    }
    if (!isWaitedFor(of)) return;
    status.value = 'ready';
    onReady();
  }

  /** Stores a cycle; one that is stored and was computed again, on the way to another, is let go of. */
  function take({ snapshot, motion, diagnostics }: Extract<SessionEvent, { type: 'cycle' }>): void {
    current?.onAgain?.(snapshot.cycle);
    if (current?.onAgain && snapshot.cycle <= newestCycle.value) {
      makers.get(snapshot)?.release(snapshot);
      if (motion) makers.get(motion)?.release(motion);
      return;
    }
    batch(() => {
      recorded.dropFrom(snapshot.cycle);
      addDiagnostics(diagnostics);
      clock.cycleIsDone();
      addSnapshot(snapshot, motion);
    });
    onCycle(snapshot.cycle);
  }

  function failed({ message, recoverable, diverged }: RunFailure): void {
    computing.value = false;
    if (recoverable && current && recover(current, message)) return;
    batch(() => {
      status.value = 'failed';
      failure.value = { message, recoverable, ...(diverged && { diverged }) };
      playing.value = false;
    });
    notify('error', `${capitalised(name())} cannot continue`, {
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
    notify('warning', `The computation was lost; ${name()} continues ${where}`, { lines: [message] });
    if (saved) forgetDevicePlanes();
    else clearRun();
    open(scenario, files, saved);
    return true;
  }

  let openedAt = 0;
  /** Shown while a session is being prepared that takes more than a moment. */
  let preparation: LongWorkHandle | undefined;
  function endPreparation(): void {
    preparation?.end();
    preparation = undefined;
  }

  function stopPreparation(): void {
    current?.session.dispose();
    endPreparation();
    failed({ message: 'It was stopped before its first cycle.', recoverable: false });
  }

  function listen(event: SessionEvent, continues: boolean, goal: number): void {
    if (event.type !== 'preparing') endPreparation();
    switch (event.type) {
      case 'preparing':
        if (performance.now() - openedAt < A_MOMENT) break;
        preparation ??= beginWork(`Preparing ${name()}`, stopPreparation);
        preparation.update(PREPARATION[event.part](event.share));
        break;
      case 'ready':
        ready(event.info, event.snapshot, continues, goal);
        break;
      case 'cycle':
        take(event);
        break;
      case 'kernels':
        addKernels(event.cycle, event.samples);
        break;
      case 'trace':
        addTrace(event.trace, event.samples);
        break;
      case 'diverged':
        addDivergence(event.divergence);
        onDiverged(event.divergence);
        break;
      case 'ceilings':
        machineCeilings.value = event.ceilings;
        break;
      case 'warning':
        addWarning(event.message);
        notify('warning', `From ${name()}`, { lines: [event.message], run: state });
        break;
      case 'ended':
        status.value = 'ended';
        break;
      case 'failed':
        failed(event);
        break;
      default:
        event satisfies never;
    }
  }

  function open(scenario: Scenario, files: SessionFiles, checkpoint?: Checkpoint, goal = checkpoint?.cycle ?? 0): void {
    onOpening();
    endPreparation();
    dismissRun(state);
    current?.session.dispose();
    current = undefined;
    status.value = 'opening';
    computing.value = false;
    openedAt = performance.now();
    const turn: { session?: Session } = {};
    const session = openSession(scenario, {
      backend,
      files,
      ...(checkpoint && { checkpoint }),
      onCheckpoint: (taken) => {
        if (turn.session === current?.session) ring.add(taken);
      },
      listener: (event) => {
        // What an ended session still says is of no interest; the first event may come before it is returned.
        if (turn.session !== undefined && turn.session !== current?.session) return;
        const snapshot = event.type === 'ready' || event.type === 'cycle' ? event.snapshot : undefined;
        if (snapshot && turn.session) makers.set(snapshot, turn.session);
        if (event.type === 'cycle' && event.motion && turn.session) makers.set(event.motion, turn.session);
        listen(event, checkpoint !== undefined || goal > 0, goal);
      },
    });
    turn.session = session;
    session.onProbe((cell, readings) => {
      if (session === current?.session) probeReadings.value = new Map(probeReadings.value).set(cell, readings);
    });
    session.probe(probes.peek());
    session.keepForecasts(keepsForecasts.peek());
    if (checkpoint) ring.add(checkpoint);
    current = { session, scenario, files, from: checkpoint };
  }

  async function computeOne(of: Current): Promise<boolean> {
    // A change that is refused leaves the run as it is.
    if (of.edit && !(await of.edit.catch(() => true))) return false;
    if (of !== current || status.value !== 'ready') return false;
    computing.value = true;
    try {
      await of.session.step();
      return of === current;
    } catch (error) {
      if (of === current && status.value === 'ready') failed({ message: messageOf(error), recoverable: false });
      return false;
    } finally {
      if (of === current) computing.value = false;
    }
  }

  /** @param before what was asked for earlier */
  async function editAfter(
    before: Promise<unknown>,
    of: Current,
    change: (nextCycle: number) => Scenario | undefined,
  ): Promise<boolean> {
    await before;
    const goesOn = (): boolean => of === current && (status.value === 'ready' || status.value === 'ended');
    const nextCycle = newestCycle.value + 1;
    if (!goesOn() || nextCycle === 0) return false;
    const [unchanged, scenario] = [of.scenario, change(nextCycle)];
    if (!scenario) return true;
    // Whoever takes the change back goes on from here.
    const keep = (taken: Checkpoint): void => {
      if (of === current) ring.add(taken);
    };
    const isKept = (info.peek()?.checkpointBytes ?? 0) <= ring.limitBytes;
    if (isKept) void of.session.checkpoint().then(keep, () => undefined);
    // A session that is lost from now on goes on with the change in another.
    of.scenario = scenario;
    await of.session.edit(scenario).catch((error: unknown) => {
      of.scenario = unchanged;
      throw error;
    });
    if (!goesOn()) return of === current;
    batch(() => {
      const cycles = cyclesOf(scenario);
      if (info.value) info.value = { ...info.value, scenario, cycles };
      status.value = newestCycle.value >= cycles - 1 ? 'ended' : 'ready';
    });
    return true;
  }

  state.onForget((kept) => makers.get(kept)?.release(kept));
  const endProbing = effect(() => {
    const cells = probes.value;
    if (!current) return;
    current.session.probe(cells);
    const { nx } = current.scenario.grid;
    untracked(() => state.keepReadings(new Set(cells.map(({ x, y }) => y * nx + x))));
  });
  const endKeeping = effect(() => {
    // Read before there is a session: an effect that reads nothing never runs again.
    const wanted = keepsForecasts.value;
    current?.session.keepForecasts(wanted);
  });

  return {
    open,
    get current() {
      return current;
    },
    edit(change) {
      const of = current;
      if (!of) return Promise.resolve(false);
      // A cycle that was asked for before comes before, though it may itself wait for an earlier change.
      const before = Promise.allSettled([of.edit, of.step]);
      const edit = editAfter(before, of, change).finally(() => {
        if (of.edit === edit) of.edit = undefined;
      });
      of.edit = edit;
      return edit;
    },
    goBack(scenario, cycle) {
      if (!current) return;
      const { files } = current;
      const from = ring.before(cycle);
      ring.dropAfter(cycle);
      forgetFrom(cycle);
      open(scenario, files, from, cycle);
    },
    before: (cycle) => ring.before(cycle),
    async latestCheckpoint() {
      const of = current;
      if (!of) return undefined;
      const taken = await of.session.checkpoint().catch(() => of.session.lastCheckpoint ?? of.from);
      if (taken && of === current) ring.add(taken);
      return taken;
    },
    forgetPast() {
      losses = 0;
      ring.clear();
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
      endKeeping();
      endPreparation();
      dismissRun(state);
      current?.session.dispose();
      current = undefined;
    },
  };
}
