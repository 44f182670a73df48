/** What the overlays know of the stage: the picture that was drawn last, and how it is drawn on. */
import { signal } from '@preact/signals';
import type { Stage } from './stage.ts';
import type { DrawnFrame } from './stage-model.ts';

export const drawnFrame = signal<DrawnFrame | undefined>(undefined);
/** The stage on screen; undefined while it is opened. */
export const currentStage = signal<Stage | undefined>(undefined);
/** Whether a plain drag draws a cross-section. */
export const cuttingTool = signal(false);
/** Why nothing can be drawn. */
export const stageFailure = signal<string | undefined>(undefined);
