/**
 * What a kind of observing network is: where each analysis observes, how much that is at most, and what is wrong with its
 * settings. Each kind is one definition, listed in `index.ts`, from which the schema, the form, the checks, the estimates and the
 * run derive.
 */
import type { z } from 'zod';
import type { Grid } from '../models/index.ts';
import { describedKind } from '../settings/index.ts';
import type { BasinSettings, NamedFile, Problem, ScenarioFiles } from '../settings/index.ts';
import { randomStream } from '../random/stream.ts';
import { ScenarioError } from '../errors.ts';

/** Places in grid units: (0, 0) is the centre of the first cell. */
export interface Positions {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Lengths of the axes in grid units: period, or distance of the outer centres. */
export function lengths({ nx, ny, periodicX, periodicY }: Grid): readonly [number, number] {
  return [periodicX ? nx : nx - 1, periodicY ? ny : ny - 1];
}

export function positionsOf(points: readonly (readonly [number, number])[]): Positions {
  return { x: Float64Array.from(points, ([x]) => x), y: Float64Array.from(points, ([, y]) => y) };
}

/** Places drawn evenly over the basin, from the stream of a purpose and its counters; the first are the same for any count. */
export function randomPositions(
  count: number,
  grid: Grid,
  seed: number,
  streamName: string,
  ...index: readonly number[]
): Positions {
  const stream = randomStream(seed, streamName, ...index);
  const [lengthX, lengthY] = lengths(grid);
  return positionsOf(
    Array.from({ length: count }, () => [stream.between(0, lengthX), stream.between(0, lengthY)] as const),
  );
}

/**
 * Buoys that the truth carries: through each window in sub-steps of Heun's method, in the flow as it is at either end of the
 * sub-step. Networks of one fleet observe the same buoys, so that a buoy's u and v are of one place.
 *
 * Sub-steps of a window, where the model takes as many steps.
 */
export const SUB_STEPS = 8;

/** Velocities (m/s) at places. */
interface Velocities {
  readonly u: Float64Array;
  readonly v: Float64Array;
}

/** Reads the truth's velocities at places as the truth is now. */
export type VelocityReader = (positions: Positions) => Promise<Velocities>;

/** A fleet, or its first buoys. */
interface Drifting {
  readonly fleet: string;
  readonly count: number;
}

export interface Buoys {
  /** The places of the first `count` buoys of a fleet; they move. */
  positions(fleet: string, count: number): Positions;
  /** Begins a window: the truth is as at its start. */
  leave(read: VelocityReader): Promise<void>;
  /** Moves on to where `share` of the window has passed: the truth is as then. */
  carry(share: number, read: VelocityReader): Promise<void>;
  /** What a checkpoint must keep between windows: x and y of each fleet, one after the other. */
  state(): Float64Array;
  /** @throws ScenarioError when it is of another size */
  restore(state: Float64Array): void;
}

interface Fleet extends Positions {
  /** Where the last sub-step ended. */
  velocities: Velocities;
}

/** Keeps a place in the basin: round a periodic axis, or stranded at the wall. */
function kept(place: number, cells: number, periodic: boolean): number {
  if (!periodic) return Math.min(Math.max(place, 0), cells - 1);
  const remainder = place % cells;
  return remainder < 0 ? remainder + cells : remainder;
}

/**
 * @param observed what each network observes that drifts; a fleet has as many buoys as the most of them do
 * @returns buoys at random places, each fleet from a stream of its own
 */
export function createBuoys(
  observed: readonly Drifting[],
  grid: Grid,
  { seed, windowSeconds }: { readonly seed: number; readonly windowSeconds: number },
): Buoys {
  const counts = new Map<string, number>();
  for (const { fleet, count } of observed) counts.set(fleet, Math.max(count, counts.get(fleet) ?? 0));
  const nowhere = { u: new Float64Array(0), v: new Float64Array(0) };
  const fleets = new Map<string, Fleet>(
    [...counts].map(([name, count]) => [
      name,
      { ...randomPositions(count, grid, seed, `observations.fleet.${name}`, 0), velocities: nowhere },
    ]),
  );
  let passed = 0;

  /** Where places are after `seconds` in the mean of two flows. */
  const moved = ({ x, y }: Positions, a: Velocities, b: Velocities, seconds: number): Positions => ({
    x: x.map((place, i) => kept(place + (seconds * (a.u[i] + b.u[i])) / 2 / grid.dx, grid.nx, grid.periodicX)),
    y: y.map((place, i) => kept(place + (seconds * (a.v[i] + b.v[i])) / 2 / grid.dy, grid.ny, grid.periodicY)),
  });

  return {
    positions(fleet, count) {
      const { x, y } = fleets.get(fleet) ?? { x: new Float64Array(0), y: new Float64Array(0) };
      return { x: x.subarray(0, count), y: y.subarray(0, count) };
    },
    async leave(read) {
      passed = 0;
      for (const fleet of fleets.values()) fleet.velocities = await read(fleet);
    },
    async carry(share, read) {
      const seconds = (share - passed) * windowSeconds;
      passed = share;
      for (const fleet of fleets.values()) {
        const { velocities } = fleet;
        const there = await read(moved(fleet, velocities, velocities, seconds));
        const positions = moved(fleet, velocities, there, seconds);
        fleet.x.set(positions.x);
        fleet.y.set(positions.y);
        // At the end of the window what falls into the water may change it before the next begins.
        if (share < 1) fleet.velocities = await read(fleet);
      }
    },
    state: () => Float64Array.from([...fleets.values()].flatMap(({ x, y }) => [...x, ...y])),
    restore(state) {
      const axes = [...fleets.values()].flatMap(({ x, y }) => [x, y]);
      const needed = axes.reduce((sum, { length }) => sum + length, 0);
      if (state.length !== needed) {
        throw new ScenarioError([
          {
            path: [],
            message: `the checkpoint has ${state.length} numbers of drifters, ${needed} are needed; start a new run`,
          },
        ]);
      }
      let offset = 0;
      for (const axis of axes) {
        axis.set(state.subarray(offset, offset + axis.length));
        offset += axis.length;
      }
    },
  };
}

/** Places that a network in the file may have; more belong in a CSV file. */
export const MAXIMUM_POINTS = 65_536;

/** Where one network observes, analysis by analysis. */
export interface Sampler {
  /** Places in one analysis at most. */
  readonly capacity: number;
  /**
   * When `share` of the window of a cycle has passed, 1 at its end; with the values where a file gives them, NaN where it does
   * not. Where the same places are observed twice, these may be the same object.
   *
   * @param before how many more times the network observes in the window after that
   */
  positions(cycle: number, share?: number, before?: number): Positions & { readonly given?: Float64Array };
  /** The places of a fixed network; undefined if they differ from one analysis to the next. */
  readonly standing?: Positions;
  /** Places of a network that moves as a whole, in metres along and across its path: they keep their distances. */
  readonly swath?: Positions;
}

/** What a network samples from. */
export interface NetworkContext {
  readonly grid: Grid;
  /** From one analysis to the next. */
  readonly windowSeconds: number;
  readonly seed: number;
  /** Where the names of the network's own random streams begin. */
  readonly streamName: string;
  readonly files: ScenarioFiles;
  /** What the truth carries. */
  readonly buoys: Pick<Buoys, 'positions'>;
}

/** All that a kind of network says of itself; what is omitted has nothing to say. Paths of problems begin inside its settings. */
export interface NetworkParts<Settings> {
  /** Places in one analysis at most; undefined where a file says. */
  capacity(settings: Settings, grid: BasinSettings['grid']): number | undefined;
  /** What settings that are right by themselves have against each other and against the basin. */
  problems?(settings: Settings, basin: BasinSettings): readonly Problem[];
  /** Whether it needs a basin, for its two dimensions or the currents that carry it. */
  readonly world?: 'basin';
  /** Whether two networks of the same settings observe different places, since each draws its own. */
  readonly drawsItsOwn?: boolean;
  /** Whether its places keep their distances from one analysis to the next. */
  keepsDistances?(settings: Settings): boolean;
  /** What it observes of the buoys that the truth carries. */
  drifting?(settings: Settings): Drifting;
  /** The file that it is read from. */
  readonly reads?: NamedFile<Settings>;
  /** What is taken as settings to begin with, beside the defaults, where those alone do not do. */
  proposal?(basin: BasinSettings): Readonly<Record<string, unknown>>;
  create(settings: Settings, context: NetworkContext): Sampler;
}

/** @returns the definition of a network whose settings are `schema`'s */
export function defineNetwork<Schema extends z.ZodObject>(schema: Schema, parts: NetworkParts<z.output<Schema>>) {
  return describedKind(schema, parts);
}

/** Places that stay the same. */
export function fixed(positions: Positions): Sampler {
  return { capacity: positions.x.length, positions: () => positions, standing: positions };
}
