/**
 * The fields of a view on the host, in float64: what the readouts, the ranges, picking and cross-sections use. The shader's
 * version in field-nodes.ts computes the same formulas; this one is their specification.
 */
import { bedReach } from './elevation.ts';
import type { BasinInfo } from '../session/session.ts';
import type { FieldId } from '../state/fields.ts';
import type { PlaneNumbers } from '../values/plane-reader.ts';

/** Depth under which a cell counts as dry land, m, as a fraction of the deepest water; never below a tenth of a millimetre. */
const DRY_FRACTION = 1e-5;

/** Planes [y][x] of what a view shows, where they are known on the host: whole, or at the cells that are asked for. */
export interface FieldPlanes {
  readonly eta: PlaneNumbers | undefined;
  readonly hu: PlaneNumbers | undefined;
  readonly hv: PlaneNumbers | undefined;
  readonly truthEta: PlaneNumbers | undefined;
  readonly forecastEta: PlaneNumbers | undefined;
  readonly spread: PlaneNumbers | undefined;
}

/** @returns the depth, m, under which a cell counts as dry */
export function dryDepth(bed: Float32Array): number {
  return Math.max(1e-4, -DRY_FRACTION * bedReach(bed).lowest);
}

/** @returns the cell that index i means beside the edge: wrapped where the basin is periodic, the edge's own where not */
export function edgeIndex(i: number, n: number, periodic: boolean): number {
  return periodic ? ((i % n) + n) % n : Math.min(n - 1, Math.max(0, i));
}

function velocity(momentum: PlaneNumbers, planes: FieldPlanes, basin: BasinInfo, cell: number, dry: number): number {
  const depth = (planes.eta?.[cell] ?? 0) - (basin.bed[cell] ?? 0);
  return depth > dry ? (momentum[cell] ?? 0) / depth : 0;
}

function vorticity(planes: FieldPlanes, basin: BasinInfo, i: number, j: number, dry: number): number {
  const { hu, hv } = planes;
  if (!hu || !hv) return Number.NaN;
  const { nx, ny, dx, dy, periodicX, periodicY } = basin;
  const [west, east] = [edgeIndex(i - 1, nx, periodicX), edgeIndex(i + 1, nx, periodicX)];
  const [south, north] = [edgeIndex(j - 1, ny, periodicY), edgeIndex(j + 1, ny, periodicY)];
  const spanX = dx * (periodicX ? 2 : Math.max(1, east - west));
  const spanY = dy * (periodicY ? 2 : Math.max(1, north - south));
  const v = (x: number): number => velocity(hv, planes, basin, j * nx + x, dry);
  const u = (y: number): number => velocity(hu, planes, basin, y * nx + i, dry);
  return (v(east) - v(west)) / spanX - (u(north) - u(south)) / spanY;
}

/** @returns the cells whose numbers the field at (i, j) is made of */
export function cellsOfField(
  field: FieldId,
  { nx, ny, periodicX, periodicY }: BasinInfo,
  i: number,
  j: number,
): number[] {
  const cell = j * nx + i;
  if (field !== 'vorticity') return [cell];
  const [west, east] = [edgeIndex(i - 1, nx, periodicX), edgeIndex(i + 1, nx, periodicX)];
  const [south, north] = [edgeIndex(j - 1, ny, periodicY), edgeIndex(j + 1, ny, periodicY)];
  return [cell, j * nx + west, j * nx + east, south * nx + i, north * nx + i];
}

/** @returns the field at cell (i, j) in its unit; NaN where a plane it needs is not there */
export function fieldValue(
  field: FieldId,
  planes: FieldPlanes,
  basin: BasinInfo,
  i: number,
  j: number,
  dry: number,
): number {
  const cell = j * basin.nx + i;
  const eta = planes.eta?.[cell] ?? Number.NaN;
  switch (field) {
    case 'surface':
      return eta;
    case 'depth':
      return Math.max(0, eta - (basin.bed[cell] ?? 0));
    case 'speed': {
      if (!planes.hu || !planes.hv) return Number.NaN;
      return Math.hypot(velocity(planes.hu, planes, basin, cell, dry), velocity(planes.hv, planes, basin, cell, dry));
    }
    case 'vorticity':
      return vorticity(planes, basin, i, j, dry);
    case 'error':
      return eta - (planes.truthEta?.[cell] ?? Number.NaN);
    case 'spread':
      return planes.spread?.[cell] ?? Number.NaN;
    case 'increment':
      return eta - (planes.forecastEta?.[cell] ?? Number.NaN);
    default:
      return field satisfies never;
  }
}

/** @returns the lift of the surface at a cell, m: η, or in views of differences and of spread these themselves */
export function liftValue(field: FieldId, planes: FieldPlanes, cell: number): number {
  const eta = planes.eta?.[cell] ?? 0;
  switch (field) {
    case 'error':
      return eta - (planes.truthEta?.[cell] ?? eta);
    case 'spread':
      return planes.spread?.[cell] ?? 0;
    case 'increment':
      return eta - (planes.forecastEta?.[cell] ?? eta);
    case 'surface':
    case 'depth':
    case 'speed':
    case 'vorticity':
      return eta;
    default:
      return field satisfies never;
  }
}

/**
 * The field at cells spread evenly over the basin, for its range: every cell where there are few.
 * @param most cells to take, about
 * @returns values of wet cells; land takes no part
 */
export function sampleField(
  field: FieldId,
  planes: FieldPlanes,
  basin: BasinInfo,
  dry: number,
  most = 20_000,
): Float64Array {
  const { nx, ny, bed } = basin;
  const stride = Math.max(1, Math.floor(Math.sqrt((nx * ny) / most)));
  const out: number[] = [];
  for (let j = 0; j < ny; j += stride) {
    for (let i = 0; i < nx; i += stride) {
      const cell = j * nx + i;
      const wet = (planes.eta?.[cell] ?? Number.NaN) - (bed[cell] ?? 0) > dry;
      if (wet) out.push(fieldValue(field, planes, basin, i, j, dry));
    }
  }
  return Float64Array.from(out);
}
