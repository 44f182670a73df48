/** Which cycles of a run are recorded to be drawn: those of which somebody wants the states. */
import type { Backend } from '../compute/backend.ts';
import type { Experiment, ProbeCell, WindowObserver } from '../experiment/index.ts';
import { createStateRecorder, recordable } from './state-recorder.ts';
import type { StateRecorder } from './state-recorder.ts';
import type { CycleStates, PlaneStore } from './states.ts';

export interface Recording {
  /** The recorder of the cycle in progress; undefined while it is not recorded. */
  readonly active: StateRecorder | undefined;
  /** Who looks at the forecasts of the cycle in progress on their way; undefined where nobody does. */
  readonly window: WindowObserver | undefined;
  /** Whether cycles are recorded from the next one on. */
  want(wanted: boolean): void;
  /** Cells whose members are recorded from the next cycle on. @returns a warning where not all of them can be */
  probe(cells: readonly ProbeCell[]): string | undefined;
  /** Before a cycle. @param taken whether somebody takes its snapshot to store it */
  begin(taken: boolean): Promise<void>;
  /** After it. @returns what it left to be drawn, where that is wanted */
  finish(): Promise<CycleStates | undefined>;
  /** The recorder with the latest states: where their cycle was not recorded, as they are now. */
  latest(): Promise<StateRecorder>;
  /** y − mean H(x) by method of the latest cycle; nothing where it was not recorded. */
  readonly innovations: Readonly<Record<string, Float64Array>>;
  dispose(): void;
}

/**
 * The recorder, with the memory that it takes, is made when it is first needed.
 *
 * @param wanted from the first cycle on
 * @param members that are stored of every ensemble, from 0
 */
export function createRecording(
  backend: Backend,
  experiment: Experiment,
  windowSeconds: number,
  planes: PlaneStore,
  wanted: boolean,
  members: readonly number[] = [],
): Recording {
  let isWanted = wanted;
  let probes: readonly ProbeCell[] = [];
  let recorder: StateRecorder | undefined;
  let active: StateRecorder | undefined;
  let isDrawn = false;
  let holdsLatest = false;

  async function made(): Promise<StateRecorder> {
    if (!recorder) {
      recorder = await createStateRecorder(backend, experiment, windowSeconds, planes, members);
      recorder.probe(probes);
    }
    return recorder;
  }

  return {
    get active() {
      return active;
    },
    get window() {
      return isDrawn ? active?.window : undefined;
    },
    want(next) {
      isWanted = next;
    },
    probe(cells) {
      const found = recordable(cells, experiment.model.grid);
      ({ probes } = found);
      recorder?.probe(probes);
      return found.warning;
    },
    async begin(taken) {
      isDrawn = isWanted;
      active = isDrawn || taken ? await made() : undefined;
      await active?.begin(taken);
      holdsLatest = false;
    },
    async finish() {
      const recorded = active;
      if (!isDrawn) await recorded?.hold();
      const states = isDrawn ? await recorded?.states() : undefined;
      holdsLatest = recorded !== undefined;
      active = undefined;
      return states;
    },
    async latest() {
      const present = await made();
      if (!holdsLatest) present.start();
      holdsLatest = true;
      return present;
    },
    get innovations() {
      return holdsLatest && recorder ? recorder.innovations : {};
    },
    dispose: () => recorder?.dispose(),
  };
}
