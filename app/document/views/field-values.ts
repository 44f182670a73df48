/**
 * The fields of a view on the host, in float64: what the readouts, the ranges, picking and cross-sections use. The shader's
 * version in field-nodes.ts computes the same formulas; this one is their specification.
 */
import type { BasinInfo } from '../../../engine/index.ts';
import { fieldOf, type ViewFieldId } from '../../fields/fields.ts';
import type { PlaneNumbers } from '../values/plane-reader.ts';
import { bedReach } from './elevation.ts';
import type { ElevationName, FieldCell } from '../../fields/field.ts';

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
  readonly shown: PlaneNumbers | undefined;
  readonly local: PlaneNumbers | undefined;
}

/** @returns the depth, m, under which a cell counts as dry */
export function dryDepth(bed: Float32Array): number {
  return Math.max(1e-4, -DRY_FRACTION * bedReach(bed).lowest);
}

/** @returns the cell that index i means beside the edge: wrapped where the basin is periodic, the edge's own where not */
export function edgeIndex(i: number, n: number, periodic: boolean): number {
  return periodic ? ((i % n) + n) % n : Math.min(n - 1, Math.max(0, i));
}

/** @returns whether there is water in a cell with this surface, m; on a ring nothing is dry */
export function isWet(
  { bed, isRing }: Pick<BasinInfo, 'bed' | 'isRing'>,
  cell: number,
  eta: number,
  dry: number,
): boolean {
  return isRing ? !Number.isNaN(eta) : eta - (bed[cell] ?? 0) > dry;
}

/** What the host needs to know of a view besides the field. */
interface Ground {
  readonly basin: BasinInfo;
  /** Depth under which a cell is dry, m. */
  readonly dry: number;
  /** A plane's number at a cell; NaN where the plane is not there. */
  readonly read: (name: keyof FieldPlanes, cell: number) => number;
}

/**
 * Cell (i, j) in numbers. A class, where elsewhere a function would do: fields are measured at each cell of a basin, and closures
 * made again for each take ten times as long.
 */
class HostCell implements FieldCell<number> {
  readonly #ground: Ground;
  readonly #i: number;
  readonly #j: number;
  readonly #cell: number;

  constructor(ground: Ground, i: number, j: number) {
    this.#ground = ground;
    this.#i = i;
    this.#j = j;
    this.#cell = j * ground.basin.nx + i;
  }

  get dry(): number {
    return this.#ground.dry;
  }

  get gravity(): number {
    return this.#ground.basin.gravity;
  }

  elevation(name: ElevationName): number {
    return this.#ground.read(name, this.#cell);
  }

  #column(): number {
    return this.#ground.read('eta', this.#cell) - this.#ground.basin.bed[this.#cell];
  }

  depth(): number {
    return Math.max(0, this.#column());
  }

  #velocity(name: 'hu' | 'hv'): number {
    const momentum = this.#ground.read(name, this.#cell);
    const depth = this.#column();
    if (Number.isNaN(momentum)) return momentum;
    return depth > this.#ground.dry ? momentum / depth : 0;
  }

  u(): number {
    return this.#velocity('hu');
  }

  v(): number {
    return this.#velocity('hv');
  }

  slopeX(of: (cell: FieldCell<number>) => number): number {
    const { nx, dx, periodicX } = this.#ground.basin;
    const [west, east] = [edgeIndex(this.#i - 1, nx, periodicX), edgeIndex(this.#i + 1, nx, periodicX)];
    const span = dx * (periodicX ? 2 : Math.max(1, east - west));
    return (of(new HostCell(this.#ground, east, this.#j)) - of(new HostCell(this.#ground, west, this.#j))) / span;
  }

  slopeY(of: (cell: FieldCell<number>) => number): number {
    const { ny, dy, periodicY } = this.#ground.basin;
    const [south, north] = [edgeIndex(this.#j - 1, ny, periodicY), edgeIndex(this.#j + 1, ny, periodicY)];
    const span = dy * (periodicY ? 2 : Math.max(1, north - south));
    return (of(new HostCell(this.#ground, this.#i, north)) - of(new HostCell(this.#ground, this.#i, south))) / span;
  }

  minus(a: number, b: number): number {
    return a - b;
  }

  times(a: number, b: number): number {
    return a * b;
  }

  over(a: number, b: number): number {
    return a / b;
  }

  length(a: number, b: number): number {
    return Math.hypot(a, b);
  }

  root(a: number): number {
    return Math.sqrt(a);
  }

  larger(a: number, b: number): number {
    return Math.max(a, b);
  }
}

/** @returns the planes and cells that the field's formula reads at (i, j), in water everywhere */
function readsOf(field: ViewFieldId, basin: BasinInfo, i: number, j: number) {
  const planes = new Set<keyof FieldPlanes>();
  const cells = new Set<number>([j * basin.nx + i]);
  const read = (name: keyof FieldPlanes, cell: number): number => {
    planes.add(name);
    cells.add(cell);
    return 1;
  };
  fieldOf(field).value(new HostCell({ basin, dry: 0, read }, i, j));
  return { planes, cells };
}

/** @returns the cells whose numbers the field at (i, j) is made of, the cell itself first */
export function cellsOfField(field: ViewFieldId, basin: BasinInfo, i: number, j: number): number[] {
  return [...readsOf(field, basin, i, j).cells];
}

/** A basin of one cell. */
const POINT: BasinInfo = {
  nx: 1,
  ny: 1,
  dx: 1,
  dy: 1,
  periodicX: false,
  periodicY: false,
  bed: new Float32Array(1),
  gravity: 1,
  coriolis: 0,
};

const planesByField = new Map<ViewFieldId, readonly (keyof FieldPlanes)[]>();

/** @returns the planes that a view of the field needs: those that its formula reads, and η, which every view is drawn from */
export function planesOfField(field: ViewFieldId): readonly (keyof FieldPlanes)[] {
  const known = planesByField.get(field) ?? [...new Set(['eta', ...readsOf(field, POINT, 0, 0).planes] as const)];
  planesByField.set(field, known);
  return known;
}

/** @returns the field by cell, in its unit; NaN where a plane it needs is not there */
export function fieldValues(
  field: ViewFieldId,
  planes: FieldPlanes,
  basin: BasinInfo,
  dry: number,
): (i: number, j: number) => number {
  const { value } = fieldOf(field);
  const ground: Ground = { basin, dry, read: (name, cell) => planes[name]?.[cell] ?? Number.NaN };
  return (i, j) => value(new HostCell(ground, i, j));
}

/** @returns the field at cell (i, j) in its unit; NaN where a plane it needs is not there */
export function fieldValue(
  field: ViewFieldId,
  planes: FieldPlanes,
  basin: BasinInfo,
  i: number,
  j: number,
  dry: number,
): number {
  return fieldValues(field, planes, basin, dry)(i, j);
}

/** @returns the lift of the surface by cell, m: η, or in views of differences and of spread these themselves; 0 where unknown */
export function liftValues(
  field: ViewFieldId,
  planes: FieldPlanes,
  basin: BasinInfo,
  dry: number,
): (i: number, j: number) => number {
  const own = fieldOf(field).lift === 'value' ? field : 'surface';
  const valueAt = fieldValues(own, planes, basin, dry);
  return (i, j) => {
    const lift = valueAt(i, j);
    return Number.isNaN(lift) ? 0 : lift;
  };
}

/**
 * The field at cells spread evenly over the basin, for its range: every cell if there are few.
 * @param most cells to take, about
 * @returns values of wet cells; land takes no part
 */
export function sampleField(
  field: ViewFieldId,
  planes: FieldPlanes,
  basin: BasinInfo,
  dry: number,
  most = 20_000,
): Float64Array {
  const { nx, ny } = basin;
  const stride = Math.max(1, Math.floor(Math.sqrt((nx * ny) / most)));
  const valueAt = fieldValues(field, planes, basin, dry);
  const out: number[] = [];
  for (let j = 0; j < ny; j += stride) {
    for (let i = 0; i < nx; i += stride) {
      const cell = j * nx + i;
      if (isWet(basin, cell, planes.eta?.[cell] ?? Number.NaN, dry)) out.push(valueAt(i, j));
    }
  }
  return Float64Array.from(out);
}
