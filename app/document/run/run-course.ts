/** The course of the run on screen: what it delivered, and where in it the interface is. */
import { batch, computed, effect, signal } from '@preact/signals';
import { least } from 'd3';
import type { Ceilings, Kept, KernelSample, Motion, ProbeReading, Snapshot } from '../../../engine/index.ts';
import { createHistory, type StoredCycles, transitBetween, type Transit } from './history.ts';
import type { PageRunInfo } from './page-run.ts';
import { variantTitles, methodStyles, type MethodStyle } from '../views/method-style.ts';
import { createMethodRecords } from './method-records.ts';
import { createRecordedCycles } from './recorded-cycles.ts';
import { NOTHING_RUN, restoredKernels, withKernels, createRunTrace } from './run-kernels.ts';
import type { RunKernels, StoredRunKernels } from './run-kernels.ts';
import type { RunClock } from './run-times.ts';
import type { ScenarioState } from '../scenario/scenario-state.ts';

/** `opening`: it is being prepared. `ended`: all cycles are computed; they can still be replayed. */
export type RunStatus = 'idle' | 'opening' | 'ready' | 'ended' | 'failed';

export interface RunFailure {
  readonly message: string;
  /** Whether continuing from the last checkpoint may help. */
  readonly recoverable: boolean;
  /** The truth or the last of the methods diverged. */
  readonly diverged?: true;
}

/** A range of cycles that playing goes round in, both ends included. */
export interface LoopRange {
  readonly from: number;
  readonly to: number;
}

/** Speeds that the transport offers, cycles a second. */
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

/** Who wants to ask about the cycles to come: their forecasts are kept as long as anybody does. */
function createForecastWishes() {
  const wishes = signal(0);
  /** Whether the forecasts of the cycles to come are kept, so that it can be asked why their analyses are what they are. */
  const keepsForecasts = computed(() => wishes.value > 0);

  /** Has the forecasts of the cycles to come kept. @returns ends the wish, once */
  function wantForecasts(): () => void {
    let wanted = true;
    wishes.value += 1;
    return () => {
      if (wanted) wishes.value -= 1;
      wanted = false;
    };
  }

  return { keepsForecasts, wantForecasts };
}

/**
 * The course of one run on screen, without what computes it.
 *
 * @param scenario gives the length of a run that is being prepared
 * @param clock is set at the beginning of each run
 */
export function createRunCourse(
  { appliedScenario }: Pick<ScenarioState, 'appliedScenario'>,
  { beginTimes, runTimes }: Pick<RunClock, 'beginTimes' | 'runTimes'>,
) {
  /** A number for each run on screen: what continues with a run has its number. */
  const runNumber = signal(0);
  const info = signal<PageRunInfo | undefined>(undefined);
  const status = signal<RunStatus>('idle');
  const failure = signal<RunFailure | undefined>(undefined);

  let forget: ((kept: Kept) => void) | undefined;
  const stored = createHistory({ release: (kept) => forget?.(kept) });
  /** Snapshots by cycle; −1 is the state before the first cycle. */
  const history = signal<StoredCycles>(stored.now());
  /** Cycles that are stored in the folder that was opened. */
  const recorded = createRecordedCycles();
  /** A recorded cycle that is to be shown as soon as it has been read. */
  const awaited = signal<number | undefined>(undefined);
  const {
    bring: bringRows,
    clear: clearRows,
    dropFrom: dropRowsFrom,
    rowsAt,
    ...methodRecords
  } = createMethodRecords();
  const kernels = signal<RunKernels>(NOTHING_RUN);
  const trace = createRunTrace();
  /** What this machine can do at most, as the run measured it. */
  const machineCeilings = signal<Ceilings | undefined>(undefined);
  /** What the kernels are measured against: an opened run against its own machine until it continues here. */
  const ceilings = computed(() => (kernels.value.isRestored ? kernels.value.ceilings : machineCeilings.value));
  /** Readings at the pinned points so far, oldest first, by cell index y·nx + x. */
  const probeReadings = signal<ReadonlyMap<number, readonly ProbeReading[]>>(new Map());
  /** Whether a cycle is being computed. */
  const computing = signal(false);
  /** Whether a cycle of a line beside the run is being computed. */
  const computingBeside = signal(false);
  /** Whether the processor is at work on the run: on a cycle of it, on a line beside it, or on its preparation again. */
  const processorIsBusy = computed(
    () =>
      info.value?.backend.name !== 'webgpu' && (computing.value || computingBeside.value || status.value === 'opening'),
  );

  /** The cycle on screen. */
  const cycle = signal(-1);
  // Rows of an older cycle are read again while it is on screen.
  effect(() => void bringRows(cycle.value));
  /** The water on its way to the next cycle. */
  const transit = signal<Transit | undefined>(undefined);
  const followNewest = signal(true);
  const playing = signal(false);
  /** Cycles a second that playing aims at: at first so slow that forecast, increment and analysis are distinguishable. */
  const speed = signal(0.5);
  /** Cycles a second that playing reaches; undefined while that is not known. */
  const reachedSpeed = signal<number | undefined>(undefined);
  const loopRange = signal<LoopRange | undefined>(undefined);
  /** Cycles that the charts over time show; undefined for all. */
  const cycleDomain = signal<readonly [number, number] | undefined>(undefined);

  /** Cycles of the run, also while it is being prepared. */
  const plannedCycles = computed(() => info.value?.cycles ?? appliedScenario.value?.experiment.cycles ?? 1);
  /** The last cycle that was computed here, or began behind; −1 while nothing is stored. */
  const newestCycle = computed(() => history.value.snapshots.at(-1)?.cycle ?? -1);
  /** Cycles that can be shown, ascending: in memory, or in the folder that was opened. */
  const shownCycles = computed<readonly number[]>(() => {
    const inMemory = history.value.snapshots.map((snapshot) => snapshot.cycle);
    if (recorded.cycles.value.length === 0) return inMemory;
    return [...new Set([...inMemory, ...recorded.cycles.value])].sort((a, b) => a - b);
  });
  const oldestCycle = computed(() => shownCycles.value[0] ?? -1);
  const lastCycle = computed(() => shownCycles.value.at(-1) ?? -1);
  /** Whether the next cycle can be computed: not if recorded ones are ahead of the run, which would begin again. */
  const goesOn = computed(() => status.value === 'ready' && lastCycle.value <= newestCycle.value);
  /** What the views draw. A recorded cycle has all that its checkpoint lacks. */
  const currentSnapshot = computed<Snapshot | undefined>(() => {
    const wanted = cycle.value;
    const read = recorded.loaded.value.find((snapshot) => snapshot.cycle === wanted);
    return read ?? least(history.value.snapshots, (snapshot) => Math.abs(snapshot.cycle - wanted));
  });
  /** In memory, by ascending cycle. */
  const snapshots = computed<readonly Snapshot[]>(() => {
    const read = recorded.loaded.value;
    if (read.length === 0) return history.value.snapshots;
    const others = history.value.snapshots.filter((each) => !read.some((same) => same.cycle === each.cycle));
    return [...others, ...read].sort((a, b) => a.cycle - b.cycle);
  });
  /** Diagnostics of the cycle on screen, by method label. */
  const currentDiagnostics = computed(() => rowsAt(cycle.value));
  /** A style for each method of the run, in the scenario's order. */
  const styles = computed<readonly MethodStyle[]>(() =>
    info.value ? methodStyles(info.value.methods, variantTitles(info.value.scenario)) : [],
  );
  /** Stored cycles with observations, for ticks. */
  const analysisCycles = computed<readonly number[]>(() =>
    snapshots.value.filter(({ observations }) => observations.x.length > 0).map((each) => each.cycle),
  );

  /** @returns the style of a method of the run */
  function styleOf(label: string): MethodStyle | undefined {
    return styles.value.find((style) => style.label === label);
  }

  /** Begins the way from the cycle on screen to a stored one. @returns whether there is one to be seen */
  function setOut(to: number, duration: number, now: number): boolean {
    const { snapshots, motions } = history.value;
    const at = (wanted: number): Snapshot | undefined => snapshots.find((snapshot) => snapshot.cycle === wanted);
    transit.value = transitBetween(at(cycle.value), at(to), motions.get(to), duration, now);
    return transit.value !== undefined;
  }

  /** @returns the snapshot of exactly this cycle, where it is in memory */
  function snapshotAt(wanted: number): Snapshot | undefined {
    return snapshots.value.find((snapshot) => snapshot.cycle === wanted);
  }

  /** @returns the stored cycle that follows, or undefined */
  function storedAfter(than: number): number | undefined {
    return shownCycles.value.find((each) => each > than);
  }

  /** @returns the stored cycle that comes before, or undefined */
  function storedBefore(than: number): number | undefined {
    return shownCycles.value.findLast((each) => each < than);
  }

  /** Has a cycle read where it is stored in a file. @returns whether it can be shown now */
  async function bring(wanted: number): Promise<boolean> {
    if (recorded.has(wanted)) await recorded.bring(wanted);
    return snapshotAt(wanted) !== undefined;
  }

  let isReading = false;
  /** Shows the recorded cycle that is awaited when it has been read; whatever was awaited before it and not begun is passed over. */
  async function showAwaited(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let wanted = awaited.peek(); wanted !== undefined; wanted = awaited.peek()) {
      await bring(wanted);
      if (awaited.peek() !== wanted) continue;
      awaited.value = undefined;
      showCycle(wanted);
    }
    isReading = false;
  }

  /**
   * Shows a stored cycle; one that is not stored gives the nearest that is. One that is stored in a file is shown when it has been
   * read: until then the one on screen stays.
   */
  function showCycle(wanted: number): void {
    // Of two that are as near, the earlier.
    const nearest = least(shownCycles.value, (each) => Math.abs(each - Math.round(wanted))) ?? -1;
    const isMissing = recorded.has(nearest) && !recorded.at(nearest);
    awaited.value = isMissing ? nearest : undefined;
    if (isMissing) void showAwaited();
    // What the checkpoint has of a cycle is shown meanwhile.
    if (isMissing && !history.value.snapshots.some((snapshot) => snapshot.cycle === nearest)) return;
    batch(() => {
      // Whoever is on the way stays on it while the cycle on screen is where it began.
      if (nearest !== transit.value?.from.cycle) transit.value = undefined;
      recorded.pin(nearest);
      cycle.value = nearest;
    });
  }

  /** Shows the cycle on screen again, or the nearest that is left, unless another is being read. */
  function showAgain(wanted: number): void {
    if (awaited.peek() === undefined || !recorded.has(awaited.peek() ?? -1)) showCycle(wanted);
  }

  /** Calls back with all that is released, so that its buffers can be used again. */
  function onForget(listener: (kept: Kept) => void): void {
    forget = listener;
  }

  /** Empties everything that belongs to a run, before another one. */
  function clearRun(): void {
    batch(() => {
      runNumber.value += 1;
      info.value = undefined;
      failure.value = undefined;
      beginTimes();
      trace.beginTrace(runTimes().start);
      recorded.clear();
      awaited.value = undefined;
      forgetSnapshots();
      clearRows();
      kernels.value = NOTHING_RUN;
      machineCeilings.value = undefined;
      probeReadings.value = new Map();
      loopRange.value = undefined;
      reachedSpeed.value = undefined;
      cycleDomain.value = undefined;
      cycle.value = -1;
      followNewest.value = true;
    });
  }

  /** Discards all snapshots; diagnostics stay. */
  function forgetSnapshots(): void {
    batch(() => {
      transit.value = undefined;
      stored.clear();
      history.value = stored.now();
    });
  }

  /**
   * Stores a snapshot and the way to it. The view goes along while it follows the newest; but who computes a cycle shows it in
   * its own time, and may compute it ahead.
   */
  function addSnapshot(snapshot: Snapshot, motion?: Motion): void {
    batch(() => {
      stored.add(snapshot, motion);
      history.value = stored.now();
      showAgain(followNewest.value && !computing.value ? newestCycle.value : cycle.value);
    });
  }

  /** Discards a cycle and all that came after it: the run continues from there. */
  function forgetFrom(first: number): void {
    batch(() => {
      stored.dropFrom(first);
      recorded.dropFrom(first);
      history.value = stored.now();
      dropRowsFrom(first);
      showCycle(Math.min(cycle.value, lastCycle.value));
    });
  }

  /** Discards all stored cycles but these and the newest. */
  function keepCycles(cycles: ReadonlySet<number>): void {
    if (history.peek().snapshots.every((snapshot) => cycles.has(snapshot.cycle))) return;
    batch(() => {
      stored.keepOnly(cycles);
      history.value = stored.now();
      showAgain(cycle.value);
    });
  }

  /** From now on the stored cycles may take so many bytes, and what moves between them its share of `motionBytes`. */
  function limitStored(bytes: number, motionBytes = bytes): void {
    if (history.peek().limitBytes === bytes && motionBytes === bytes) return;
    batch(() => {
      stored.limit(bytes, motionBytes);
      history.value = stored.now();
      showAgain(cycle.value);
    });
  }

  /** Stores the kernels of a cycle. */
  function addKernels(of: number, samples: readonly KernelSample[]): void {
    kernels.value = withKernels(kernels.value, of, samples);
  }

  /** Stores what a run folder knows of its kernels. */
  function restoreKernels(stored: StoredRunKernels): void {
    kernels.value = restoredKernels(stored);
  }

  return {
    ...methodRecords,
    ...trace,
    ...createForecastWishes(),
    runNumber,
    info,
    status,
    failure,
    history,
    kernels,
    machineCeilings,
    ceilings,
    probeReadings,
    computing,
    computingBeside,
    processorIsBusy,
    cycle,
    transit,
    followNewest,
    playing,
    speed,
    reachedSpeed,
    loopRange,
    cycleDomain,
    plannedCycles,
    newestCycle,
    oldestCycle,
    lastCycle,
    shownCycles,
    goesOn,
    recorded,
    awaited,
    snapshots,
    currentSnapshot,
    currentDiagnostics,
    styles,
    analysisCycles,
    styleOf,
    setOut,
    storedAfter,
    storedBefore,
    snapshotAt,
    bring,
    showCycle,
    onForget,
    clearRun,
    forgetSnapshots,
    addSnapshot,
    forgetFrom,
    keepCycles,
    limitStored,
    addKernels,
    restoreKernels,
  };
}

export type RunCourse = ReturnType<typeof createRunCourse>;
