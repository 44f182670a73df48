/**
 * What a hand changes of the world as interventions of the scenario: how added and removed gauges are written, where they are
 * in the list, and which of them have not taken effect yet.
 */
import { MAXIMUM_PLACES, type Intervention, type InterventionOf } from '../../../engine/index.ts';
import type { GridPoint } from '../views/view-state.ts';

export type GaugesChange = InterventionOf<'gauges'>;
type DropChange = InterventionOf<'drop'>;
type IslandChange = InterventionOf<'island'>;
/** What is no setting. */
export type WorldChange = GaugesChange | DropChange | IslandChange;

export type ObservedVariable = GaugesChange['variable'];
export type SeenBy = DropChange['seenBy'];

/** What a gauge observes, and how well. */
export interface Instrument {
  readonly variable: ObservedVariable;
  /** In the unit of the variable. */
  readonly errorStandardDeviation: number;
}

export type Gauge = GridPoint & Instrument;

/** Gauges that come and go together. */
export interface GaugeExchange {
  readonly added: readonly Gauge[];
  readonly removed: readonly Gauge[];
}

export function isWorldChange(intervention: Intervention): intervention is WorldChange {
  return intervention.kind !== 'setting';
}

/** Whether two interventions say the same. */
function isSame(a: Intervention, b: Intervention): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function placeOf({ x, y }: GridPoint): [number, number] {
  return [x, y];
}

/** @returns gauges of one instrument together, in the order in which their instruments come first */
function byInstrument(gauges: readonly Gauge[]): readonly (readonly Gauge[])[] {
  const groups = new Map<string, Gauge[]>();
  for (const gauge of gauges) {
    const key = `${gauge.variable} ${gauge.errorStandardDeviation}`;
    const group = groups.get(key);
    if (group) group.push(gauge);
    else groups.set(key, [gauge]);
  }
  return [...groups.values()];
}

/** @returns parts of at most so many */
function parts<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, k) => items.slice(most * k, most * (k + 1)));
}

/** @returns the places of gauges, each once */
function placesOf(gauges: readonly GridPoint[]): readonly [number, number][] {
  const places = new Map(gauges.map((gauge) => [`${gauge.x} ${gauge.y}`, placeOf(gauge)]));
  return [...places.values()];
}

/**
 * Gauges are removed before others are added, so that one may come to a place that another leaves. One intervention has gauges
 * of one instrument.
 */
export function gaugeChanges({ added, removed }: GaugeExchange, cycle: number): readonly GaugesChange[] {
  const removals = parts(placesOf(removed), MAXIMUM_PLACES);
  const additions = byInstrument(added).flatMap((group) => parts(group, MAXIMUM_PLACES));
  const count = Math.max(removals.length, additions.length + Math.max(0, removals.length - 1));
  const [first] = [...added, ...removed];
  return Array.from({ length: count }, (_, k): GaugesChange => {
    // The last removal and the first addition are one: a move is.
    const addition = additions[k - Math.max(0, removals.length - 1)] ?? [];
    const { variable, errorStandardDeviation } = addition[0] ?? first;
    return {
      kind: 'gauges',
      cycle,
      variable,
      errorStandardDeviation,
      add: addition.map(placeOf),
      remove: [...(removals[k] ?? [])],
    };
  });
}

/** @returns the list with further interventions, after those of their cycles */
export function withChanges(list: readonly Intervention[], added: readonly Intervention[]): readonly Intervention[] {
  return added.reduce<readonly Intervention[]>(
    (all, change) => [
      ...all.filter(({ cycle }) => cycle <= change.cycle),
      change,
      ...all.filter(({ cycle }) => cycle > change.cycle),
    ],
    list,
  );
}

/** @returns the list without some of its interventions; of those that say the same, the latest goes */
export function withoutChanges(
  list: readonly Intervention[],
  removed: readonly Intervention[],
): readonly Intervention[] {
  const left = [...list];
  for (const change of removed) {
    const at = left.findLastIndex((each) => isSame(each, change));
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** @returns whether all of some interventions are in a list */
export function holdsAll(list: readonly Intervention[], changes: readonly Intervention[]): boolean {
  return withoutChanges(list, changes).length === list.length - changes.length;
}
