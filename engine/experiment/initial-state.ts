/**
 * Initial states of the truth and the members: depth h (m) and momenta hu, hv (m²/s) at cell centres, [3][ny][nx]. Places
 * are metres from the centre of cell (0, 0); every random draw comes from the stream that is given.
 */
import type { Grid } from '../models/index.ts';
import { coriolisAt } from '../operators/geostrophic-balance/index.ts';
import type { Coriolis } from '../operators/geostrophic-balance/index.ts';
import type { RandomStream } from '../random/stream.ts';
import type { Initial, ScenarioFiles } from '../scenario/index.ts';

/** What an initial state stands on. */
export interface Basin {
  readonly grid: Grid;
  /** Elevation of the bed above the water at rest, metres, [ny][nx]. */
  readonly bed: Float64Array;
  /** m/s² */
  readonly gravity: number;
  readonly coriolis: Coriolis;
}

/** Surface elevation (m) and velocity (m/s) at a place. */
interface Flow {
  readonly eta: number;
  readonly u: number;
  readonly v: number;
}

type FlowAt = (x: number, y: number) => Flow;

const still = (eta: number): Flow => ({ eta, u: 0, v: 0 });

/** Distance between the first and the last place of an axis; on a periodic one, its period. */
function extent(n: number, d: number, periodic: boolean): number {
  return (periodic ? n : n - 1) * d;
}

/** The shortest way from one place to another along an axis. */
function difference(to: number, from: number, length: number, periodic: boolean): number {
  const straight = to - from;
  return periodic ? straight - length * Math.round(straight / length) : straight;
}

/** A function of the squared distance (m²) from a centre, and of the way there. */
function around(
  grid: Grid,
  centre: { readonly x: number; readonly y: number },
): (x: number, y: number) => { along: number; across: number } {
  const lengthX = extent(grid.nx, grid.dx, grid.periodicX);
  const lengthY = extent(grid.ny, grid.dy, grid.periodicY);
  return (x, y) => ({
    along: difference(x, centre.x, lengthX, grid.periodicX),
    across: difference(y, centre.y, lengthY, grid.periodicY),
  });
}

/** How drops fall: η = Σ a·exp(−5 r²/width²), centres half a width or more away from walls. */
export interface Drops {
  readonly count: number;
  /** Lowest and highest a, metres. */
  readonly amplitude: readonly [number, number];
  /** Metres. */
  readonly width: number;
}

/** Widths from its centre beyond which a drop is less than 1e-17 of its height: nothing beside the water's depth. */
const DROP_REACH = 2.8;

/** @returns the rows (or columns) whose centres lie within a distance of a place along their axis, in ascending order */
function rowsWithin(reach: number, place: number, n: number, d: number, periodic: boolean): number[] {
  const first = Math.ceil((place - reach) / d);
  const last = Math.floor((place + reach) / d);
  if (periodic) {
    if (last - first + 1 >= n) return Array.from({ length: n }, (_, row) => row);
    return Array.from({ length: last - first + 1 }, (_, index) => (((first + index) % n) + n) % n).sort(
      (a, b) => a - b,
    );
  }
  const from = Math.max(0, first);
  return Array.from({ length: Math.max(0, Math.min(n - 1, last) - from + 1) }, (_, index) => from + index);
}

/** @returns the elevation of randomly placed drops at cell centres, metres, [ny][nx] */
export function dropElevation({ count, amplitude, width }: Drops, grid: Grid, stream: RandomStream): Float64Array {
  const { nx, ny, dx, dy } = grid;
  const place = (length: number, periodic: boolean): number => {
    if (periodic) return stream.between(0, length);
    const margin = Math.min(width, length) / 2;
    return stream.between(margin, length - margin);
  };
  const elevation = new Float64Array(nx * ny);
  for (let drop = 0; drop < count; drop++) {
    const centre = {
      x: place(extent(nx, dx, grid.periodicX), grid.periodicX),
      y: place(extent(ny, dy, grid.periodicY), grid.periodicY),
    };
    const a = stream.between(...amplitude);
    const columns = rowsWithin(DROP_REACH * width, centre.x, nx, dx, grid.periodicX);
    const along = columns.map((i) => difference(i * dx, centre.x, extent(nx, dx, grid.periodicX), grid.periodicX));
    for (const j of rowsWithin(DROP_REACH * width, centre.y, ny, dy, grid.periodicY)) {
      const across = difference(j * dy, centre.y, extent(ny, dy, grid.periodicY), grid.periodicY);
      for (let k = 0; k < columns.length; k++) {
        elevation[j * nx + columns[k]] +=
          a * Math.exp((-5 * (along[k] * along[k] + across * across)) / (width * width));
      }
    }
  }
  return elevation;
}

/**
 * Jets along x with the profile Σ speed·sech²((y − y₀)/width), in geostrophic balance on the grid: between rows j and j + 1 the
 * surface rises by −(dy/g)·f·u there, and the current of a row is the mean of the two beside it, which is what centred
 * differences of the surface balance. The second of two jets runs backwards.
 *
 * The mean of the surface is 0, so that every draw has as much water as the sea at rest. Where y is periodic, jets reach round,
 * and a uniform current c = Σ f u/Σ f is taken away, the return flow with which the surface comes back to where it
 * began. (With β it follows f, which has a step at the seam.)
 */
function jets(spec: Extract<Initial, { kind: 'jet' }>, basin: Basin, stream: RandomStream): FlowAt {
  const { grid, gravity, coriolis } = basin;
  const { ny, dy, periodicY } = grid;
  const length = extent(ny, dy, periodicY);
  const centres = spec.count === 1 ? [0.5] : [0.25, 0.75];
  const drawn = centres.map((centre, index) => ({
    speed: stream.between(...spec.speed) * (index === 0 ? 1 : -1),
    middle: centre * length + stream.between(...spec.shift),
  }));
  /** The same jet one period on, and one back. */
  const images = periodicY ? [-length, 0, length] : [0];
  const profile = (y: number): number => {
    let u = 0;
    for (const { speed, middle } of drawn) {
      const off = difference(y, middle, length, periodicY);
      for (const image of images) u += speed / Math.cosh((off + image) / spec.width) ** 2;
    }
    return u;
  };
  // Between the rows j − 1 and j, for j from 0 to ny; on a periodic axis the first and the last are one.
  const rotation = Float64Array.from({ length: ny + 1 }, (_, j) => {
    const above = coriolisAt(coriolis, j - 0.5, grid);
    return periodicY && (j === 0 || j === ny) ? coriolis.f : above;
  });
  const between = Float64Array.from({ length: ny + 1 }, (_, j) => profile((j - 0.5) * dy));
  if (periodicY) {
    const [flux, total] = [1, 0].map((power) =>
      between.reduce((sum, u, j) => (j < ny ? sum + rotation[j] * u ** power : sum), 0),
    );
    const returning = total === 0 ? 0 : flux / total;
    between.forEach((u, j) => (between[j] = u - returning));
  }
  const eta = new Float64Array(ny);
  for (let j = 1; j < ny; j++) eta[j] = eta[j - 1] - (dy / gravity) * rotation[j] * between[j];
  const mean = eta.reduce((sum, elevation) => sum + elevation, 0) / ny;
  return (_x, y) => {
    const j = Math.round(y / dy);
    return { eta: eta[j] - mean, u: (between[j] + between[j + 1]) / 2, v: 0 };
  };
}

/**
 * Vortices with the azimuthal speed S (r/R) exp(½(1 − r²/R²)) and the surface that balances gravity, Coriolis and
 * centrifugal force: η = −(f S R e + ½ S² e²)/g with e = exp(½(1 − r²/R²)), f being that of the centre.
 */
function vortices(spec: Extract<Initial, { kind: 'vortex' }>, basin: Basin, stream: RandomStream): FlowAt {
  const { grid, gravity, coriolis } = basin;
  const drawn = Array.from({ length: spec.count }, () => {
    const x = stream.between(...spec.x) * extent(grid.nx, grid.dx, grid.periodicX);
    const y = stream.between(...spec.y) * extent(grid.ny, grid.dy, grid.periodicY);
    const f = coriolisAt(coriolis, y / grid.dy, grid);
    return { speed: stream.between(...spec.speed), f, way: around(grid, { x, y }) };
  });
  const R = spec.radius;
  return (x, y) => {
    let [eta, u, v] = [0, 0, 0];
    for (const { speed, f, way } of drawn) {
      const { along, across } = way(x, y);
      const e = Math.exp((1 - (along * along + across * across) / (R * R)) / 2);
      u -= speed * (across / R) * e;
      v += speed * (along / R) * e;
      eta -= (f * speed * R * e + (speed * speed * e * e) / 2) / gravity;
    }
    return { eta, u, v };
  };
}

/** cos of `modes` half waves along an axis, at a place measured from the first centre; the walls lie half a cell beyond. */
function phase(modes: number, place: number, cells: number, d: number): number {
  return Math.cos((modes * Math.PI * (place + d / 2)) / (cells * d));
}

/** η = a cos(mπx′/Lx) cos(nπy′/Ly), x′ and y′ measured from the walls, which lie half a cell beyond the outer centres. */
function standingWave(
  spec: Extract<Initial, { kind: 'standing-wave' }>,
  { grid }: Basin,
  stream: RandomStream,
): FlowAt {
  const [m, n] = spec.modes;
  const a = stream.between(...spec.amplitude);
  return (x, y) => still(a * phase(m, x, grid.nx, grid.dx) * phase(n, y, grid.ny, grid.dy));
}

function damBreak(spec: Extract<Initial, { kind: 'dam-break' }>, { grid }: Basin, stream: RandomStream): FlowAt {
  const a = stream.between(...spec.amplitude);
  const along = spec.axis === 'x';
  const length = along ? (grid.nx - 1) * grid.dx : (grid.ny - 1) * grid.dy;
  const dam = stream.between(...spec.position) * length;
  return (x, y) => still((along ? x : y) < dam ? a : 0);
}

/** Depth and momenta of a flow over the basin's bed; no water above dry land that the surface does not reach. */
function fill(flowAt: FlowAt, { grid: { nx, ny, dx, dy }, bed }: Basin): Float64Array {
  const n = nx * ny;
  const state = new Float64Array(3 * n);
  for (let cell = 0; cell < n; cell++) {
    const { eta, u, v } = flowAt((cell % nx) * dx, Math.floor(cell / nx) * dy);
    const h = Math.max(0, eta - bed[cell]);
    state[cell] = h;
    state[n + cell] = h * u;
    state[2 * n + cell] = h * v;
  }
  return state;
}

/** Water at rest under a surface, with no current. @param elevation of the surface, metres, [ny][nx] */
function atRest(elevation: Float64Array, bed: Float64Array): Float64Array {
  const state = new Float64Array(3 * bed.length);
  for (let cell = 0; cell < bed.length; cell++) state[cell] = Math.max(0, elevation[cell] - bed[cell]);
  return state;
}

/**
 * @param options `truth`: its initial state, for a background that starts from it; `member`: which one of a file's
 * @returns h (m), hu and hv (m²/s), [3][ny][nx]
 */
export function initialState(
  spec: Initial,
  basin: Basin,
  stream: RandomStream,
  files: ScenarioFiles,
  { truth, member = 0 }: { readonly truth?: Float64Array; readonly member?: number } = {},
): Float64Array {
  switch (spec.kind) {
    case 'drops':
      return atRest(dropElevation(spec, basin.grid, stream), basin.bed);
    case 'dam-break':
      return fill(damBreak(spec, basin, stream), basin);
    case 'jet':
      return fill(jets(spec, basin, stream), basin);
    case 'vortex':
      return fill(vortices(spec, basin, stream), basin);
    case 'standing-wave':
      return fill(standingWave(spec, basin, stream), basin);
    case 'rest':
      return atRest(new Float64Array(basin.bed.length), basin.bed);
    case 'file': {
      const { shape, data } = files.array(spec.file);
      const length = 3 * basin.bed.length;
      return shape.length === 4 ? data.slice(member * length, (member + 1) * length) : data.slice();
    }
    case 'truth':
      if (!truth) throw new RangeError('a truth cannot start from the truth');
      return truth.slice();
    default:
      return spec satisfies never;
  }
}
