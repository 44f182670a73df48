/** Takes what runs say of their cycles into the course that they are of: rows, kernels and states, and what probes saw. */
import { batch } from '@preact/signals';
import type { CycleDiagnostics, Kept, KernelSample, ProbeReading, RunEvent, Snapshot } from '../../../engine/index.ts';
import type { PageRun } from './page-run.ts';
import type { RunCourse } from './run-course.ts';
import type { RunClock } from './run-times.ts';

/** Readings that are kept of a probed cell; the oldest go first. */
const MOST_READINGS = 4096;

/** What is of a cycle. Rows and kernels are taken in with the states of theirs. */
type CycleEvent = Extract<RunEvent, { readonly type: 'diagnostics' | 'kernel' | 'states' | 'trace' | 'ceilings' }>;

/** What is taken in of one run. */
export interface RunIntake {
  /** Called with each cycle that is computed again, before the one that was gone back to. */
  onAgain: ((cycle: number) => void) | undefined;
  /** Takes the state before its first cycle; one that is stored already is released. */
  begin(snapshot: Snapshot, isNew: boolean): void;
  hear(event: CycleEvent): void;
  /** Forgets what probes saw at all other cells. */
  keepReadings(cells: ReadonlySet<number>): void;
}

/** @param onCycle a cycle is stored */
export function createIntake(course: RunCourse, clock: RunClock, onCycle: (cycle: number) => void) {
  const { addDiagnostics, addKernels, addSnapshot, addTrace, machineCeilings, newestCycle, probeReadings } = course;
  /** The runs that what is stored is of: what one of them stored outlives it when another continues. */
  const makers = new WeakMap<Kept, PageRun>();
  const release = (kept: Kept | undefined): void => {
    if (kept) makers.get(kept)?.release(kept);
  };
  course.onForget(release);

  return (run: PageRun): RunIntake => {
    /** Rows and timed kernels of the cycle that is being computed, until its states come. */
    let rows: CycleDiagnostics[] = [];
    let samples: KernelSample[] = [];
    /** What its probes saw, oldest first, by cell. */
    const readings = new Map<number, readonly ProbeReading[]>();

    /** Stores a cycle; one that is stored and was computed again, on the way to another, is released. */
    function store({ snapshot, motion }: Extract<CycleEvent, { readonly type: 'states' }>): void {
      const ofCycle = rows;
      rows = [];
      makers.set(snapshot, run);
      if (motion) makers.set(motion, run);
      intake.onAgain?.(snapshot.cycle);
      if (intake.onAgain && snapshot.cycle <= newestCycle.value) {
        release(snapshot);
        release(motion);
        return;
      }
      batch(() => {
        course.recorded.dropFrom(snapshot.cycle);
        addDiagnostics(ofCycle);
        clock.cycleIsDone();
        addSnapshot(snapshot, motion);
      });
      onCycle(snapshot.cycle);
    }

    const intake: RunIntake = {
      onAgain: undefined,
      begin(snapshot, isNew) {
        // Those of the preparation are of no cycle.
        samples = [];
        makers.set(snapshot, run);
        if (isNew) addSnapshot(snapshot);
        else release(snapshot);
      },
      hear(event) {
        switch (event.type) {
          case 'diagnostics':
            rows.push(event.diagnostics);
            break;
          case 'kernel':
            samples.push(event.sample);
            break;
          case 'states': {
            const ofCycle = samples;
            samples = [];
            store(event);
            if (event.readings.length > 0) {
              for (const { cell, reading } of event.readings) {
                readings.set(cell, [...(readings.get(cell) ?? []), reading].slice(-MOST_READINGS));
              }
              probeReadings.value = new Map([...probeReadings.value, ...readings]);
            }
            if (ofCycle.length > 0) addKernels(event.snapshot.cycle, ofCycle);
            break;
          }
          case 'trace': {
            const { type: _type, ...trace } = event;
            addTrace(trace, samples);
            break;
          }
          case 'ceilings': {
            const { type: _type, ...ceilings } = event;
            machineCeilings.value = ceilings;
            break;
          }
          default:
            event satisfies never;
        }
      },
      keepReadings(cells) {
        for (const cell of readings.keys()) if (!cells.has(cell)) readings.delete(cell);
        const kept = [...probeReadings.value].filter(([cell]) => cells.has(cell));
        if (kept.length < probeReadings.value.size) probeReadings.value = new Map(kept);
      },
    };
    return intake;
  };
}
