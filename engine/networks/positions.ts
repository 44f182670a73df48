/** Places of observations, and the buoys whose places the truth moves. */
import type { Grid } from '../models/index.ts';
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
export interface Drifting {
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
