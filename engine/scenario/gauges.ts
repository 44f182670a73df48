/**
 * The gauges of a scenario at one of its cycles: those of its fixed networks, without what was taken away, and those
 * that were painted. The experiment observes with them, and the checks of interventions walk through them.
 */
import { networkDefinition, type Positions } from '../networks/index.ts';
import { boundaryOf, NO_FILES } from '../settings/index.ts';
import { modelGrid } from './bed.ts';
import { streamNamesOf } from './networks.ts';
import type { InterventionOf, ObservedVariable, Scenario } from './schema.ts';

/** What results call the gauges that were painted. */
export const PAINTED_NETWORK = 'painted';

/** Places that are nearer to each other along both axes are the same, cells. */
const SAME_PLACE = 1e-3;
/** Gauges that there is room for when the first is painted; twice as many whenever that is not enough. */
const LEAST_ROOM = 64;

type Place = readonly [x: number, y: number];

/** Gauges that are painted while a scenario runs. */
export function paintings({ interventions }: Pick<Scenario, 'interventions'>): readonly InterventionOf<'gauges'>[] {
  return interventions.filter((each) => each.kind === 'gauges').filter(({ add }) => add.length > 0);
}

/** @returns what results call the networks, by the index that observations have; the painted one if there is any */
export function networkNames(scenario: Pick<Scenario, 'observations' | 'interventions'>): readonly string[] {
  const names = scenario.observations.map(({ name }) => name);
  return paintings(scenario).length === 0 ? names : [...names, PAINTED_NETWORK];
}

/** @returns what is observed during a run, each once */
export function observedVariables(
  scenario: Pick<Scenario, 'observations' | 'interventions'>,
): readonly ObservedVariable[] {
  return [...new Set([...scenario.observations, ...paintings(scenario)].map(({ variable }) => variable))];
}

/** One that was painted; its place in cells. */
export interface PaintedGauge {
  readonly x: number;
  readonly y: number;
  readonly variable: ObservedVariable;
  readonly errorStandardDeviation: number;
}

/** A fixed gauge: painted, or of a network, by the index of its place there. */
type Standing = PaintedGauge | { readonly network: number; readonly index: number };

interface Found {
  readonly place: Place;
  readonly gauge: Standing;
}

export interface Gauges {
  /** In the order in which they came. */
  readonly painted: readonly PaintedGauge[];
  /** Indices of the removed places of each network, by its index in the scenario. */
  readonly removed: ReadonlyMap<number, ReadonlySet<number>>;
  /** Removes every gauge at a place. @returns how many */
  remove(place: Place): number;
  /** @returns whether it is new: there is one painted gauge of a variable at a place */
  add(gauge: PaintedGauge): boolean;
  /** @returns where the nearest gauge is; undefined if there is none */
  nearest(place: Place): Place | undefined;
}

/** Places of the fixed networks, by the index of the network. No file says what is fixed. */
function standingPlaces(scenario: Scenario): ReadonlyMap<number, Positions> {
  const grid = modelGrid(scenario);
  const { seed, observations, experiment } = scenario;
  const names = streamNamesOf(observations);
  const found = new Map<number, Positions>();
  observations.forEach(({ network }, index) => {
    const definition = networkDefinition(network.kind);
    if (definition.reads || definition.drifting) return;
    const nowhere = { x: new Float64Array(0), y: new Float64Array(0) };
    const context = {
      grid,
      windowSeconds: experiment.window,
      seed,
      streamName: names[index],
      files: NO_FILES,
      buoys: { positions: () => nowhere },
    };
    const { standing } = definition.create(network, context);
    if (standing) found.set(index, standing);
  });
  return found;
}

/** A place along an axis, in its first period where it is periodic. */
function along(place: number, cells: number, periodic: boolean): number {
  return periodic ? ((place % cells) + cells) % cells : place;
}

/** The shortest way between two places along an axis, cells. */
function apart(a: number, b: number, cells: number, periodic: boolean): number {
  return Math.abs(periodic ? a - b - cells * Math.round((a - b) / cells) : a - b);
}

/** Things at places, found by where they are; places on a periodic axis are the same a period further. */
function createPlaceIndex({ grid, model }: Pick<Scenario, 'grid' | 'model'>) {
  const bins = new Map<string, Set<Found>>();
  const axes = [
    { cells: grid.nx, periodic: boundaryOf(model).x === 'periodic' },
    { cells: grid.ny, periodic: boundaryOf(model).y === 'periodic' },
  ] as const;
  const binOf = (place: Place, shift: Place): string =>
    axes.map(({ cells, periodic }, axis) => along(Math.round(place[axis]) + shift[axis], cells, periodic)).join(' ');
  const distances = (a: Place, b: Place): readonly number[] =>
    axes.map(({ cells, periodic }, axis) => apart(a[axis], b[axis], cells, periodic));
  const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));

  return {
    at(place: Place): Found[] {
      const near = new Set(around.map((shift) => binOf(place, shift)));
      return [...near]
        .flatMap((bin) => [...(bins.get(bin) ?? [])])
        .filter((found) => distances(found.place, place).every((distance) => distance < SAME_PLACE));
    },
    add(found: Found): void {
      const bin = binOf(found.place, [0, 0]);
      const there = bins.get(bin);
      if (there) there.add(found);
      else bins.set(bin, new Set([found]));
    },
    remove(found: Found): void {
      bins.get(binOf(found.place, [0, 0]))?.delete(found);
    },
    nearest(place: Place): { readonly place: Place; readonly distance: number } | undefined {
      let best: { readonly place: Place; readonly distance: number } | undefined;
      for (const there of bins.values()) {
        for (const found of there) {
          const distance = Math.hypot(...distances(found.place, place));
          if (distance < (best?.distance ?? Infinity)) best = { place: found.place, distance };
        }
      }
      return best;
    },
  };
}

/** @returns the gauges as the scenario begins, to be changed */
export function createGauges(scenario: Scenario): Gauges {
  const paintedPlaces = createPlaceIndex(scenario);
  let networkPlaces: ReturnType<typeof createPlaceIndex> | undefined;
  const painted = new Set<PaintedGauge>();
  const removed = new Map<number, Set<number>>();

  /** Made when it is first asked for: there may be millions of places. */
  const ofNetworks = (): ReturnType<typeof createPlaceIndex> => {
    if (networkPlaces) return networkPlaces;
    networkPlaces = createPlaceIndex(scenario);
    for (const [network, { x, y }] of standingPlaces(scenario)) {
      for (let index = 0; index < x.length; index++) {
        networkPlaces.add({ place: [x[index], y[index]], gauge: { network, index } });
      }
    }
    return networkPlaces;
  };
  const takeAway = (gauge: Standing): void => {
    if (!('network' in gauge)) {
      painted.delete(gauge);
      return;
    }
    const indices = removed.get(gauge.network) ?? new Set();
    removed.set(gauge.network, indices.add(gauge.index));
  };

  return {
    get painted() {
      return [...painted];
    },
    removed,
    remove(place) {
      const standing = [paintedPlaces, ofNetworks()].flatMap((places) => {
        const found = places.at(place);
        for (const each of found) places.remove(each);
        return found;
      });
      for (const { gauge } of standing) takeAway(gauge);
      return standing.length;
    },
    add(gauge) {
      const place: Place = [gauge.x, gauge.y];
      const isTaken = paintedPlaces
        .at(place)
        .some((found) => 'variable' in found.gauge && found.gauge.variable === gauge.variable);
      if (isTaken) return false;
      painted.add(gauge);
      paintedPlaces.add({ place, gauge });
      return true;
    },
    nearest(place) {
      const found = [paintedPlaces, ofNetworks()].flatMap((places) => {
        const near = places.nearest(place);
        return near ? [near] : [];
      });
      return found.toSorted((a, b) => a.distance - b.distance).at(0)?.place;
    },
  };
}

/** Takes away and adds what an intervention says, in this order: what is moved may land where it was. */
function applyGauges(gauges: Gauges, { add, remove, variable, errorStandardDeviation }: InterventionOf<'gauges'>) {
  for (const place of remove) gauges.remove(place);
  for (const [x, y] of add) gauges.add({ x, y, variable, errorStandardDeviation });
}

function changesUpTo({ interventions }: Scenario, cycle: number): readonly InterventionOf<'gauges'>[] {
  return interventions.filter((each) => each.kind === 'gauges').filter((each) => each.cycle <= cycle);
}

/** @returns the gauges that observe at the end of a cycle */
export function gaugesAt(scenario: Scenario, cycle: number): Pick<Gauges, 'painted' | 'removed'> {
  const gauges = createGauges(scenario);
  for (const change of changesUpTo(scenario, cycle)) applyGauges(gauges, change);
  return gauges;
}

/** Room that a run has for gauges beside those of its networks. */
export interface GaugeRoom {
  readonly painted: number;
  /** Each splits the numbers that a network's errors are drawn with. */
  readonly removed: number;
}

/** At least that many; the same for nearly as many. */
function roomFor(count: number): number {
  return count === 0 ? 0 : Math.max(LEAST_ROOM, 2 ** Math.ceil(Math.log2(count)));
}

/**
 * Room for gauges in a cycle. It follows from all that was added and taken away up to there, so that it is the same wherever the run
 * began, and never less than it was.
 */
export function gaugeRoomAt(scenario: Scenario, cycle: number): GaugeRoom {
  const changes = changesUpTo(scenario, cycle);
  const sum = (count: (change: InterventionOf<'gauges'>) => number): number =>
    changes.reduce((total, change) => total + count(change), 0);
  // A place may be one of every network.
  const removed = scenario.observations.length * sum(({ remove }) => remove.length);
  return { painted: roomFor(sum(({ add }) => add.length)), removed: roomFor(removed) };
}

/**
 * @param scenario whose settings are those of the cycle
 * @returns every fixed gauge as a cycle ends, of the networks first; none of a network that a file gives
 */
export function standingGauges(scenario: Scenario, cycle: number): readonly PaintedGauge[] {
  const { painted, removed } = gaugesAt(scenario, cycle);
  const found: PaintedGauge[] = [];
  for (const [network, { x, y }] of standingPlaces(scenario)) {
    const { variable, errorStandardDeviation } = scenario.observations[network];
    const gone = removed.get(network);
    for (let index = 0; index < x.length; index++) {
      if (gone?.has(index) !== true) found.push({ x: x[index], y: y[index], variable, errorStandardDeviation });
    }
  }
  return found.concat(painted);
}
