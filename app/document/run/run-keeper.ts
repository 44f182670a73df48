/**
 * Keeps the one run on screen: opens it, takes in what it says, computes cycle by cycle, and continues from the last checkpoint in
 * another when the computing was lost. Everything that it learns goes into its course.
 */
import { batch, effect, untracked } from '@preact/signals';
import {
  AllDivergedError,
  createCheckpointRing,
  cyclesOf,
  DeviceLostError,
  DivergenceError,
  errorOf,
  LimitError,
  RunLostError,
  ScenarioError,
  type Checkpoint,
  type RunEvent,
  type RunInfo,
  type RunObserver,
  type RunWriter,
  type Scenario,
  type Snapshot,
} from '../../../engine/index.ts';
import type { LongWorkHandle } from '../../page/notices.ts';
import type { OpenRun } from './page-run.ts';
import type { KeeperOptions, KeeperStates, KeptRun, RunFiles, RunKeeper } from './keeper-contract.ts';
import type { RunFailure } from './run-course.ts';
import { createIntake, type RunIntake } from './run-intake.ts';

/** Milliseconds that a run may take to be ready before anything is said about it. */
const A_MOMENT = 500;
/** How far the preparation of a run is when a part of it is that far: which part takes longer differs from run to run. */
const PREPARATION: Readonly<Record<'drawing' | 'spin-up', (share: number) => number>> = {
  drawing: (share) => share / 2,
  'spin-up': (share) => (1 + share) / 2,
};

/** A run that is lost again and again is left alone. */
const MAXIMUM_RECOVERIES = 3;

/** For a caller that asks and needs no events. */
const ASKING: RunObserver = { forecasts: true, event: () => undefined };

interface Current extends KeptRun {
  /** The current scenario, with what was changed while the run continued. */
  scenario: Scenario;
  /** The checkpoint that was taken last without asking, some seconds old. */
  last?: Checkpoint | undefined;
  readonly intake: RunIntake;
  /** Ends the wish for forecasts. */
  forgo?: (() => void) | undefined;
  /** The cycle that is being computed. */
  step?: Promise<boolean> | undefined;
  /** A change that takes effect before the next cycle. */
  edit?: Promise<boolean> | undefined;
}

function isOnDevice({ truth: { eta } }: Snapshot): boolean {
  return eta.kind === 'device';
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @returns what is said of a run that cannot continue: whether continuing from a checkpoint may help */
export function failureOf(error: Error): RunFailure {
  const recoverable = error instanceof DeviceLostError || error instanceof RunLostError;
  const diverged = error instanceof DivergenceError || error instanceof AllDivergedError;
  return { message: error.message, recoverable, ...(diverged && { diverged }) };
}

export function createRunKeeper(
  openRun: OpenRun,
  { course, clock, view: { probes }, notices: { notify, dismissRun }, progress: { beginWork } }: KeeperStates,
  {
    backend,
    name = () => 'the run',
    ringBytes,
    keepsRecovery,
    onOpening,
    onReady,
    onDiverged,
    onCycle,
    restart,
  }: KeeperOptions,
): RunKeeper {
  const { clearRun, computing, failure, history, info, keepsForecasts, newestCycle, playing, status } = course;
  const takeIn = createIntake(course, clock, onCycle);
  let current: Current | undefined;
  let losses = 0;
  const ring = createCheckpointRing(ringBytes);

  /** Planes on a device that is lost, or is drawn with no more, are lost with it. */
  function forgetDevicePlanes(): void {
    if (history.value.snapshots.some(isOnDevice)) course.forgetSnapshots();
  }

  /** @param goal the cycle that is to come next; cycles before it are computed again */
  function ready(of: Current, prepared: RunInfo, snapshot: Snapshot, goal: number): void {
    const next = of.run.placed(prepared);
    const continues = of.from !== undefined || goal > 0;
    const isThere = snapshot.cycle + 1 >= goal;
    batch(() => {
      // Planes on another device than the one that is drawn with cannot be drawn.
      if (info.peek()?.device !== next.device) forgetDevicePlanes();
      info.value = next;
      failure.value = undefined;
      if (isThere) status.value = newestCycle.value >= next.cycles - 1 ? 'ended' : 'ready';
      const isNew = !continues || history.value.snapshots.length === 0 || snapshot.cycle > newestCycle.value;
      of.intake.begin(snapshot, isNew);
    });
    if (isThere) onReady();
    else void computeUpTo(of, snapshot.cycle + 1, goal);
  }

  /** Whether a run is the one that is being prepared. */
  function isWaitedFor(of: Current): boolean {
    return of === current && status.value === 'opening';
  }

  /** Computes again what lies between a checkpoint and the cycle that was gone back to. */
  async function computeUpTo(of: Current, first: number, goal: number): Promise<void> {
    const work = beginWork(`Computing ${name()} up to cycle ${goal}`);
    of.intake.onAgain = (cycle) => work.update((cycle + 1 - first) / (goal - first));
    try {
      await of.run.play(goal);
    } catch (error) {
      if (isWaitedFor(of)) failed(failureOf(errorOf(error)));
    } finally {
      of.intake.onAgain = undefined;
      work.end();
    }
    if (!isWaitedFor(of)) return;
    status.value = 'ready';
    onReady();
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

  /** @returns whether the run continues */
  function recover({ last, scenario, files, from }: Current, message: string): boolean {
    // One that came further than where it began was not lost in vain.
    if (last && last.cycle > (from?.cycle ?? 0)) losses = 0;
    if (losses >= MAXIMUM_RECOVERIES) return false;
    losses += 1;
    const saved = last ?? from;
    const where = saved ? `from cycle ${saved.cycle}` : 'from the start';
    notify('warning', `The computation was lost; ${name()} continues ${where}`, { lines: [message] });
    if (saved) forgetDevicePlanes();
    else clearRun();
    open(scenario, files, saved);
    return true;
  }

  let openedAt = 0;
  /** Shown while a run is being prepared that takes more than a moment. */
  let preparation: LongWorkHandle | undefined;
  function endPreparation(): void {
    preparation?.end();
    preparation = undefined;
  }

  function stopPreparation(): void {
    current?.run.dispose();
    endPreparation();
    failed({ message: 'It was stopped before its first cycle.', recoverable: false });
  }

  /** Takes in what a run says. */
  function hear(event: RunEvent, of: Current, goal: number): void {
    switch (event.type) {
      case 'preparing':
        if (performance.now() - openedAt < A_MOMENT) break;
        preparation ??= beginWork(`Preparing ${name()}`, stopPreparation);
        preparation.update(PREPARATION[event.part](event.share));
        break;
      case 'ready':
        endPreparation();
        if (event.snapshot) ready(of, event.info, event.snapshot, goal);
        break;
      case 'diagnostics':
      case 'kernel':
      case 'states':
      case 'trace':
      case 'ceilings':
        of.intake.hear(event);
        break;
      case 'diverged': {
        const { type: _type, ...divergence } = event;
        course.addDivergence(divergence);
        onDiverged(divergence);
        break;
      }
      case 'warning':
        course.addWarning(event.message);
        notify('warning', `From ${name()}`, { lines: [event.message], run: course });
        break;
      case 'end':
        status.value = 'ended';
        break;
      case 'failed':
        endPreparation();
        failed(failureOf(event.error));
        break;
      case 'start':
      case 'edited':
      case 'forecast':
      case 'analysis':
      case 'cycle':
        break;
      default:
        event satisfies never;
    }
  }

  function keepForecasts(of: Current, wanted: boolean): void {
    of.forgo?.();
    of.forgo = wanted ? of.run.observe(ASKING) : undefined;
  }

  function open(scenario: Scenario, files: RunFiles, checkpoint?: Checkpoint, goal = checkpoint?.cycle ?? 0): void {
    onOpening();
    endPreparation();
    dismissRun(course);
    current?.run.dispose();
    current = undefined;
    status.value = 'opening';
    computing.value = false;
    openedAt = performance.now();
    const keepRecovery = keepsRecovery?.(files);
    const keeping: RunWriter = {
      schedule: { kind: 'return' },
      prepare: 'checkpoint',
      waits: false,
      atEnd: false,
      commit(taken) {
        of.last = taken;
        keepRecovery?.(taken, of.scenario);
        if (of === current) ring.add(taken);
      },
    };
    const run = openRun(
      backend,
      { scenario, files, source: scenario.name, checkpoint, misfit: 'begin', ceilings: 'beside' },
      {
        // What a run still says that was ended is of no interest.
        observers: [{ states: true, event: (event) => (of === current ? hear(event, of, goal) : undefined) }],
        writers: [keeping],
      },
    );
    const of: Current = { run, scenario, files, from: checkpoint, intake: takeIn(run) };
    run.probe(probes.peek());
    keepForecasts(of, keepsForecasts.peek());
    if (checkpoint) ring.add(checkpoint);
    current = of;
  }

  async function computeOne(of: Current): Promise<boolean> {
    // A change that is refused leaves the run as it is.
    if (of.edit && !(await of.edit.catch(() => true))) return false;
    if (of !== current || status.value !== 'ready') return false;
    computing.value = true;
    try {
      await of.run.step();
      return of === current;
    } catch (error) {
      if (of === current && status.value === 'ready') failed(failureOf(errorOf(error)));
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
    // Whoever takes the change back continues from here.
    const keep = (taken: Checkpoint): void => {
      if (of === current) ring.add(taken);
    };
    const isKept = (info.peek()?.checkpointBytes ?? 0) <= ring.limitBytes;
    if (isKept) void of.run.ask({ kind: 'checkpoint' }).then(keep, () => undefined);
    // What is lost from now on continues with the change in another run.
    of.scenario = scenario;
    await of.run.edit(scenario).catch((error: unknown) => {
      // After a rejection the run continues unchanged; every other failure is reported by an event.
      if (!(error instanceof ScenarioError || error instanceof LimitError)) return;
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

  const endProbing = effect(() => {
    const cells = probes.value;
    if (!current) return;
    current.run.probe(cells);
    const { nx } = current.scenario.grid;
    const { intake } = current;
    untracked(() => intake.keepReadings(new Set(cells.map(({ x, y }) => y * nx + x))));
  });
  const endKeeping = effect(() => {
    // Read before there is a run: an effect that reads nothing never runs again.
    const wanted = keepsForecasts.value;
    if (current) keepForecasts(current, wanted);
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
      course.forgetFrom(cycle);
      open(scenario, files, from, cycle);
    },
    before: (cycle) => ring.before(cycle),
    async latestCheckpoint() {
      const of = current;
      if (!of) return undefined;
      const taken = await of.run.ask({ kind: 'checkpoint' }).catch(() => of.last ?? of.from);
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
      dismissRun(course);
      current?.run.dispose();
      current = undefined;
    },
  };
}
