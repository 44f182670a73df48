/**
 * Makes what happens to the water during the run happen, to the truth alone, to all, or to each on its own: drops at the start of
 * cycles, and the rates of what drives the water at every step, one interval after another.
 */
import type { Backend, Prepared, RealField } from '../compute/backend.ts';
import { forcingDefinition, type SeenBy, type Interval, type Source } from '../forcing/index.ts';
import { dropLines, type Basin, type Drop } from '../initial-states/index.ts';
import { drivenModel, type Grid, type Model } from '../models/index.ts';
import { DROPS_AT_ONCE, fallingDrops } from '../operators/falling-drops/index.ts';
import { randomStream } from '../random/stream.ts';
import { moundOf, physicsOf, type InterventionOf, type Scenario } from '../scenario/index.ts';
import { prolong, prolongLine } from './hidden-truth.ts';

/** Radius and height of a member's drop are those of the truth times numbers drawn evenly from here. */
const FACTORS = [0.5, 1.5] as const;

/** Whose drop it is, where members have drops of their own. */
interface DropOwner {
  readonly seed: number;
  readonly member: number;
}

/** Clamps a place to the basin's walls. Along a periodic axis the place is unchanged. */
function kept(place: number, cells: number, periodic: boolean): number {
  return periodic ? place : Math.min(Math.max(place, 0), cells - 1);
}

/**
 * A member's own drop, from the stream of the drop's place, counted by cycle and member: its place is displaced by a normal number
 * of radii along each axis.
 */
function ownDrop(
  drop: InterventionOf<'drop'>,
  { nx, ny, dx, dy, periodicX, periodicY }: Grid,
  { seed, member }: DropOwner,
): InterventionOf<'drop'> {
  const { x, y, radius, height, cycle } = drop;
  const stream = randomStream(seed, `drops.${x},${y}`, cycle, member);
  return {
    ...drop,
    x: kept(x + (stream.normal() * radius) / dx, nx, periodicX),
    y: kept(y + (stream.normal() * radius) / dy, ny, periodicY),
    radius: radius * stream.between(...FACTORS),
    height: height * stream.between(...FACTORS),
  };
}

export interface Forcing {
  /**
   * Draws what falls at the start of a cycle.
   *
   * @param interventions drops that fall there as well
   * @param counts of states that `applyToEnsemble` will be given
   */
  draw(cycle: number, interventions: readonly InterventionOf<'drop'>[], counts?: Iterable<number>): Promise<void>;
  /** Whether some of what was drawn takes water away: the states are then to be repaired. */
  readonly lowers: boolean;
  applyToTruth(truth: RealField): void;
  /**
   * @param state [count][variable][y][x]: those of the members, and the mean of these in what is not a member's: a deterministic
   *   method's single state, or the one after the members'
   */
  applyToEnsemble(state: RealField, count: number): void;
  dispose(): void;
}

/** A drop that falls, and whether its water is taken from the basin's. */
interface FallingDrop extends Drop {
  readonly displaced: boolean;
}

/** Something that falls: on the truth, and on a member. */
interface Falling {
  readonly seenBy: SeenBy;
  readonly lowers: boolean;
  readonly ofTruth: readonly FallingDrop[];
  readonly ofMember: (member: number) => readonly FallingDrop[];
}

/** What drops fall on: the truth, the members, or a state that is no member, on which the mean of the members' drops falls. */
type Who = 'truth' | 'members' | 'mean';

/** Adds what falls on states, one after another, to the first variable of each. */
interface Adding {
  readonly along: RealField;
  readonly across: RealField;
  readonly levels: RealField;
  readonly water: RealField;
  /** By the index of the first state. */
  readonly operators: Map<number, Prepared<typeof fallingDrops.fields>>;
  /** Cells along each axis of a cell of the methods' grid. */
  readonly factor: number;
  /** Drops by state. */
  falls: readonly (readonly FallingDrop[])[];
  /** Number of the first drop of a state that is in the fields; undefined if none is. */
  written: number | undefined;
}

/** The states that drops are added to. */
interface ForcedStates {
  /** Elements of one state of the methods; drops raise the first variable, whether it is the depth or the surface. */
  readonly stateLength: number;
  /** Cells of the truth's own along each axis of a cell; 1 if omitted. */
  readonly refinement?: number;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

export function createForcing(
  backend: Backend,
  scenario: Scenario,
  { grid, bed }: Pick<Basin, 'grid' | 'bed'>,
  { stateLength, refinement = 1 }: ForcedStates,
): Forcing {
  const { truth, background, seed } = scenario;
  const { forcing } = truth;
  const { events } = forcingDefinition(forcing.kind);
  const { members } = background;
  const { nx, ny, periodicX, periodicY } = grid;
  const water = Float64Array.from(bed, (elevation) => Number(elevation < 0));
  const wet = sum(water);
  const addings = new Map<Who, Adding>();
  let falling: readonly Falling[] = [];

  /** What the scenario's forcing lets fall. */
  const scheduled = (cycle: number): readonly Falling[] => {
    if (!events || cycle % events.every(forcing) !== 0) return [];
    const displaced = !events.addsVolume(forcing);
    const drawn = (streamName: string, ...index: readonly number[]): readonly FallingDrop[] =>
      events
        .draw(forcing, grid, randomStream(seed, streamName, ...index))
        .map((drop): FallingDrop => ({ ...drop, displaced }));
    const seenBy = events.seenBy(forcing);
    const ofTruth = drawn('truth.forcing', cycle);
    const ofMember = (member: number): readonly FallingDrop[] =>
      seenBy === 'all' ? ofTruth : drawn('background.forcing', cycle, member);
    return [{ seenBy, lowers: events.lowers(forcing), ofTruth, ofMember }];
  };
  const dropped = (drop: InterventionOf<'drop'>): Falling => {
    const displaced = drop.volume === 'displaced';
    const mound = (of: InterventionOf<'drop'>): readonly FallingDrop[] => [{ ...moundOf(of, grid), displaced }];
    const ofTruth = mound(drop);
    const ofMember = (member: number): readonly FallingDrop[] =>
      drop.seenBy === 'all' ? ofTruth : mound(ownDrop(drop, grid, { seed, member }));
    return { seenBy: drop.seenBy, lowers: drop.height < 0 || displaced, ofTruth, ofMember };
  };

  function sizeOf(who: Who) {
    const factor = who === 'truth' ? refinement : 1;
    return { states: who === 'members' ? members : 1, drops: DROPS_AT_ONCE, nx: nx * factor, ny: ny * factor, factor };
  }

  function allocate(who: Who): Adding {
    const { states, drops, factor, ...cells } = sizeOf(who);
    const field = (name: string, length: number): RealField =>
      backend.allocate(`forcing.${who}.${name}`, 'real', length);
    const fields = {
      along: field('along', states * drops * cells.nx),
      across: field('across', states * drops * cells.ny),
      levels: field('levels', states),
      water: field('water', cells.nx * cells.ny),
    };
    backend.write(fields.water, factor === 1 ? water : prolong(water, grid, factor));
    return { ...fields, operators: new Map(), factor, falls: [], written: undefined };
  }

  /** Sets the drops that fall on states from the first one on. Allocates and compiles at the first use. */
  async function prepare(who: Who, falls: Adding['falls'], first: number): Promise<void> {
    const adding = addings.get(who) ?? allocate(who);
    addings.set(who, adding);
    adding.falls = falls;
    adding.written = undefined;
    if (adding.operators.has(first)) return;
    const { factor, ...size } = sizeOf(who);
    const parameters = { ...size, first, stride: stateLength * factor ** 2 };
    adding.operators.set(first, await backend.prepare(fallingDrops, parameters));
  }

  /** Writes drops from `begin` on, as many as one run adds, and how far the water at rest falls for them. */
  function write({ along, across, levels, falls, factor }: Adding, begin: number): void {
    const alongs = new Float64Array(along.length);
    const acrosses = new Float64Array(across.length);
    const lost = new Float64Array(levels.length);
    falls.forEach((drops, state) =>
      drops.slice(begin, begin + DROPS_AT_ONCE).forEach((drop, number) => {
        const lines = dropLines(grid, drop);
        const at = state * DROPS_AT_ONCE + number;
        alongs.set(prolongLine(lines.along, periodicX, factor), at * nx * factor);
        acrosses.set(prolongLine(lines.across, periodicY, factor), at * ny * factor);
        // The sum of a product over all cells is the product of the sums.
        if (drop.displaced && wet > 0) lost[state] += (sum(lines.along) * sum(lines.across)) / wet;
      }),
    );
    backend.write(along, alongs);
    backend.write(across, acrosses);
    backend.write(levels, lost);
  }

  function add(who: Who, ensemble: RealField, first: number): void {
    const adding = addings.get(who);
    if (!adding || adding.falls.length === 0) return;
    const operator = adding.operators.get(first);
    if (!operator) throw new RangeError(`nothing is prepared to be added to the ${who} from state ${first} on`);
    const { along, across, levels, water: shares, falls } = adding;
    const most = Math.max(...falls.map((drops) => drops.length));
    for (let begin = 0; begin < most; begin += DROPS_AT_ONCE) {
      if (adding.written !== begin) write(adding, begin);
      adding.written = begin;
      operator.run({ along, across, levels, water: shares, ensemble });
    }
  }

  return {
    async draw(cycle, interventions, counts = [1, members]) {
      falling = [...scheduled(cycle), ...interventions.map(dropped)];
      for (const adding of addings.values()) adding.falls = [];
      if (falling.length === 0) return;
      await prepare('truth', [falling.flatMap(({ ofTruth }) => ofTruth)], 0);
      const seen = falling.filter(({ seenBy }) => seenBy !== 'truth');
      if (seen.length === 0) return;
      const ofMembers = Array.from({ length: members }, (_, member) =>
        seen.flatMap(({ ofMember }) => ofMember(member)),
      );
      const ofMean = ofMembers.flat().map((drop) => ({ ...drop, height: drop.height / members }));
      for (const count of counts) {
        if (count >= members) await prepare('members', ofMembers, 0);
        if (count !== members) await prepare('mean', [ofMean], count - 1);
      }
    },
    get lowers() {
      return falling.some((each) => each.lowers);
    },
    applyToTruth: (state) => add('truth', state, 0),
    applyToEnsemble(state, count) {
      if (count >= members) add('members', state, 0);
      if (count !== members) add('mean', state, count - 1);
    },
    dispose() {
      for (const { along, across, levels, water: shares, operators } of addings.values()) {
        for (const owned of [along, across, levels, shares, ...operators.values()]) owned.dispose();
      }
      addings.clear();
    },
  };
}

/** What drives the truth and the methods at every step: the rates of the scenario's forcing, one interval after another. */
export interface Driving {
  /** The spin-up in parts as long as a cycle, the first one shorter; one part if nothing drives the water. */
  readonly spinUp: readonly Interval[];
  /** The model of the methods' states, driven by what they see. @returns `model` itself if that is nothing */
  ofMethods(model: Model): Model;
  /** The same of the truth. */
  ofTruth(model: Model): Model;
  /** Gives every propagator the rates of an interval, for the forecasts that are queued from then on. */
  drive(interval: Interval): void;
  /** The interval of a cycle. */
  intervalOf(cycle: number): Interval;
}

/** The rates of the states of a propagator, and how they are written for an interval. */
interface Rates {
  readonly backend: Backend;
  readonly field: RealField;
  readonly states: number;
}

/** Writes the rates of an interval. */
type Writing = (rates: Rates, interval: Interval) => void;

/** Has the rates of an interval computed once, however many propagators want them. */
function computedOnce(source: Source): Source {
  let computed: number | undefined;
  let rates: Float64Array = new Float64Array(0);
  return {
    rates(interval) {
      if (computed !== interval.number) rates = source.rates(interval);
      computed = interval.number;
      return rates;
    },
  };
}

/** Share of a cycle that a spin-up may be longer than whole cycles without having a part for it. */
const ROUNDING = 1e-9;

/** @returns the spin-up in parts, the last of which ends at 0 */
function partsOfSpinUp(spinup: number, window: number): Interval[] {
  const count = Math.max(1, Math.ceil(spinup / window - ROUNDING));
  return Array.from({ length: count }, (_, part) =>
    part === 0
      ? { number: -count, from: -spinup, seconds: spinup - (count - 1) * window }
      : { number: part - count, from: (part - count) * window, seconds: window },
  );
}

export function createDriving(scenario: Scenario): Driving {
  const { truth, background, experiment, seed } = scenario;
  const { forcing, spinup } = truth;
  const { window } = experiment;
  const { source } = forcingDefinition(forcing.kind);
  const intervalOf = (cycle: number): Interval => ({
    number: cycle,
    from: cycle * window,
    seconds: window,
  });
  if (!source) {
    const whole = { number: -1, from: -spinup, seconds: spinup };
    return {
      spinUp: [whole],
      ofMethods: (model) => model,
      ofTruth: (model) => model,
      drive: () => undefined,
      intervalOf,
    };
  }
  const spinUp = partsOfSpinUp(spinup, window);
  const [{ number: first }] = spinUp;
  const { gravity } = physicsOf(scenario.model);
  const seenBy = source.seenBy(forcing);
  const driven = new Map<Rates, Writing>();
  let now: Interval | undefined;

  const sourceOf = ({ grid, bed = new Float64Array(grid.nx * grid.ny) }: Model, member?: number): Source => {
    const streamOf = (interval: number) =>
      member === undefined
        ? randomStream(seed, 'truth.forcing', interval)
        : randomStream(seed, 'background.forcing', interval, member);
    return computedOnce(source.create(forcing, { grid, bed, gravity, window }, first, streamOf));
  };

  /** All states are driven alike. */
  function alike(model: Model): Writing {
    const one = sourceOf(model);
    return ({ backend, field, states }, interval) => {
      const rates = one.rates(interval);
      for (let state = 0; state < states; state++) backend.write(field, rates, state * rates.length);
    };
  }

  /** Members are driven each on its own, and a state that is no member by their mean. */
  function each(model: Model): Writing {
    const sources = Array.from({ length: background.members }, (_, member) => sourceOf(model, member));
    return ({ backend, field, states }, interval) => {
      const all = sources.map((own) => own.rates(interval));
      const [{ length }] = all;
      if (states >= all.length) all.forEach((rates, member) => backend.write(field, rates, member * length));
      if (states === all.length) return;
      const mean = new Float64Array(length);
      for (const rates of all) for (let i = 0; i < length; i++) mean[i] += rates[i] / all.length;
      backend.write(field, mean, (states - 1) * length);
    };
  }

  function driveWith(model: Model, writing: Writing): Model {
    return drivenModel(model, (backend, states) => {
      const length = states * model.variables.length * model.grid.nx * model.grid.ny;
      const field = backend.allocate(`forcing.rates.${states}`, 'real', length);
      const rates = { backend, field, states };
      driven.set(rates, writing);
      if (now) writing(rates, now);
      return {
        field,
        dispose() {
          driven.delete(rates);
          field.dispose();
        },
      };
    });
  }

  return {
    spinUp,
    ofMethods: (model) =>
      seenBy === 'truth' ? model : driveWith(model, seenBy === 'each' ? each(model) : alike(model)),
    ofTruth: (model) => driveWith(model, alike(model)),
    drive(interval) {
      now = interval;
      for (const [rates, writing] of driven) writing(rates, interval);
    },
    intervalOf,
  };
}
