/** What the overlays know of the stage: the picture that was drawn last, and what is read where. */
import { signal } from '@preact/signals';
import type { Stage } from './stage.ts';
import type { DrawnFrame } from './stage-model.ts';

export const drawnFrame = signal<DrawnFrame | undefined>(undefined);
/** Counts up when numbers from the GPU have arrived, so that readouts look again. */
export const numbersArrived = signal(0);
/** The stage on screen; undefined while it is opened. */
export const currentStage = signal<Stage | undefined>(undefined);
/** Whether a plain drag draws a cross-section. */
export const cuttingTool = signal(false);
/** Why nothing can be drawn. */
export const stageFailure = signal<string | undefined>(undefined);
