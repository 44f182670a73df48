/** The run on screen: what the session delivered, and where in it the interface stands. */
import { batch, computed, signal } from '@preact/signals';
import { addTimings, NO_KERNELS, removeTimings, timingsOf } from '../../../engine/index.ts';
import type {
  Ceilings,
  CycleDiagnostics,
  KernelSample,
  MethodDivergence,
  KernelTiming,
  KernelTotals,
} from '../../../engine/index.ts';
import { createHistory } from '../session/history.ts';
import type { Kept, Motion, ProbeReading, SessionInfo, Snapshot } from '../session/session.ts';
import { appliedScenario } from './scenario-state.ts';
import { transit, transitBetween } from './transit.ts';
import { methodStyles } from './method-style.ts';
import { beginTimes } from './run-times.ts';
import type { MethodStyle } from './method-style.ts';

/** `opening`: the session is being prepared. `ended`: all cycles are computed; they can still be replayed. */
export type RunStatus = 'idle' | 'opening' | 'ready' | 'ended' | 'failed';

export interface RunFailure {
  readonly message: string;
  /** Whether going on from the last checkpoint may help. */
  readonly recoverable: boolean;
  /** The truth or the last of the methods diverged. */
  readonly diverged?: true;
}

/** A range of cycles that playing goes round in, both ends included. */
export interface LoopRange {
  readonly from: number;
  readonly to: number;
}

/** The stored cycles, bounded in memory: older ones thin out when it is full. */
export interface StoredCycles {
  /** Ascending by cycle. */
  readonly snapshots: readonly Snapshot[];
  /** How the water moved to a cycle, by the cycle; of the newest. */
  readonly motions: ReadonlyMap<number, Motion>;
  readonly bytes: number;
  readonly limitBytes: number;
}

/** Kernels of one cycle. */
export interface KernelCycle {
  readonly cycle: number;
  readonly timings: readonly KernelTiming[];
}

/** What is known of the kernels of a run, wherever it was done. */
export interface StoredRunKernels {
  /** Of all cycles together. */
  readonly totals: KernelTotals;
  /** Of the last cycles one by one, ascending. */
  readonly recent: readonly KernelCycle[];
  /** Of the machine that the run was done on, where they were measured. */
  readonly ceilings: Ceilings | undefined;
}

/** What is known of the kernels of the run on screen. */
export interface RunKernels extends StoredRunKernels {
  /** They were read from a run folder, and no cycle has been run here since. */
  readonly isRestored: boolean;
}

/** Kernel times are kept cycle by cycle of this many cycles, beside the totals of all. */
export const KERNEL_CYCLES = 100;

const NOTHING_RUN: RunKernels = { totals: NO_KERNELS, recent: [], ceilings: undefined, isRestored: false };

/** A number for each run on screen: a session that goes on with a run has its number. */
export const runNumber = signal(0);
export const info = signal<SessionInfo | undefined>(undefined);
export const status = signal<RunStatus>('idle');
export const failure = signal<RunFailure | undefined>(undefined);

let forget: (kept: Kept) => void = () => undefined;
const stored = createHistory({ release: (kept) => forget(kept) });
const storedNow = (): StoredCycles => ({
  snapshots: stored.cycles.flatMap((each) => stored.at(each) ?? []),
  motions: stored.motions,
  bytes: stored.bytes,
  limitBytes: stored.limitBytes,
});
/** Snapshots by cycle; −1 is the state before the first cycle. */
export const history = signal<StoredCycles>(storedNow());
/** By method label, in cycle order; of all cycles that were run. */
export const diagnostics = signal<ReadonlyMap<string, readonly CycleDiagnostics[]>>(new Map());
/** Methods that diverged, in the order in which they did. */
export const divergences = signal<readonly MethodDivergence[]>([]);
export const kernels = signal<RunKernels>(NOTHING_RUN);
/** What this machine can do at most, as the session measured it. */
export const machineCeilings = signal<Ceilings | undefined>(undefined);
/** What the kernels are measured against: an opened run against its own machine until it goes on here. */
export const ceilings = computed(() => (kernels.value.isRestored ? kernels.value.ceilings : machineCeilings.value));
/** Readings at the pinned points so far, oldest first, by cell index y·nx + x. */
export const probeReadings = signal<ReadonlyMap<number, readonly ProbeReading[]>>(new Map());
/** Whether a cycle is being computed. */
export const computing = signal(false);

/** The cycle on screen. */
export const cycle = signal(-1);
export const followNewest = signal(true);
export const playing = signal(false);
/** Cycles a second that playing aims at: at first so slow that forecast, increment and analysis are told apart. */
export const speed = signal(0.5);
export const loopRange = signal<LoopRange | undefined>(undefined);
/** Cycles that the charts over time show; undefined for all. */
export const cycleDomain = signal<readonly [number, number] | undefined>(undefined);

/** Speeds that the transport offers, cycles a second. */
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

/** Cycles of the run, also while it is being prepared. */
export const plannedCycles = computed(() => info.value?.cycles ?? appliedScenario.value?.experiment.cycles ?? 1);
/** −1 while nothing is stored. */
export const newestCycle = computed(() => history.value.snapshots.at(-1)?.cycle ?? -1);
export const oldestCycle = computed(() => history.value.snapshots[0]?.cycle ?? -1);
/** What the views draw. */
export const currentSnapshot = computed<Snapshot | undefined>(() => nearestStored(cycle.value));
/** Of the cycle on screen, by method label. */
export const currentDiagnostics = computed<ReadonlyMap<string, CycleDiagnostics>>(() => {
  const found = new Map<string, CycleDiagnostics>();
  for (const [method, rows] of diagnostics.value) {
    const row = rows.find((each) => each.cycle === cycle.value);
    if (row) found.set(method, row);
  }
  return found;
});
/** A style for each method of the run, in the scenario's order. */
export const styles = computed<readonly MethodStyle[]>(() => methodStyles(info.value?.methods ?? []));
/** Stored cycles with observations, for ticks. */
export const analysisCycles = computed<readonly number[]>(() =>
  history.value.snapshots.filter(({ observations }) => observations.x.length > 0).map((each) => each.cycle),
);

/** @returns the style of a method of the run */
export function styleOf(label: string): MethodStyle | undefined {
  return styles.value.find((style) => style.label === label);
}

/** @returns the stored snapshot nearest to a cycle, the earlier of two */
function nearestStored(wanted: number): Snapshot | undefined {
  return history.value.snapshots.reduce<Snapshot | undefined>((nearest, snapshot) => {
    const isNearer = !nearest || Math.abs(snapshot.cycle - wanted) < Math.abs(nearest.cycle - wanted);
    return isNearer ? snapshot : nearest;
  }, undefined);
}

/** Begins the way from the cycle on screen to a stored one. @returns whether there is one to be seen */
export function setOut(to: number, duration: number, now: number): boolean {
  const { snapshots, motions } = history.value;
  const at = (wanted: number): Snapshot | undefined => snapshots.find((snapshot) => snapshot.cycle === wanted);
  transit.value = transitBetween(at(cycle.value), at(to), motions.get(to), duration, now);
  return transit.value !== undefined;
}

/** @returns the stored cycle that follows, or undefined */
export function storedAfter(than: number): number | undefined {
  return history.value.snapshots.find((snapshot) => snapshot.cycle > than)?.cycle;
}

/** @returns the stored cycle that comes before, or undefined */
export function storedBefore(than: number): number | undefined {
  return history.value.snapshots.findLast((snapshot) => snapshot.cycle < than)?.cycle;
}

/** Shows a stored cycle; one that is not stored gives the nearest that is. */
export function showCycle(wanted: number): void {
  batch(() => {
    const shown = nearestStored(Math.round(wanted))?.cycle ?? -1;
    // Whoever is on the way stays on it while the cycle on screen is where it began.
    if (shown !== transit.value?.from.cycle) transit.value = undefined;
    cycle.value = shown;
  });
}

/** Calls back with all that is let go of, so that its buffers can be used again. */
export function onForget(listener: (kept: Kept) => void): void {
  forget = listener;
}

/** Empties everything that belongs to a run, before another one. */
export function clearRun(): void {
  batch(() => {
    runNumber.value += 1;
    info.value = undefined;
    failure.value = undefined;
    beginTimes();
    forgetSnapshots();
    diagnostics.value = new Map();
    divergences.value = [];
    kernels.value = NOTHING_RUN;
    machineCeilings.value = undefined;
    probeReadings.value = new Map();
    loopRange.value = undefined;
    cycleDomain.value = undefined;
    cycle.value = -1;
    followNewest.value = true;
  });
}

/** Lets go of all snapshots; diagnostics stay. */
export function forgetSnapshots(): void {
  batch(() => {
    transit.value = undefined;
    stored.clear();
    history.value = storedNow();
  });
}

/**
 * Stores a snapshot and the way to it. The view goes along while it follows the newest; but who computes a cycle shows it in
 * its own time, and may compute it ahead.
 */
export function addSnapshot(snapshot: Snapshot, motion?: Motion): void {
  batch(() => {
    stored.add(snapshot, motion);
    history.value = storedNow();
    showCycle(followNewest.value && !computing.value ? newestCycle.value : cycle.value);
  });
}

/** Lets go of a cycle and all that came after it: the run goes on from there. */
export function forgetFrom(first: number): void {
  batch(() => {
    stored.dropFrom(first);
    history.value = storedNow();
    diagnostics.value = new Map(
      [...diagnostics.value].map(([method, rows]) => [method, rows.filter((row) => row.cycle < first)]),
    );
    divergences.value = divergences.value.filter((each) => each.cycle < first);
    showCycle(Math.min(cycle.value, newestCycle.value));
  });
}

/** A method diverged, in this cycle or, where the run is computed again, as before. */
export function addDivergence(divergence: MethodDivergence): void {
  const others = divergences.value.filter(({ method }) => method !== divergence.method);
  divergences.value = [...others, divergence];
}

/** Stores diagnostics in cycle order, in place of those of the same cycles and later ones. */
export function addDiagnostics(rows: readonly CycleDiagnostics[]): void {
  const next = new Map(diagnostics.value);
  for (const method of new Set(rows.map((row) => row.method))) {
    const sorted = rows.filter((row) => row.method === method).sort((a, b) => a.cycle - b.cycle);
    const before = (next.get(method) ?? []).filter((each) => each.cycle < sorted[0].cycle);
    next.set(method, [...before, ...sorted]);
  }
  diagnostics.value = next;
}

/** Forgets the readings at all other cells. */
export function keepReadings(cells: ReadonlySet<number>): void {
  const kept = [...probeReadings.value].filter(([cell]) => cells.has(cell));
  if (kept.length < probeReadings.value.size) probeReadings.value = new Map(kept);
}

/**
 * Stores the kernels of a cycle, in place of those of the same cycle and later ones. The first cycle begins everything anew;
 * of a run that goes back further than the cycles that are kept one by one, those between stay in the totals.
 */
export function addKernels(of: number, samples: readonly KernelSample[]): void {
  const { totals, recent } = of === 0 ? NOTHING_RUN : kernels.value;
  const again = recent.filter((each) => each.cycle >= of);
  const before = removeTimings(
    totals,
    again.flatMap(({ timings }) => timings),
    again.length,
  );
  const timings = timingsOf(samples);
  kernels.value = {
    totals: addTimings(before, timings),
    recent: [...recent.filter((each) => each.cycle < of), { cycle: of, timings }].slice(-KERNEL_CYCLES),
    ceilings: undefined,
    isRestored: false,
  };
}

/** Stores what a run folder knows of its kernels. */
export function restoreKernels({ totals, recent, ceilings: measured }: StoredRunKernels): void {
  kernels.value = { totals, recent: recent.slice(-KERNEL_CYCLES), ceilings: measured, isRestored: true };
}
