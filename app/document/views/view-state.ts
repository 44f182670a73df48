/** What the stage shows and what is selected: shared by stage, charts, panels and commands. */
import { batch, computed, effect, signal } from '@preact/signals';
import { MOST_PINS, MAXIMUM_ROWS } from '../../../engine/index.ts';
import type { PHASES, RANGE_MODES, STAGE_LOOKS, BasinInfo } from '../../../engine/index.ts';
import { EASE_MILLISECONDS, type CameraKind, type CameraPlacement } from './cameras.ts';
import { hasField, type FieldId, type World } from '../../fields/fields.ts';
import type { RunCourse } from '../run/run-course.ts';
import { formatNumber } from '../../format/numbers.ts';

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

export type RangeMode = (typeof RANGE_MODES)[number];
export type Phase = (typeof PHASES)[number];
type StageLook = (typeof STAGE_LOOKS)[number];
/** What a lesson hides while it asks about it: nothing, what comes after the cycle on screen, or all that says how methods do. */
type Withheld = 'nothing' | 'later' | 'results';
/** A look as it is drawn. */
export type DrawnLook = Exclude<StageLook, 'auto'>;

/** What is shown and selected of one run. */
export function createViewState({ info }: Pick<RunCourse, 'info'>) {
  /** The fields of the stage's rows, top to bottom; the first is the one that is being chosen. */
  const fields = signal<readonly FieldId[]>(['surface']);
  const field = computed<FieldId>(() => fields.value[0] ?? 'surface');
  /** The basin or the ring of the run: what fields there are, and their words and units, follow from it. */
  const world = computed<World>(() => info.value?.basin);
  // What a ring has not gives way when one is opened.
  effect(() => {
    const suiting = fields.value.filter((id) => hasField(world.value, id));
    if (suiting.length < fields.value.length) fields.value = suiting.length > 0 ? suiting : ['surface'];
  });
  const phase = signal<Phase>('analysis');
  /** How a link or a lesson wants water drawn; `auto` leaves it to the user and the machine. */
  const look = signal<StageLook>('auto');
  /** Heights are drawn this many times as high; 'auto' makes the largest wave a fifth of the basin's side. */
  const exaggeration = signal<number | 'auto'>('auto');
  const camerasLinked = signal(true);
  /** The kind of camera that is on; undefined once a hand has moved one, and if they were placed. */
  const camera = signal<CameraKind | undefined>('perspective');
  /** The stage moves its cameras there, in so many milliseconds, when the `request` number changes. */
  const cameraRequest = signal<{
    readonly to: CameraKind | CameraPlacement;
    readonly milliseconds: number;
    readonly request: number;
  }>({ to: 'perspective', milliseconds: EASE_MILLISECONDS, request: 0 });
  const rangeMode = signal<RangeMode>('shared');
  /** Whether the free run counts in the ranges of errors, increments and spreads: it dwarfs what the methods leave. */
  const freeRunCounts = signal(false);
  /** In the unit of the field, where the range is locked. */
  const lockedRanges = signal<Readonly<Partial<Record<FieldId, readonly [number, number]>>>>({});
  /** The label of the method that is subtracted from the others in stage and charts; undefined shows fields. */
  const difference = signal<string | undefined>(undefined);
  const showsObservations = signal(true);
  const showsBathymetry = signal(true);
  const withheld = signal<Withheld>('nothing');
  /** What a lesson points at: labels of methods, `truth`, and parts of the window. */
  const pointsAt = signal<readonly string[]>([]);

  const probes = signal<readonly Probe[]>([]);
  const crossSection = signal<CrossSection | undefined>(undefined);
  /** The cell under the pointer, in whichever view. */
  const hoveredCell = signal<GridPoint | undefined>(undefined);
  /** The cycle under the pointer in a chart or on the timeline: the crosshair of all charts. */
  const hoveredCycle = signal<number | undefined>(undefined);
  /** The cycle at which the cursor of all charts is pinned. */
  const pinnedCycle = signal<number | undefined>(undefined);
  /** The method under the pointer or chosen in a legend, emphasised everywhere. */
  const highlightedMethod = signal<string | undefined>(undefined);
  /** Labels of methods that were switched off in a legend. */
  const hiddenMethods = signal<ReadonlySet<string>>(new Set());
  const selectedMethods = computed<readonly string[]>(() =>
    (info.value?.methods ?? []).map(({ label }) => label).filter((label) => !hiddenMethods.value.has(label)),
  );

  function setField(id: FieldId, row = 0): void {
    if (!hasField(world.value, id)) return;
    const next = [...fields.value];
    next[Math.min(row, next.length)] = id;
    fields.value = next.slice(0, MAXIMUM_ROWS);
  }

  /** Adds a row with that field beneath, or takes it away if there is one; one row always stays. */
  function toggleRow(id: FieldId): void {
    const without = fields.value.filter((each) => each !== id);
    if (without.length < fields.value.length) fields.value = without.length > 0 ? without : fields.value;
    else fields.value = [...fields.value, id].slice(-MAXIMUM_ROWS);
  }

  function moveCameras(to: CameraKind | CameraPlacement, milliseconds = EASE_MILLISECONDS): void {
    batch(() => {
      camera.value = typeof to === 'string' ? to : undefined;
      cameraRequest.value = { to, milliseconds, request: cameraRequest.peek().request + 1 };
    });
  }

  function toggleMethod(label: string): void {
    const next = new Set(hiddenMethods.value);
    if (!next.delete(label)) next.add(label);
    hiddenMethods.value = next;
  }

  /** Pins a point; one that is already pinned there is taken away. The oldest goes when there are too many. */
  function toggleProbe({ x, y }: GridPoint): void {
    const others = probes.value.filter((probe) => probe.x !== x || probe.y !== y);
    if (others.length < probes.value.length) {
      probes.value = others;
      return;
    }
    const used = new Set(others.map(({ id }) => id));
    let id = 1;
    while (used.has(id)) id += 1;
    probes.value = [...others.slice(-(MOST_PINS - 1)), { id, x, y }];
  }

  /** Takes away all probes and the cross-section. */
  function clearPins(): void {
    probes.value = [];
    crossSection.value = undefined;
  }

  /** Forgets what belonged to the basin of another run. */
  function clearSelection(): void {
    clearPins();
    hoveredCell.value = undefined;
    hoveredCycle.value = undefined;
    pinnedCycle.value = undefined;
    highlightedMethod.value = undefined;
    hiddenMethods.value = new Set();
    lockedRanges.value = {};
    difference.value = undefined;
    if (rangeMode.value === 'locked') rangeMode.value = 'shared';
  }

  return {
    fields,
    field,
    world,
    phase,
    look,
    exaggeration,
    camerasLinked,
    camera,
    cameraRequest,
    rangeMode,
    freeRunCounts,
    lockedRanges,
    difference,
    showsObservations,
    showsBathymetry,
    withheld,
    pointsAt,
    probes,
    crossSection,
    hoveredCell,
    hoveredCycle,
    pinnedCycle,
    highlightedMethod,
    hiddenMethods,
    selectedMethods,
    setField,
    toggleRow,
    moveCameras,
    toggleMethod,
    toggleProbe,
    clearPins,
    clearSelection,
  };
}

export type ViewState = ReturnType<typeof createViewState>;

/** @returns metres as people say them: `200 m`, `50 km` */
export function distanceText(metres: number): string {
  return metres >= 1000 ? `${formatNumber(metres / 1000)} km` : `${formatNumber(metres)} m`;
}

/** @returns where a place is: `x 12 m, y 3 m`; on a ring, whose places are counted from 0, `place 12` */
export function placeText({ dx, dy, isRing }: Pick<BasinInfo, 'dx' | 'dy' | 'isRing'>, { x, y }: GridPoint): string {
  return isRing ? `place ${formatNumber(x)}` : `x ${distanceText(x * dx)}, y ${distanceText(y * dy)}`;
}

/** Numbers of a cycle's observations that the heads of stems show in place of innovations. */
export interface ShownHeads {
  readonly cycle: number;
  /** By what the stage calls a method, a number for each observation; heads of other views stay neutral. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** Size at which a head has its full colour. */
  readonly full: number;
  /** What the two ends of the colours mean: of numbers above 0, and below. */
  readonly above: string;
  readonly below: string;
  /** What the colours show, in one sentence. */
  readonly help: string;
}
