/** Makes what happens to the water during the run happen: to the truth alone, to all, or to each on its own. */
import type { Backend, Prepared, RealField } from '../compute/backend.ts';
import { forcingDefinition, type SeenBy } from '../forcing/index.ts';
import { perturbation } from '../operators/ensemble/index.ts';
import { randomStream } from '../random/stream.ts';
import { displace, type Basin } from '../initial-states/index.ts';
import type { Grid } from '../models/index.ts';
import { addMound, type InterventionOf, type Scenario } from '../scenario/index.ts';

type Drop = InterventionOf<'drop'>;

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
function ownDrop(drop: Drop, { nx, ny, dx, dy, periodicX, periodicY }: Grid, { seed, member }: DropOwner): Drop {
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

/**
 * @param bed elevation of the bed above the water at rest, m, [ny][nx]
 * @param owner whose drop it is, by default the truth's
 * @returns what it adds to the surface, m, [ny][nx]
 */
export function dropElevation(drop: Drop, grid: Grid, bed: Readonly<Float64Array>, owner?: DropOwner): Float64Array {
  const elevation = new Float64Array(grid.nx * grid.ny);
  addMound(elevation, grid, owner ? ownDrop(drop, grid, owner) : drop);
  if (drop.volume === 'displaced') displace(elevation, bed);
  return elevation;
}

export interface Forcing {
  /**
   * Draws what falls at the start of a cycle.
   *
   * @param drops that interventions let fall there
   * @param counts of states that `applyToEnsemble` will be given
   */
  draw(cycle: number, drops: readonly InterventionOf<'drop'>[], counts?: Iterable<number>): Promise<void>;
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

/** Something that falls: on the truth, and on a member. Elevations of the surface, m, [ny][nx]. */
interface Falling {
  readonly seenBy: SeenBy;
  readonly lowers: boolean;
  readonly ofTruth: Float64Array;
  readonly ofMember: (member: number) => Float64Array;
}

/** Values that are added to a state of so many members. */
interface Adding {
  readonly noise: RealField;
  /** What `noise` has. */
  values?: Float64Array;
  readonly operator: Prepared<{ readonly noise: 'real'; readonly ensemble: 'real' }>;
}

/** The truth's states where they are not of the methods' model. */
interface OwnTruth {
  /** Elements of one. */
  readonly length: number;
  /** From an elevation on the methods' grid to one on the truth's. */
  raise(elevation: Float64Array): Float64Array;
}

/** The mean member of an ensemble [members][length]. */
function meanOf(ensemble: Float64Array, members: number): Float64Array {
  const length = ensemble.length / members;
  const mean = new Float64Array(length);
  for (let start = 0; start < ensemble.length; start += length) {
    for (let element = 0; element < length; element++) mean[element] += ensemble[start + element] / members;
  }
  return mean;
}

/** An ensemble [members][length] with its mean after it. */
function withMean(ensemble: Float64Array, members: number): Float64Array {
  const all = new Float64Array(ensemble.length + ensemble.length / members);
  all.set(ensemble);
  all.set(meanOf(ensemble, members), ensemble.length);
  return all;
}

/** Adds to a part of a state. */
function raise(state: Float64Array, elevation: Float64Array, offset: number): void {
  for (let cell = 0; cell < elevation.length; cell++) state[offset + cell] += elevation[cell];
}

/** @param stateLength elements of one member; drops raise the first variable, whether it is the depth or the surface */
export function createForcing(
  backend: Backend,
  scenario: Scenario,
  { grid, bed }: Pick<Basin, 'grid' | 'bed'>,
  stateLength: number,
  ownTruth: OwnTruth = { length: stateLength, raise: (elevation) => elevation },
): Forcing {
  const { truth, background, seed } = scenario;
  const { forcing } = truth;
  const { events } = forcingDefinition(forcing.kind);
  const { members } = background;
  /** By the elements of what is added. */
  const adding = new Map<number, Adding>();
  let ofTruth: Float64Array | undefined;
  /** What is added to the members, and what of that is added to so many states, once somebody wants it. */
  let ofMembers: Float64Array | undefined;
  const ofStates = new Map<number, Float64Array>();
  let lowers = false;

  /** What the scenario's forcing lets fall. */
  const scheduled = (cycle: number): readonly Falling[] => {
    if (!events || cycle % events.every(forcing) !== 0) return [];
    const drawn = (streamName: string, ...index: readonly number[]): Float64Array =>
      events.elevation(forcing, grid, bed, randomStream(seed, streamName, ...index));
    const seenBy = events.seenBy(forcing);
    const common = drawn('truth.forcing', cycle);
    const ofMember = (member: number): Float64Array =>
      seenBy === 'all' ? common : drawn('background.forcing', cycle, member);
    return [{ seenBy, lowers: events.lowers(forcing), ofTruth: common, ofMember }];
  };
  const dropped = (drop: InterventionOf<'drop'>): Falling => {
    const common = dropElevation(drop, grid, bed);
    const ofMember = (member: number): Float64Array =>
      drop.seenBy === 'all' ? common : dropElevation(drop, grid, bed, { seed, member });
    return { seenBy: drop.seenBy, lowers: drop.height < 0 || drop.volume === 'displaced', ofTruth: common, ofMember };
  };

  /** What is added to states of so many elements: prepared when it is first needed. */
  async function prepare(length: number): Promise<void> {
    if (adding.has(length)) return;
    const operator = await backend.prepare(perturbation, { members: 1, length });
    adding.set(length, { noise: backend.allocate(`forcing.${length}`, 'real', length), operator });
  }

  function add(values: Float64Array, ensemble: RealField): void {
    const prepared = adding.get(values.length);
    if (!prepared) throw new RangeError(`nothing is prepared to be added to ${values.length} elements`);
    const { noise, operator } = prepared;
    if (prepared.values !== values) backend.write(noise, values);
    prepared.values = values;
    operator.run({ noise, ensemble });
  }

  return {
    async draw(cycle, drops, counts = [1, members]) {
      const falling = [...scheduled(cycle), ...drops.map(dropped)];
      const seen = falling.filter(({ seenBy }) => seenBy !== 'truth');
      lowers = falling.some((each) => each.lowers);
      ofTruth = undefined;
      ofMembers = undefined;
      ofStates.clear();
      if (falling.length === 0) return;
      await prepare(ownTruth.length);
      ofTruth = new Float64Array(ownTruth.length);
      for (const each of falling) raise(ofTruth, ownTruth.raise(each.ofTruth), 0);
      if (seen.length === 0) return;
      for (const count of counts) await prepare(count * stateLength);
      ofMembers = new Float64Array(members * stateLength);
      for (let member = 0; member < members; member++) {
        for (const { ofMember } of seen) raise(ofMembers, ofMember(member), member * stateLength);
      }
    },
    get lowers() {
      return lowers;
    },
    applyToTruth(state) {
      if (ofTruth) add(ofTruth, state);
    },
    applyToEnsemble(state, count) {
      if (!ofMembers) return;
      const values =
        ofStates.get(count) ??
        (count === members ? ofMembers : count === 1 ? meanOf(ofMembers, members) : withMean(ofMembers, members));
      ofStates.set(count, values);
      add(values, state);
    },
    dispose() {
      for (const { noise, operator } of adding.values()) {
        noise.dispose();
        operator.dispose();
      }
      adding.clear();
    },
  };
}
