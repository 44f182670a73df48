/** What the tools that change the world have in common: what a hand does with one, and what is drawn of it over the water. */
import type { ReadonlySignal } from '@preact/signals';
import type { BasinInfo } from '../../../engine/index.ts';
import type { GridPoint, ViewState } from '../../document/views/view-state.ts';
import type { WorldChange } from '../../document/scenario/changes.ts';
import type { WorldEdit } from './world-edits.ts';

export const WORLD_TOOLS = ['gauges', 'drop', 'island'] as const;
export type WorldTool = (typeof WORLD_TOOLS)[number];

/** @returns the tools that there are of a basin; a ring has neither water for drops nor a bed for islands */
export function toolsIn(basin: Pick<BasinInfo, 'isRing'> | undefined): readonly WorldTool[] {
  return basin?.isRing ? ['gauges'] : WORLD_TOOLS;
}

/** How long a stone falls, ms, as the style sheet has it. */
export const FALL_MILLISECONDS = 450;

/** A circle on the water. */
export interface Ring {
  readonly kind: WorldTool | 'eraser';
  readonly centre: GridPoint;
  /** Metres. */
  readonly radius: number;
}

/** What would come of what the hand does, drawn over the water. */
export interface Ghost {
  readonly ring: Ring | undefined;
  readonly added: readonly GridPoint[];
  readonly removed: readonly GridPoint[];
  /** From where a gauge is moved to where. */
  readonly way: { readonly from: GridPoint; readonly to: GridPoint } | undefined;
}

export const NO_GHOST: Ghost = { ring: undefined, added: [], removed: [], way: undefined };

/** One tool, for the hand that holds it. */
export interface HeldTool {
  readonly ghost: ReadonlySignal<Ghost>;
  readonly down: (cell: GridPoint, erases: boolean) => void;
  readonly move: (cell: GridPoint) => void;
  readonly up: () => void;
  /** @returns whether there was anything to give up */
  readonly giveUp: () => boolean;
  readonly press: (cell: GridPoint) => void;
  readonly erase: (cell: GridPoint) => void;
  readonly resize: (by: 1 | -1) => void;
}

/** What all tools know. */
export interface ToolContext {
  readonly basin: ReadonlySignal<BasinInfo | undefined>;
  /** The first cycle that a change has a part in. */
  readonly nextCycle: ReadonlySignal<number>;
  /** What was changed of the world that waits for it. */
  readonly waiting: ReadonlySignal<readonly WorldChange[]>;
  readonly act: (edit: WorldEdit) => Promise<void>;
  /** Edits that wait for the cycle that is being computed. */
  readonly underway: ReadonlySignal<readonly WorldEdit[]>;
  readonly view: Pick<ViewState, 'hoveredCell'>;
}

/** @returns a value no smaller and no larger than these */
export function clip(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
