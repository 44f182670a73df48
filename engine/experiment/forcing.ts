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

/** What is added to so many states, one after another: to the first variable of each. */
interface Adding {
  /** Zeros but for the first variable. */
  readonly noise: RealField;
  readonly operator: Prepared<{ readonly noise: 'real'; readonly ensemble: 'real' }>;
  /** Elements of one state. */
  readonly stateLength: number;
  /** What `noise` has. */
  elevations?: readonly Float64Array[];
}

/** The truth's states where they are not of the methods' model. */
interface OwnTruth {
  /** Elements of one. */
  readonly length: number;
  /** From an elevation on the methods' grid to one on the truth's. */
  raise(elevation: Float64Array): Float64Array;
}

function meanOf(elevations: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(elevations[0].length);
  for (const elevation of elevations) {
    for (let cell = 0; cell < mean.length; cell++) mean[cell] += elevation[cell] / elevations.length;
  }
  return mean;
}

function sumOf([first, ...others]: readonly Float64Array[]): Float64Array {
  if (others.length === 0) return first;
  const sum = first.slice();
  for (const elevation of others) {
    for (let cell = 0; cell < sum.length; cell++) sum[cell] += elevation[cell];
  }
  return sum;
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
  const adding = new Map<'truth' | number, Adding>();
  /** Elevations that are added to the truth, and to so many states. */
  const falls = new Map<'truth' | number, readonly Float64Array[]>();
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

  /** Prepared when it is first needed. */
  async function prepare(who: 'truth' | number): Promise<void> {
    if (adding.has(who)) return;
    const [states, length] = who === 'truth' ? [1, ownTruth.length] : [who, stateLength];
    const operator = await backend.prepare(perturbation, { members: 1, length: states * length });
    const noise = backend.allocate(`forcing.${who}`, 'real', states * length);
    backend.write(noise, new Float64Array(noise.length));
    adding.set(who, { noise, operator, stateLength: length });
  }

  function add(who: 'truth' | number, ensemble: RealField): void {
    const [elevations, prepared] = [falls.get(who), adding.get(who)];
    if (!elevations || !prepared) {
      // What falls on methods falls on all of their states.
      if (falls.size > 1) throw new RangeError(`nothing is prepared to be added to ${who} states`);
      return;
    }
    const { noise, operator } = prepared;
    if (prepared.elevations !== elevations) {
      elevations.forEach((elevation, state) => backend.write(noise, elevation, state * prepared.stateLength));
    }
    prepared.elevations = elevations;
    operator.run({ noise, ensemble });
  }

  return {
    async draw(cycle, drops, counts = [1, members]) {
      const falling = [...scheduled(cycle), ...drops.map(dropped)];
      const seen = falling.filter(({ seenBy }) => seenBy !== 'truth');
      lowers = falling.some((each) => each.lowers);
      falls.clear();
      if (falling.length === 0) return;
      await prepare('truth');
      falls.set('truth', [sumOf(falling.map((each) => ownTruth.raise(each.ofTruth)))]);
      if (seen.length === 0) return;
      const ofMembers = Array.from({ length: members }, (_, member) =>
        sumOf(seen.map(({ ofMember }) => ofMember(member))),
      );
      const mean = meanOf(ofMembers);
      for (const count of counts) {
        await prepare(count);
        falls.set(count, count === members ? ofMembers : count === 1 ? [mean] : [...ofMembers, mean]);
      }
    },
    get lowers() {
      return lowers;
    },
    applyToTruth: (state) => add('truth', state),
    applyToEnsemble: (state, count) => add(count, state),
    dispose() {
      for (const { noise, operator } of adding.values()) {
        noise.dispose();
        operator.dispose();
      }
      adding.clear();
    },
  };
}
