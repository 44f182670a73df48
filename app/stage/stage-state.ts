/** What the overlays know of the stage: the picture that was drawn last, and how it is drawn on. */
import { computed, signal } from '@preact/signals';
import type { CrossSection } from '../document/views/view-state.ts';
import type { Film } from './export.ts';
import type { Leg } from './passage.ts';
import type { Stage } from './stage.ts';
import type { DrawnFrame } from './stage-model.ts';
import { createViewRooms } from './view-rooms.ts';
import type { RunView } from '../document/run-view.ts';

function createStageState() {
  /** The film that is being taken. */
  const film = signal<Film | undefined>(undefined);
  const drawnFrame = signal<DrawnFrame | undefined>(undefined);
  /** Innovation at which a stem's head takes the full colour, m; 0 without observations. Changes less often than the picture. */
  const innovationAtFull = computed(() => drawnFrame.value?.innovationScale ?? 0);
  /** Which part of the cycle is on screen: on the way to the next one, or at its end. */
  const drawnLeg = signal<Leg>('analysis');
  /** The stage on screen; undefined while it is opened. */
  const currentStage = signal<Stage | undefined>(undefined);
  /** Whether a plain drag draws a cross-section. */
  const cuttingTool = signal(false);
  /** The cross-section that a hand is drawing. */
  const drawnCut = signal<CrossSection | undefined>(undefined);
  /** Why nothing can be drawn. */
  const stageFailure = signal<string | undefined>(undefined);

  return {
    film,
    drawnFrame,
    innovationAtFull,
    drawnLeg,
    currentStage,
    cuttingTool,
    drawnCut,
    stageFailure,
    ...createViewRooms(),
  };
}

export type StageState = ReturnType<typeof createStageState>;

export function createStageOf(): StageState {
  return createStageState();
}

/** @returns what the overlays know of the stage of a run */
export function stageOf(run: RunView): StageState {
  return run.use(createStageOf);
}
