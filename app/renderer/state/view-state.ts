/** What the stage shows and what is selected: shared by stage, charts, panels and commands. */
import { computed, signal } from '@preact/signals';
import type { FieldId } from './fields.ts';
import { info } from './session-state.ts';

/** A place in grid units: the middle of cell (i, j) is (i, j). */
export interface GridPoint {
  readonly x: number;
  readonly y: number;
}

/** A pinned point. The number in `id` stays with it, for its label. */
export interface Probe extends GridPoint {
  readonly id: number;
}

export interface CrossSection {
  readonly from: GridPoint;
  readonly to: GridPoint;
}

/** `auto`: each view's own; `shared`: one for all views of a field, held for the run; `locked`: as it was when locked. */
export type RangeMode = 'auto' | 'shared' | 'locked';
/** Which state of a method is drawn. */
export type Phase = 'analysis' | 'forecast';
export type CameraPreset = 'perspective' | 'top' | 'side' | 'front';
export type StageLook = 'colour-mapped' | 'photoreal';

/** More would not be told apart. */
export const MAXIMUM_PROBES = 6;
export const MAXIMUM_ROWS = 3;

/** The fields of the stage's rows, top to bottom; the first is the one that is being chosen. */
export const fields = signal<readonly FieldId[]>(['surface']);
export const field = computed<FieldId>(() => fields.value[0] ?? 'surface');
export const phase = signal<Phase>('analysis');
export const look = signal<StageLook>('colour-mapped');
/** Heights are drawn this many times as high; 'auto' makes the largest wave a fifth of the basin's side. */
export const exaggeration = signal<number | 'auto'>('auto');
export const camerasLinked = signal(true);
/** The stage moves its cameras there when the `request` number changes. */
export const cameraRequest = signal<{ readonly preset: CameraPreset; readonly request: number }>({
  preset: 'perspective',
  request: 0,
});
export const rangeMode = signal<RangeMode>('shared');
/** Whether the free run counts in the ranges of errors, increments and spreads: it dwarfs what the methods leave. */
export const freeRunCounts = signal(false);
/** In the unit of the field, where the range is locked. */
export const lockedRanges = signal<Readonly<Partial<Record<FieldId, readonly [number, number]>>>>({});
export const showsObservations = signal(true);
export const showsBathymetry = signal(true);

export const probes = signal<readonly Probe[]>([]);
export const crossSection = signal<CrossSection | undefined>(undefined);
/** The cell under the pointer, in whichever view. */
export const hoveredCell = signal<GridPoint | undefined>(undefined);
/** The cycle under the pointer in a chart or on the timeline: the crosshair of all charts. */
export const hoveredCycle = signal<number | undefined>(undefined);
/** The method under the pointer or chosen in a legend, emphasised everywhere. */
export const highlightedMethod = signal<string | undefined>(undefined);
/** Labels of methods that were switched off in a legend. */
export const hiddenMethods = signal<ReadonlySet<string>>(new Set());
export const selectedMethods = computed<readonly string[]>(() =>
  (info.value?.methods ?? []).map(({ label }) => label).filter((label) => !hiddenMethods.value.has(label)),
);

export function setField(id: FieldId, row = 0): void {
  const next = [...fields.value];
  next[Math.min(row, next.length)] = id;
  fields.value = next.slice(0, MAXIMUM_ROWS);
}

/** Adds a row with that field beneath, or takes it away where there is one; one row always stays. */
export function toggleRow(id: FieldId): void {
  const without = fields.value.filter((each) => each !== id);
  if (without.length < fields.value.length) fields.value = without.length > 0 ? without : fields.value;
  else fields.value = [...fields.value, id].slice(-MAXIMUM_ROWS);
}

export function moveCameras(preset: CameraPreset): void {
  cameraRequest.value = { preset, request: cameraRequest.value.request + 1 };
}

export function toggleMethod(label: string): void {
  const next = new Set(hiddenMethods.value);
  if (!next.delete(label)) next.add(label);
  hiddenMethods.value = next;
}

/** Pins a point; one that is already pinned there is taken away. The oldest goes when there are too many. */
export function toggleProbe({ x, y }: GridPoint): void {
  const others = probes.value.filter((probe) => probe.x !== x || probe.y !== y);
  if (others.length < probes.value.length) {
    probes.value = others;
    return;
  }
  const used = new Set(others.map(({ id }) => id));
  let id = 1;
  while (used.has(id)) id += 1;
  probes.value = [...others.slice(-(MAXIMUM_PROBES - 1)), { id, x, y }];
}

/** Takes away all probes and the cross-section. */
export function clearPins(): void {
  probes.value = [];
  crossSection.value = undefined;
}

/** Forgets what belonged to the basin of another run. */
export function clearSelection(): void {
  clearPins();
  hoveredCell.value = undefined;
  hoveredCycle.value = undefined;
  highlightedMethod.value = undefined;
  hiddenMethods.value = new Set();
  lockedRanges.value = {};
  if (rangeMode.value === 'locked') rangeMode.value = 'shared';
}
