/** The tool that paints the observing network: a brush, an eraser, and a hand that moves one gauge. */
import { batch, computed, signal } from '@preact/signals';
import { MAXIMUM_PLACES, scenarioAt, standingGauges } from '../../../engine/index.ts';
import type { RunEdits } from '../../document/scenario/run-edits.ts';
import type { ScenarioState } from '../../document/scenario/scenario-state.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import {
  cellIndex,
  cellsUnder,
  isOnLattice,
  isWater,
  nearestPlace,
  painted,
  placesUnder,
  waterCells,
  NO_GHOST,
  clip,
} from './tools.ts';
import type { Reach, Ghost, HeldTool, ToolContext } from './tools.ts';
import { gaugeChanges } from '../../document/scenario/changes.ts';
import type { Gauge, GaugeExchange, Instrument, ObservedVariable } from '../../document/scenario/changes.ts';
import type { WorldEdit } from './world-edits.ts';

export const GAUGE_HANDS = ['paint', 'erase', 'move'] as const;
export type GaugeHand = (typeof GAUGE_HANDS)[number];

/** Cells from the middle of the brush to its edge; 0 is a brush of one cell. */
export const WIDEST_BRUSH = 32;
/** Cells from one painted gauge to the next. */
export const WIDEST_SPACING = 32;
/** In the unit of the variable, where the scenario has no network. */
const USUAL_ERROR = 0.02;
/** Cells that a hand may miss a gauge by that it moves. */
const GRASP = 1.5;

interface GaugeToolContext extends ToolContext {
  readonly edits: Pick<RunEdits, 'runScenario'>;
  readonly scenario: Pick<ScenarioState, 'appliedScenario'>;
}

interface Stroke {
  readonly erases: boolean;
  readonly begun: GridPoint;
  readonly last: GridPoint;
  /** By cell. */
  readonly added: ReadonlyMap<number, GridPoint>;
  readonly removed: ReadonlySet<Gauge>;
}

/** @returns `12 gauges`, `1 gauge` */
export function gaugeCount(count: number): string {
  return count === 1 ? '1 gauge' : `${count} gauges`;
}

function titleOf({ added, removed }: GaugeExchange): string {
  if (removed.length === 0) return `paint ${gaugeCount(added.length)}`;
  return added.length === 0 ? `erase ${gaugeCount(removed.length)}` : 'move a gauge';
}

export function createGaugeTool(context: GaugeToolContext) {
  const { basin, nextCycle, waiting, act, underway, edits, scenario, view } = context;
  const hand = signal<GaugeHand>('paint');
  const brush = signal(2);
  const spacing = signal(2);
  const chosen = signal<Partial<Instrument>>({});
  const stroke = signal<Stroke | undefined>(undefined);
  /** A gauge on its way to another place. */
  const carried = signal<{ readonly gauge: Gauge; readonly to: GridPoint } | undefined>(undefined);
  /** What is in the strokes that wait for the cycle that is being computed. */
  const exchanges = new WeakMap<WorldEdit, GaugeExchange>();

  /** The instrument: default, that of the scenario's first network. */
  const instrument = computed<Instrument>(() => {
    const networks = scenario.appliedScenario.value?.observations ?? [];
    const variable = chosen.value.variable ?? networks[0]?.variable ?? 'h';
    const alike = networks.find((network) => network.variable === variable) ?? networks[0];
    const errorStandardDeviation = chosen.value.errorStandardDeviation ?? alike?.errorStandardDeviation ?? USUAL_ERROR;
    return { variable, errorStandardDeviation };
  });
  /** Radius of the brush, m. */
  const radius = computed(() => (brush.value + 0.5) * Math.min(basin.value?.dx ?? 1, basin.value?.dy ?? 1));

  /** Interventions that have a part in the next cycle: gauges are looked for again when there are others. */
  const dueCount = computed(
    () => edits.runScenario.value?.interventions.filter(({ cycle }) => cycle <= nextCycle.value).length ?? 0,
  );
  /** Fixed gauges of the next analysis. */
  const standing = computed<readonly Gauge[]>(() => {
    const run = edits.runScenario.value;
    if (!run) return [];
    const last = run.interventions.at(dueCount.value - 1);
    const cycle = dueCount.value > 0 && last ? last.cycle : 0;
    return standingGauges(scenarioAt(run, cycle), cycle);
  });
  const takenCells = computed<ReadonlySet<number>>(() => {
    const of = basin.value;
    return new Set(of ? standing.value.map((gauge) => cellIndex(of, gauge)) : []);
  });
  const isTaken = (cell: number): boolean => takenCells.value.has(cell);

  /** @returns what of an exchange can still be done with the current gauges */
  function fitting({ added, removed }: GaugeExchange): GaugeExchange {
    const here = new Set(standing.value.map(({ x, y }) => `${x} ${y}`));
    const leaving = new Set(removed.map(({ x, y }) => `${x} ${y}`));
    return {
      added: added.filter(({ x, y }) => !here.has(`${x} ${y}`) || leaving.has(`${x} ${y}`)),
      removed: removed.filter(({ x, y }) => here.has(`${x} ${y}`)),
    };
  }

  function exchange(wanted: GaugeExchange): void {
    if (wanted.added.length + wanted.removed.length === 0) return;
    const edit: WorldEdit = {
      title: titleOf(wanted),
      make: (cycle) => gaugeChanges(fitting(wanted), cycle),
      unmake: (cycle) => gaugeChanges(fitting({ added: wanted.removed, removed: wanted.added }), cycle),
    };
    exchanges.set(edit, wanted);
    void act(edit);
  }

  const reachTo = (from: GridPoint, to: GridPoint): Reach => ({ from, to, radius: radius.value });

  /** What a stroke takes in on its way from one cell to another. */
  function extended(before: Stroke, to: GridPoint): Stroke {
    const of = basin.value;
    if (!of) return before;
    const reach = reachTo(before.last, to);
    if (before.erases) {
      const removed = new Set(before.removed);
      for (const gauge of placesUnder(of, reach, standing.value)) removed.add(gauge);
      return { ...before, last: to, removed };
    }
    const added = new Map(before.added);
    for (const place of painted(of, reach, spacing.value, isTaken)) {
      if (added.size < MAXIMUM_PLACES) added.set(cellIndex(of, place), place);
    }
    return { ...before, last: to, added };
  }

  function begun(cell: GridPoint, erases: boolean): Stroke {
    return extended({ erases, begun: cell, last: cell, added: new Map(), removed: new Set() }, cell);
  }

  /** @returns where a stroke puts gauges: where it began if no place of its spacing is under the brush there */
  function addedBy({ erases, added, begun: first }: Stroke): readonly GridPoint[] {
    const of = basin.value;
    if (erases || !of) return [];
    if (added.size > 0) return [...added.values()];
    const isBetween = !cellsUnder(of, reachTo(first, first)).some((place) => isOnLattice(place, spacing.value));
    const isFree = isWater(of, first) && !isTaken(cellIndex(of, first));
    return isBetween && isFree ? [first] : [];
  }

  function commit(drawn: Stroke): void {
    const added = addedBy(drawn).map(({ x, y }) => ({ x, y, ...instrument.value }));
    exchange({ added, removed: [...drawn.removed] });
  }

  /** @returns the gauge that a hand takes up at a cell */
  function within(cell: GridPoint): Gauge | undefined {
    const of = basin.value;
    return of && nearestPlace(of, cell, Math.max(radius.value, GRASP * Math.max(of.dx, of.dy)), standing.value);
  }

  function grasp(cell: GridPoint): void {
    const gauge = within(cell);
    carried.value = gauge && { gauge, to: { x: gauge.x, y: gauge.y } };
  }

  /** All gauges of one place go together. */
  function putDown(): void {
    const [of, carries] = [basin.value, carried.value];
    carried.value = undefined;
    if (!of || !carries) return;
    const { gauge, to } = carries;
    const isFree = isWater(of, to) && !isTaken(cellIndex(of, to));
    if (!isFree) return;
    const removed = standing.value.filter(({ x, y }) => x === gauge.x && y === gauge.y);
    exchange({ added: removed.map((each) => ({ ...each, ...to })), removed });
  }

  const ring = (erases: boolean, centre: GridPoint): Ghost['ring'] => ({
    kind: erases ? 'eraser' : 'gauges',
    centre,
    radius: radius.value,
  });

  /** The gauges that are there from the next cycle on, and those that are removed. */
  const ofWaiting = computed<Pick<Ghost, 'added' | 'removed'>>(() => {
    const coming = new Map<string, GridPoint>();
    const leaving: GridPoint[] = [];
    for (const change of waiting.value) {
      if (change.kind !== 'gauges') continue;
      for (const [x, y] of change.remove) if (!coming.delete(`${x} ${y}`)) leaving.push({ x, y });
      for (const [x, y] of change.add) coming.set(`${x} ${y}`, { x, y });
    }
    const wanted = underway.value.flatMap((edit) => exchanges.get(edit) ?? []);
    return {
      added: [...coming.values(), ...wanted.flatMap(({ added }) => added)],
      removed: [...leaving, ...wanted.flatMap(({ removed }) => removed)],
    };
  });

  const ghost = computed<Ghost>(() => {
    const carries = carried.value;
    if (carries) return { ...NO_GHOST, way: { from: carries.gauge, to: carries.to } };
    const at = view.hoveredCell.value;
    if (!stroke.value && at && hand.value === 'move') {
      const gauge = within(at);
      return gauge ? { ...NO_GHOST, added: [gauge] } : NO_GHOST;
    }
    const drawn = stroke.value ?? (at && begun(at, hand.value === 'erase'));
    if (!drawn) return NO_GHOST;
    return { ring: ring(drawn.erases, drawn.last), added: addedBy(drawn), removed: [...drawn.removed], way: undefined };
  });

  const tool: HeldTool = {
    ghost,
    down(cell, erases) {
      if (hand.value === 'move' && !erases) grasp(cell);
      else stroke.value = begun(cell, erases || hand.value === 'erase');
    },
    move(cell) {
      if (carried.value) carried.value = { ...carried.value, to: cell };
      else if (stroke.value) stroke.value = extended(stroke.value, cell);
    },
    up() {
      const drawn = stroke.value;
      batch(() => {
        stroke.value = undefined;
        if (drawn) commit(drawn);
        else putDown();
      });
    },
    giveUp() {
      const isHeld = stroke.value !== undefined || carried.value !== undefined;
      batch(() => {
        stroke.value = undefined;
        carried.value = undefined;
      });
      return isHeld;
    },
    press(cell) {
      if (hand.value !== 'move') commit(begun(cell, hand.value === 'erase'));
      else if (carried.value) {
        carried.value = { ...carried.value, to: cell };
        putDown();
      } else grasp(cell);
    },
    erase: (cell) => commit(begun(cell, true)),
    resize(by) {
      brush.value = clip(brush.value + by, 0, WIDEST_BRUSH);
    },
  };

  return {
    ...tool,
    hand,
    brush,
    spacing,
    radius,
    instrument,
    standing,
    carried,
    ofWaiting,
    /** Cells of water for one gauge that the next analysis has; undefined without gauges. */
    cellsPerGauge: computed(() => {
      const of = basin.value;
      return of && standing.value.length > 0 ? waterCells(of) / standing.value.length : undefined;
    }),
    setVariable: (variable: ObservedVariable): void => {
      chosen.value = { ...chosen.value, variable };
    },
    setError: (errorStandardDeviation: number): void => {
      chosen.value = { ...chosen.value, errorStandardDeviation };
    },
  };
}
