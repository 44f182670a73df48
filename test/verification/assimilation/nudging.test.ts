/** Nudging where its result is known exactly: the sum of the departures, direct insertion, and the mean of the basin. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { gaspariCohn } from '../../../engine/operators/localisation/index.ts';
import { bilinearStencil } from '../../../engine/operators/observation/index.ts';
import { allBackends } from '../../setup/backends.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import { analyse, basin, lengthOf, method } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

/** Cells of 2 m × 1.5 m, no multiple of a workgroup; the seam of x is crossed, y has walls. */
const [NX, NY] = [11, 9];
const CELLS = NX * NY;
const MODEL = basin({ nx: NX, ny: NY, periodicX: true });
const LENGTH = lengthOf(MODEL);

/** Observations of the momenta hu and hv, at places between the cells. */
function scattered(count: number): Observed {
  return {
    x: between(count, 0, NX, 'x'),
    y: between(count, 0, NY - 1, 'y'),
    variable: Array.from({ length: count }, (_, j) => (j % 3 === 0 ? 'hv' : 'hu')),
    values: normals(count, 'values'),
    inverseErrorStd: new Float64Array(count).fill(10),
  };
}

/** hu in every cell. */
function everywhere(values: Float64Array): Observed {
  return {
    x: Float64Array.from({ length: CELLS }, (_, cell) => cell % NX),
    y: Float64Array.from({ length: CELLS }, (_, cell) => Math.floor(cell / NX)),
    variable: Array<string>(CELLS).fill('hu'),
    values,
    inverseErrorStd: new Float64Array(CELLS).fill(10),
  };
}

function offsetOf(variable: string): number {
  return ['h', 'hu', 'hv'].indexOf(variable) * CELLS;
}

/** y − H x. */
function departuresOf(state: Float64Array, { x, y, variable, values }: Observed): Float64Array {
  const { corners, weights } = bilinearStencil(MODEL.grid, x, y);
  return values.map((value, j) => {
    let seen = 0;
    for (let a = 4 * j; a < 4 * j + 4; a++) seen += weights[a] * state[offsetOf(variable[j]) + corners[a]];
    return value - seen;
  });
}

/** H C Hᵀ 1, pair by pair: half-widths in metres, x periodic. */
function densityOf({ x, y, variable }: Observed, halfWidth: number): Float64Array {
  const { corners, weights } = bilinearStencil(MODEL.grid, x, y);
  const weightBetween = (one: number, other: number): number => {
    const alongX = Math.abs((one % NX) - (other % NX));
    const alongY = Math.abs(Math.floor(one / NX) - Math.floor(other / NX));
    return gaspariCohn((2 * Math.min(alongX, NX - alongX)) / halfWidth) * gaspariCohn((1.5 * alongY) / halfWidth);
  };
  return Float64Array.from(x, (_, j) => {
    let density = 0;
    for (let k = 0; k < x.length; k++) {
      if (variable[k] !== variable[j]) continue;
      for (let a = 4 * j; a < 4 * j + 4; a++) {
        for (let b = 4 * k; b < 4 * k + 4; b++) {
          density += weights[a] * weights[b] * weightBetween(corners[a], corners[b]);
        }
      }
    }
    return density;
  });
}

function sumOf(values: ArrayLike<number>, included: (index: number) => boolean = () => true): number {
  return Array.from(values).reduce((sum, value, index) => (included(index) ? sum + value : sum), 0);
}

function nudging(halfWidth: number, strength: number): ReturnType<typeof method> {
  return method({ kind: 'nudging', localisation: { halfWidth }, strength });
}

describe.each(allBackends)('nudging on $name', ({ open, precision }) => {
  /**
   * An increment is a sum over some hundred weights of an observation's departure, each with a rounding of its own, and of the
   * state, which is of the size of the departures.
   */
  const relative = precision === 'float64' ? 1e-13 : 2e-5;
  /** Momenta of 1 m²/s in water that is about a metre deep, and nowhere dry. */
  const start = normals(LENGTH, 'start').map((value, i) => (i < CELLS ? 0.1 * value : value));
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([3, 7, 40])(
    'the departures of each variable add up to 1 − γ of what they were: half-width %i m',
    async (halfWidth) => {
      const observed = scattered(60);
      const { state } = await analyse(backend, MODEL, nudging(halfWidth, 0.3), start, observed);
      const [before, after] = [departuresOf(start, observed), departuresOf(state, observed)];
      for (const variable of ['hu', 'hv']) {
        const isOfIt = (j: number): boolean => observed.variable[j] === variable;
        const size = sumOf(before.map(Math.abs), isOfIt);
        expect(Math.abs(sumOf(after, isOfIt) - 0.7 * sumOf(before, isOfIt)) / size).toBeLessThan(relative);
        // Not the equality of nothing with nothing.
        expect(Math.abs(sumOf(before, isOfIt)) / size).toBeGreaterThan(0.01);
      }
    },
  );

  it('never overshoots: dᵀ M⁻¹ d does not grow at full strength, however dense the network', async () => {
    const halfWidth = 5;
    const observed = scattered(300);
    const density = densityOf(observed, halfWidth);
    const norm = (state: Float64Array): number =>
      sumOf(departuresOf(state, observed).map((departure, j) => departure ** 2 / density[j]));
    const { state } = await analyse(backend, MODEL, nudging(halfWidth, 1), start, observed);
    expect(norm(state)).toBeLessThan(norm(start));
  });

  it('direct insertion: with every cell observed, no neighbour in reach and full strength, the state is what is observed', async () => {
    const values = normals(CELLS, 'insertion');
    const { state } = await analyse(backend, MODEL, nudging(0.7, 1), start, everywhere(values));
    expect(state.slice(CELLS, 2 * CELLS)).toBeClose(values, { absolute: 8 * relative });
    // What is not observed stays as it was, to the last bit.
    const written = precision === 'float64' ? start : Float64Array.from(Float32Array.from(start));
    expect(state.slice(0, CELLS)).toEqual(written.slice(0, CELLS));
    expect(state.slice(2 * CELLS)).toEqual(written.slice(2 * CELLS));
  });

  it('relaxation: n analyses leave (1 − γ)ⁿ of the departures', async () => {
    const values = normals(CELLS, 'insertion');
    const observed = everywhere(values);
    let state: Float64Array = start;
    for (let n = 0; n < 3; n++) ({ state } = await analyse(backend, MODEL, nudging(0.7, 0.25), state, observed));
    const expected = departuresOf(start, observed).map((departure) => 0.75 ** 3 * departure);
    expect(departuresOf(state, observed)).toBeClose(expected, { absolute: 8 * relative });
  });

  it('where everything is in reach the whole basin moves by γ times the mean departure', async () => {
    const observed: Observed = { ...scattered(17), variable: Array<string>(17).fill('hv') };
    const { state } = await analyse(backend, MODEL, nudging(1e9, 0.4), start, observed);
    const mean = sumOf(departuresOf(start, observed)) / 17;
    const moved = state.slice(2 * CELLS).map((value, cell) => value - start[2 * CELLS + cell]);
    expect(moved).toBeClose(Array<number>(CELLS).fill(0.4 * mean), { absolute: relative });
    expect(Math.abs(mean)).toBeGreaterThan(0.01);
  });

  it('one observation alone moves its cell by γ times its departure, and the others by the weight of their distance', async () => {
    const observed: Observed = {
      x: Float64Array.of(1),
      y: Float64Array.of(4),
      variable: ['hu'],
      values: Float64Array.of(2),
      inverseErrorStd: Float64Array.of(10),
    };
    const halfWidth = 3;
    const { state } = await analyse(backend, MODEL, nudging(halfWidth, 0.5), start, observed);
    const [departure] = departuresOf(start, observed);
    const expected = Array.from({ length: CELLS }, (_, cell) => {
      const [alongX, alongY] = [Math.abs((cell % NX) - 1), Math.abs(Math.floor(cell / NX) - 4)];
      const weight =
        gaspariCohn((2 * Math.min(alongX, NX - alongX)) / halfWidth) * gaspariCohn((1.5 * alongY) / halfWidth);
      return 0.5 * departure * weight;
    });
    const moved = state.slice(CELLS, 2 * CELLS).map((value, cell) => value - start[CELLS + cell]);
    expect(moved).toBeClose(expected, { absolute: relative });
  });
});
