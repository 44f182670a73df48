/** What the stage is to show, and what it reports of what it drew. */
import type { ShownSnapshot, ShownTransit } from '../document/lines/shown.ts';
import type { BasinInfo, Snapshot } from '../../engine/index.ts';
import type { FieldId, ViewFieldId } from '../fields/fields.ts';
import type { CrossSection, GridPoint, Phase, RangeMode, DrawnLook, ShownHeads } from '../document/views/view-state.ts';
import type { ViewRoom, ViewSize } from './framing.ts';
import type { Leg } from './passage.ts';
import type { Range } from '../fields/ranges.ts';
import type { RingMembers } from '../document/views/ring-member-data.ts';
import type { FieldWords, ShownPlanes } from '../document/views/shown-planes.ts';
import type { Rect, SubjectKind } from './view-grid.ts';

/** What a hand, a pen or the keyboard does with the tool that it holds. */
export type ToolEvent =
  /** It comes down on the water of a view, moves there, and is lifted. */
  | { readonly kind: 'down'; readonly cell: GridPoint; readonly erases: boolean; readonly subject?: string | undefined }
  | { readonly kind: 'move'; readonly cell: GridPoint }
  | { readonly kind: 'up' }
  /** It was no stroke after all. */
  | { readonly kind: 'give-up' }
  /** Keys have moved the crosshair there. */
  | { readonly kind: 'cursor'; readonly cell: GridPoint }
  /** The tool is used, or what is there is erased, at the crosshair. */
  | { readonly kind: 'press' | 'erase'; readonly cell: GridPoint }
  | { readonly kind: 'resize'; readonly by: 1 | -1 }
  | { readonly kind: 'leave' };

/** A column: the truth, or a method. */
interface Subject extends SubjectKind {
  /** A method's label, or TRUTH. */
  readonly label: string;
}

export interface StageModel {
  /** A number for each run: what is fixed for a run begins again with another. */
  readonly run: number;
  readonly basin: BasinInfo;
  /** With what is shown of the run's branches, which are methods more. */
  readonly snapshot: ShownSnapshot;
  /** Cycles of an opened run that were read, for ranges that hold for all of them. */
  readonly further?: readonly Snapshot[] | undefined;
  /** Whether cycles come by themselves: the run plays, or computes. */
  readonly isRunning: boolean;
  /** Where the water is on its way to the next cycle. */
  readonly transit: ShownTransit | undefined;
  readonly subjects: readonly Subject[];
  /** Members on a ring, of the snapshot, where they are known. */
  readonly members?: RingMembers | undefined;
  /** Rows, top to bottom. */
  readonly fields: readonly FieldId[];
  /** What methods show in the first row in place of its field. */
  readonly instead?: ShownPlanes | undefined;
  /** What the heads of stems show in place of innovations, while their cycle is on screen. */
  readonly heads?: ShownHeads | undefined;
  readonly phase: Phase;
  readonly look: DrawnLook;
  readonly exaggeration: number | 'auto';
  readonly rangeMode: RangeMode;
  /** Whether the free run counts in the ranges of errors. */
  readonly freeRunCounts: boolean;
  readonly lockedRanges: Readonly<Partial<Record<FieldId, readonly [number, number]>>>;
  readonly camerasLinked: boolean;
  /** Whether the cameras follow the highest wave. */
  readonly followsWave: boolean;
  readonly showsObservations: boolean;
  readonly showsBathymetry: boolean;
  readonly theme: 'dark' | 'light';
  readonly reducedMotion: boolean;
  /** What words take in the corners of the views. */
  readonly room: ViewRoom;
  /** The top of the canvas that has no views, CSS pixels: the headline of the stage is there. */
  readonly band?: number;
  /** So of its foot, which the caption of a lesson covers. */
  readonly foot?: number;
}

export interface ScreenPoint {
  /** CSS pixels from the canvas's upper left. */
  readonly x: number;
  readonly y: number;
}

/** A view as it was drawn. */
export interface DrawnView {
  readonly key: string;
  readonly field: ViewFieldId;
  /** What is said of its numbers. */
  readonly words: FieldWords;
  readonly subject: string;
  readonly row: number;
  readonly column: number;
  readonly rect: Rect;
  readonly range: Range;
  /** The colour of a value at a share of the range, as it is seen on level water. */
  readonly colourAt: (share: number) => string;
  /** Whether the range is of numbers that were seen: before there are any, a made-up one is drawn with. */
  readonly rangeIsKnown: boolean;
  /** The cycle at which the range last grew; undefined while it is as it began. */
  readonly grownAt: number | undefined;
  /** Horizontal metres that a CSS pixel covers in the middle of the view. */
  readonly metresPerPixel: number;
  /** Exaggeration of its heights, also if it was chosen automatically. */
  readonly exaggeration: number;
  /** Members that are drawn as lines beside the mean while it rests. */
  readonly memberLines: number;
  /** Directions east, up and north on the screen (y downwards), at most 1 long. */
  readonly axes: { readonly east: ScreenPoint; readonly up: ScreenPoint; readonly north: ScreenPoint };
  /** @returns where a point of the surface is on the canvas; undefined behind the viewer or outside the view */
  readonly project: (point: GridPoint) => ScreenPoint | undefined;
}

/** A picture that was drawn. */
export interface DrawnFrame {
  /** Size of all views together. */
  readonly size: ViewSize;
  readonly views: readonly DrawnView[];
  /** What is drawn is of this cycle; on the way to the next one, of the one before it. */
  readonly cycle: number;
  /** The cycle at which the exaggeration last fell for higher waves; undefined while it is as it began, or was chosen. */
  readonly loweredAt: number | undefined;
  /** Innovation at which a stem's head takes the full colour, m; 0 without observations. */
  readonly innovationScale: number;
  /** Increment that is lit in full while it comes in, m. */
  readonly incrementAtFull: number;
}

/** What a plain drag does: a tool leaves the camera to the right button, to two fingers, and to drags beside the water. */
export type Held = 'camera' | 'cut' | 'tool';

export interface StageListeners {
  /** What a plain drag does now; with Shift it always draws a cut. */
  readonly held: () => Held;
  readonly onHover: (cell: GridPoint | undefined) => void;
  /** @param observation whose stem was meant, by its number in the cycle on screen */
  readonly onPin: (cell: GridPoint, observation: number | undefined) => void;
  /** A hand has moved a camera. */
  readonly onSteer: () => void;
  /** What was begun on the stage is given up. */
  readonly onEscape: () => void;
  /** A cut that is being drawn; undefined when it is drawn, or given up. */
  readonly onCutting: (section: CrossSection | undefined) => void;
  /** A cut was drawn; undefined takes it away. */
  readonly onSection: (section: CrossSection | undefined) => void;
  readonly onDraw: (frame: DrawnFrame) => void;
  /** Another part of the cycle is on screen. */
  readonly onLeg: (leg: Leg) => void;
  /** What a hand or a key does with the tool that it holds. */
  readonly onTool: (event: ToolEvent) => void;
  /** The device is gone and with it everything drawn; make a new stage. */
  readonly onLost: (message: string) => void;
}

/** The renderer cannot begin with WebGPU. The canvas is used up; a new one can be drawn on with WebGL 2. */
export class WebGpuStageError extends Error {
  override readonly name = 'WebGpuStageError';
}

/** Neither WebGPU nor WebGL 2 can draw. */
export class NoStageError extends Error {
  override readonly name = 'NoStageError';
}
