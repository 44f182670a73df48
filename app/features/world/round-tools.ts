/** The tools for what is round: a drop that falls into the water, and an island that rises from the bed. */
import { computed, signal, type Signal } from '@preact/signals';
import { formatQuantity } from '../../format/numbers.ts';
import type { ScenarioState } from '../../document/scenario/scenario-state.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { describeProblem } from '../../../engine/index.ts';
import type { RunController } from '../../document/run/run-controller.ts';
import type { Notices } from '../../page/notices.ts';
import { metresBetween, NO_GHOST, clip, type Ghost, type HeldTool, type ToolContext } from './tools.ts';
import type { SeenBy, WorldChange } from '../../document/scenario/changes.ts';
import type { WorldEdit } from './world-edits.ts';

/** Heights of water and bed that a scenario may hold, m. */
export const HIGHEST = 12_000;
/** One press of a key makes it so many times as wide. */
const KEY_GROWTH = 1.25;
/** Initial width of a drop or an island, as a share of the basin's shorter side. */
const USUAL_SHARE = 0.1;
/** A drop is at first so many times as high as gauges err: seen, and no more than a wave. */
const USUAL_ERRORS = 10;
const USUAL_DROP = 0.2;
/** The scheme whose bottom need not be flat. */
export const WITH_BED = 'central-upwind';
/** An island is at first so many times as high as the water is deep. */
const USUAL_DEPTHS = 1.2;

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

interface RoundContext extends ToolContext {
  readonly scenario: Pick<ScenarioState, 'appliedScenario' | 'setDraftValue'>;
  readonly controller: Pick<RunController, 'apply'>;
  readonly notices: Pick<Notices, 'notify'>;
}

/** What a circle on the water is to become. */
interface Circle extends GridPoint {
  /** Metres. */
  readonly radius: number;
}

/** A stone that was thrown. */
export interface Stone extends GridPoint {
  readonly seenBy: SeenBy;
}

/**
 * @param kind of its ring
 * @param apply makes of a circle what it is to become
 * @param waits whether a circle stays where it was put until it is pressed again
 */
function createRoundTool(
  { basin, view }: RoundContext,
  kind: 'drop' | 'island',
  apply: (circle: Circle) => void,
  waits: boolean,
) {
  /** Share of the basin's shorter side, so that it suits the next basin as well. */
  const share = signal(USUAL_SHARE);
  const begun = signal<GridPoint | undefined>(undefined);
  const placed: Signal<GridPoint | undefined> = signal(undefined);
  const side = computed(() => {
    const of = basin.value;
    return of ? Math.min(of.nx * of.dx, of.ny * of.dy) : 1;
  });
  /** From half a cell to the basin's diagonal, m. */
  const radiusLimits = computed<readonly [number, number]>(() => {
    const { nx, ny, dx, dy } = basin.value ?? { nx: 1, ny: 1, dx: 1, dy: 1 };
    return [Math.max(dx, dy) / 2, rounded(Math.hypot((nx - 1) * dx, (ny - 1) * dy), 3)];
  });
  const held = (metres: number): number => clip(metres, ...radiusLimits.value);
  /** Metres. */
  const radius = computed(() => held(rounded(share.value * side.value, 3)));

  function setRadius(metres: number): void {
    share.value = held(metres) / side.value;
  }

  function use(at: GridPoint): void {
    if (waits) placed.value = at;
    else apply({ ...at, radius: radius.value });
  }

  /** Does what waits. */
  function confirm(): void {
    const at = placed.value;
    placed.value = undefined;
    if (at) apply({ ...at, radius: radius.value });
  }

  const tool: HeldTool = {
    ghost: computed<Ghost>(() => {
      const centre = begun.value ?? placed.value ?? view.hoveredCell.value;
      return centre ? { ...NO_GHOST, ring: { kind, centre, radius: radius.value } } : NO_GHOST;
    }),
    down(cell) {
      begun.value = cell;
    },
    move(cell) {
      const [of, from] = [basin.value, begun.value];
      if (of && from) setRadius(metresBetween(of, from, cell));
    },
    up() {
      const at = begun.value;
      begun.value = undefined;
      if (at) use(at);
    },
    giveUp() {
      const isHeld = begun.value !== undefined || placed.value !== undefined;
      begun.value = undefined;
      placed.value = undefined;
      return isHeld;
    },
    press(cell) {
      if (placed.value) confirm();
      else use(cell);
    },
    erase() {
      placed.value = undefined;
    },
    resize: (by) => setRadius(radius.value * KEY_GROWTH ** by),
  };
  return {
    ...tool,
    /** Metres. */
    radius,
    setRadius,
    radiusLimits,
    /** Where one waits to be made. */
    placed,
    confirm,
  };
}

export function createRoundTools(context: RoundContext) {
  const { basin, act, scenario, controller, notices } = context;
  const seenBy = signal<SeenBy>('truth');
  const chosenDrop = signal<number | undefined>(undefined);
  const chosenIsland = signal<number | undefined>(undefined);
  const stone = signal<Stone | undefined>(undefined);

  /** Metres; below zero water is taken away. */
  const dropHeight = computed(() => {
    const networks = scenario.appliedScenario.value?.observations ?? [];
    const gauges = networks.find(({ variable }) => variable === 'h' || variable === 'eta');
    const usual = gauges ? rounded(USUAL_ERRORS * gauges.errorStandardDeviation, 1) : USUAL_DROP;
    return chosenDrop.value ?? usual;
  });
  /** Metres above the bed. */
  const islandHeight = computed(() => {
    const bed = basin.value?.bed ?? new Float32Array(1);
    const depth = bed.reduce((sum, elevation) => sum + Math.max(0, -elevation), 0) / bed.length;
    return chosenIsland.value ?? clip(rounded(USUAL_DEPTHS * depth, 2), 1e-3, HIGHEST);
  });
  /** Scheme of the model, if it has water. */
  const scheme = computed(() => {
    const model = scenario.appliedScenario.value?.model;
    return model && 'scheme' in model ? model.scheme : undefined;
  });
  /** Why there can be none. */
  const dropRefusal = computed(() => (scheme.value === undefined ? 'The model has no water to drop into.' : undefined));
  const islandRefusal = computed(() => {
    if (scheme.value === undefined) return 'The model has no bed to raise.';
    return scheme.value === WITH_BED
      ? undefined
      : `The scheme ${scheme.value} has a flat bottom: an island needs ${WITH_BED}.`;
  });
  const canChangeScheme = computed(() => scheme.value !== undefined && scheme.value !== WITH_BED);

  /** Begins the run again with the scheme that has a bed. */
  function changeScheme(): void {
    const problems = scenario.setDraftValue('model.scheme', WITH_BED, `use ${WITH_BED}`);
    if (problems.length > 0)
      notices.notify('error', `Not done: use ${WITH_BED}`, { lines: problems.map(describeProblem) });
    else void controller.apply();
  }

  function fall({ x, y, radius }: Circle): void {
    const height = dropHeight.value;
    const edit: WorldEdit = {
      title:
        height < 0 ? `take ${formatQuantity(-height, 'm')} of water` : `drop ${formatQuantity(height, 'm')} of water`,
      make: (cycle): readonly WorldChange[] => [
        { kind: 'drop', cycle, x, y, radius, height, volume: 'displaced', seenBy: seenBy.value },
      ],
    };
    void act(edit);
    if (height > 0) stone.value = { x, y, seenBy: seenBy.value };
  }

  function rise({ x, y, radius }: Circle): void {
    const height = islandHeight.value;
    const edit: WorldEdit = {
      title: `raise an island of ${formatQuantity(height, 'm')}`,
      make: (): readonly WorldChange[] => [{ kind: 'island', cycle: 0, x, y, radius, height }],
      restarts: true,
      advice: 'Where gauges that were painted are in its way, take their change out of the list first.',
    };
    void act(edit);
  }

  const drop = createRoundTool(context, 'drop', fall, false);
  const island = createRoundTool(context, 'island', rise, true);
  return {
    drop: {
      ...drop,
      height: dropHeight,
      setHeight: (metres: number): void => {
        chosenDrop.value = clip(metres, -HIGHEST, HIGHEST);
      },
      seenBy,
      /** The stone that falls; undefined once its splash is over. */
      stone,
    },
    island: {
      ...island,
      canChangeScheme,
      changeScheme,
      height: islandHeight,
      setHeight: (metres: number): void => {
        chosenIsland.value = clip(metres, 1e-3, HIGHEST);
      },
    },
    dropRefusal,
    islandRefusal,
  };
}
