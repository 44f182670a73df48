/** What the overlays know of the stage: the picture that was drawn last, how it is drawn on, and the room that words take. */
import { batch, computed, signal } from '@preact/signals';
import type { CrossSection, DrawnLook } from '../document/views/view-state.ts';
import type { Leg } from './passage.ts';
import type { Stage } from './stage.ts';
import type { DrawnFrame } from './stage-model.ts';
import type { RunView } from '../document/run-view.ts';
import { NO_ROOM, type ViewRoom, type ViewSize } from './framing.ts';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { observeSize } from '../plot/use-size.ts';
import { useRun } from '../document/context.ts';
import { slot } from '../page/laboratory.ts';

/** Sizes grow in steps of so many pixels: a number that gains a digit moves no camera. */
const STEP = 8;

/** What words take in the corners of the views, so that cameras can keep the water clear of them. */
function createViewRooms() {
  /** The largest of each kind over all views, which share one framing. */
  const viewRoom = signal<ViewRoom>(NO_ROOM);

  const measured: Readonly<Record<keyof ViewRoom, Map<Element, ViewSize>>> = {
    title: new Map(),
    axes: new Map(),
    measures: new Map(),
    bar: new Map(),
  };

  function publish(corner: keyof ViewRoom): void {
    const sizes = [...measured[corner].values()];
    // Words that leave keep their room, so that what is drawn does not move for it.
    if (sizes.length === 0) return;
    const largest = (side: keyof ViewSize): number =>
      STEP * Math.ceil(Math.max(...sizes.map((size) => size[side])) / STEP);
    const next = { width: largest('width'), height: largest('height') };
    const known = viewRoom.peek();
    if (known[corner].width === next.width && known[corner].height === next.height) return;
    viewRoom.value = { ...known, [corner]: next };
  }

  /** Takes in the size of words in a corner. @param size undefined when they have left */
  function measureWords(corner: keyof ViewRoom, words: Element, size: ViewSize | undefined): void {
    if (size) measured[corner].set(words, size);
    else measured[corner].delete(words);
    publish(corner);
  }

  return { viewRoom, measureWords };
}

export function createStageOf({ laboratory: { preferences }, view: { look, world } }: RunView) {
  const drawnFrame = signal<DrawnFrame | undefined>(undefined);
  /** Innovation at which a stem's head takes the full colour, m; 0 without observations. Changes less often than the picture. */
  const innovationAtFull = computed(() => drawnFrame.value?.innovationScale ?? 0);
  /** Which part of the cycle is on screen: on the way to the next one, or at its end. */
  const drawnLeg = signal<Leg>('analysis');
  /** The stage on screen; undefined while it is opened. */
  const currentStage = signal<Stage | undefined>(undefined);
  /** How water is drawn: as it would look where a GPU draws, unless somebody chose otherwise. A ring does not look like water. */
  const shownLook = computed<DrawnLook>(() => {
    if (world.value?.isRing) return 'colour-mapped';
    const asked = [look.value, preferences.look.value].find((each) => each !== 'auto');
    return asked ?? (currentStage.value?.inSoftware === false ? 'photoreal' : 'colour-mapped');
  });
  /** The user's choice from now on. */
  function toggleLook(): void {
    const next = shownLook.peek() === 'photoreal' ? 'colour-mapped' : 'photoreal';
    batch(() => {
      look.value = 'auto';
      preferences.look.value = next;
    });
  }
  /** Whether a plain drag draws a cross-section. */
  const cuttingTool = signal(false);
  /** The cross-section that a hand is drawing. */
  const drawnCut = signal<CrossSection | undefined>(undefined);
  /** Why nothing can be drawn. */
  const stageFailure = signal<string | undefined>(undefined);

  /** The top and the foot of the canvas that have no views, CSS pixels. */
  const band = signal(0);
  const foot = signal(0);
  /** The top of the canvas that bars are over, CSS pixels. */
  const covered = signal(0);

  return {
    band,
    foot,
    covered,
    drawnFrame,
    innovationAtFull,
    drawnLeg,
    currentStage,
    shownLook,
    toggleLook,
    cuttingTool,
    drawnCut,
    stageFailure,
    ...createViewRooms(),
  };
}

export type StageState = ReturnType<typeof createStageOf>;

/** @returns what the overlays know of the stage of a run */
export const stageOf = slot<RunView, StageState>(createStageOf);

/** @returns a reference for an element in that corner of a view; its padding is its distance from the view's edges */
export function useViewRoom<Kind extends HTMLElement>(corner: keyof ViewRoom): RefObject<Kind | null> {
  const { measureWords } = stageOf(useRun());
  const reference = useRef<Kind>(null);
  useLayoutEffect(() => {
    const element = reference.current;
    if (!element) return undefined;
    const measure = (): void => {
      measureWords(corner, element, { width: element.offsetWidth, height: element.offsetHeight });
    };
    measure();
    const stopMeasuring = observeSize(element, measure);
    return () => {
      stopMeasuring();
      measureWords(corner, element, undefined);
    };
  }, [corner, measureWords]);
  return reference;
}
