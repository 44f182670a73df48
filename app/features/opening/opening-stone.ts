/**
 * The stone that opens the first launch: it falls into still water where the truth has its drop, and the waves go out from there.
 * It falls while the first cycle is computed. Where motion is to be reduced, or somebody has touched the window, there is no stone.
 */
import { batch, effect } from '@preact/signals';
import type { BasinInfo, Plane, Snapshot } from '../../../engine/index.ts';
import type { RunView } from '../../document/run-view.ts';
import type { Transit } from '../../document/run/history.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { requestsFor, type PlaneNumbers, type PlaneReader } from '../../document/values/plane-reader.ts';
import { wait } from '../../page/render-pace.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { FALL_MILLISECONDS } from '../world/tools.ts';
import { worldOf } from '../world/world-state.ts';
import { slot } from '../../page/laboratory.ts';

/** The stage has drawn by then, and the truth is known, or the stone does not fall, ms. */
const FIRST_PICTURE = 4000;

/** @returns the cell whose surface is highest; undefined where it is level */
export function summitOf(eta: PlaneNumbers, { nx, ny }: Pick<BasinInfo, 'nx' | 'ny'>): GridPoint | undefined {
  let summit: number | undefined;
  for (let cell = 0; cell < nx * ny; cell++) if (eta[cell] > (summit === undefined ? 0 : eta[summit])) summit = cell;
  return summit === undefined ? undefined : { x: summit % nx, y: Math.floor(summit / nx) };
}

/** @returns the way from still water to the state before the first cycle, which is there when it ends */
export function calmBefore(state: Snapshot, { nx, ny }: Pick<BasinInfo, 'nx' | 'ny'>, begun: number): Transit {
  const calm: Plane = { kind: 'host', values: new Float32Array(nx * ny) };
  return {
    from: { ...state, truth: { ...state.truth, eta: calm } },
    to: state,
    motion: { cycle: state.cycle, surfaces: [{ method: undefined, frames: [{ share: 1, eta: calm }] }] },
    begun,
    duration: FALL_MILLISECONDS,
    analysis: 0,
    flashes: false,
  };
}

/** @returns the numbers of a plane; never if it is gone, or its device */
function numbersOf(reader: PlaneReader, plane: Plane): Promise<PlaneNumbers | undefined> {
  return new Promise((resolve) => {
    const enquiry = reader.open<Plane>({ onAnswer: ({ numbers }) => resolve(numbers(plane)) });
    const answer = enquiry.ask(plane, requestsFor([plane]));
    if (answer) resolve(answer.numbers(plane));
  });
}

/** @returns once the stage has drawn */
function firstPicture(run: RunView): Promise<void> {
  const { drawnFrame } = stageOf(run);
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!drawnFrame.value) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

function createOpeningStone(run: RunView) {
  const { course, planeReader } = run;
  const { preferences } = run.laboratory;
  let isDue = false;

  /** @returns for how long it was seen to fall, ms; 0 at once if there is no stone */
  async function fall(): Promise<number> {
    const [state, basin] = [course.snapshotAt(-1), course.info.peek()?.basin];
    const isWanted = isDue && !preferences.reducedMotion.peek() && !preferences.touched.peek();
    isDue = false;
    if (!isWanted || !state || !basin) return 0;
    // Until the stage draws, the stone has not begun to fall.
    const waits = calmBefore(state, basin, Number.POSITIVE_INFINITY);
    course.transit.value = waits;
    const surface = Promise.all([numbersOf(planeReader.peek(), state.truth.eta), firstPicture(run)]);
    const [eta] = (await Promise.race([surface, wait(FIRST_PICTURE)])) ?? [];
    if (course.transit.peek() !== waits) return 0;
    const summit = eta && summitOf(eta, basin);
    if (!summit) {
      course.transit.value = undefined;
      return 0;
    }
    const falls = { ...waits, begun: performance.now() };
    batch(() => {
      course.transit.value = falls;
      worldOf(run).drop.stone.value = { ...summit, seenBy: 'truth' };
    });
    await wait(FALL_MILLISECONDS);
    return course.transit.peek() === falls ? FALL_MILLISECONDS : 0;
  }

  return {
    /** The run that opens next begins with it. */
    prepare(): void {
      isDue = true;
    },
    fall,
  };
}

/** @returns the stone of the first launch */
export const openingStoneOf = slot(createOpeningStone);
