/** Drops that interventions let fall: as they are for the truth, and as a member has its own. */
import { displace } from '../initial-states/index.ts';
import type { Grid } from '../models/index.ts';
import { randomStream } from '../random/stream.ts';
import { addMound } from '../scenario/index.ts';
import type { InterventionOf } from '../scenario/index.ts';

type Drop = InterventionOf<'drop'>;

/** Radius and height of a member's drop are those of the truth times numbers drawn evenly from here. */
const FACTORS = [0.5, 1.5] as const;

/** Whose drop it is, where members have drops of their own. */
export interface DropOwner {
  readonly seed: number;
  readonly member: number;
}

/** Where a place lies in the basin: at its wall where it is beyond; round a periodic axis it is a place as it is. */
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
