/** What the schemes share: the boundaries of the basin, drag at its bottom, how fast waves are, and what can be wrong with a state. */
import type { RealArray } from '../../compute/backend.ts';
import type { Fault, StepBound, StepParameters } from '../stepping.ts';

/**
 * Linear drag at the bottom: ∂(hu)/∂t = … − r·hu and ∂(hv)/∂t = … − r·hv, what the bottom takes from a current to first order
 * (Rayleigh friction). It acts for half a step before the scheme's own step and for half a step after, by its exact solution, so
 * that a scheme of second order keeps its order. A steady current falls to 1/e of its momentum in 1/r seconds, and so does the
 * energy of a wave, half of which is kinetic. The water's mass stays.
 *
 * @param rate r, 1/s
 * @returns what is left of a momentum after so many seconds: 1 without drag, to the last bit
 */
export function dragFactor(rate: number, seconds: number): number {
  return Math.exp(-rate * seconds);
}

/**
 * `wall` reflects (depth and tangential momentum copied, normal momentum negated), `periodic` wraps, `open` continues the
 * outermost cell (zero gradient).
 */
export type Boundary = 'wall' | 'periodic' | 'open';

/** The cell inside that represents index `i` of an axis of `n` cells, any number of cells outside. */
export function sourceCell(i: number, n: number, boundary: Boundary): number {
  switch (boundary) {
    case 'wall': {
      const folded = modulo(i, 2 * n);
      return folded < n ? folded : 2 * n - 1 - folded;
    }
    case 'periodic':
      return modulo(i, n);
    case 'open':
      return Math.min(Math.max(i, 0), n - 1);
    default:
      return boundary satisfies never;
  }
}

/** Sign of the normal momentum at index `i`: −1 behind a wall. */
export function sourceSign(i: number, n: number, boundary: Boundary): 1 | -1 {
  return boundary === 'wall' && modulo(i, 2 * n) >= n ? -1 : 1;
}

function modulo(i: number, n: number): number {
  return ((i % n) + n) % n;
}

/** What every scheme is prepared with. */
export interface SchemeParameters extends StepParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
  /** Linear drag r of the momenta, 1/s. Default 0. */
  readonly drag?: number;
}

export interface Basin {
  readonly members: number;
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
}

/** (|u| + c)/dx or (|v| + c)/dy of one cell, 1/s, whichever is larger; 0 without water. */
export function cellWaveRate(
  { dx, dy, gravity }: Pick<Basin, 'dx' | 'dy' | 'gravity'>,
  h: number,
  u: number,
  v: number,
): number {
  if (!(h > 0)) return 0;
  const c = Math.sqrt(gravity * h);
  return Math.max((Math.abs(u) + c) / dx, (Math.abs(v) + c) / dy);
}

/** Largest wave rate of an ensemble, where `rateOf` gives that of the element index of component 0 and its cell. */
export function largestRate({ members, nx, ny }: Basin, rateOf: (i: number, cell: number) => number): number {
  const cells = nx * ny;
  let largest = 0;
  for (let member = 0; member < members; member++) {
    for (let cell = 0; cell < cells; cell++) largest = Math.max(largest, rateOf(member * 3 * cells + cell, cell));
  }
  return largest;
}

/**
 * First fault of an ensemble: a value that is not finite, a depth that the scheme does not allow, or a wave that is too
 * fast for the bound.
 *
 * @param depthIsWrong whether a finite component 0 means a depth below what the scheme allows
 */
export function firstFault(
  { members, nx, ny }: Basin,
  state: RealArray,
  { kind, seconds, courant: largest }: StepBound,
  rateOf: (i: number, cell: number) => number,
  depthIsWrong: (surface: number) => boolean,
): Fault | undefined {
  const cells = nx * ny;
  for (let member = 0; member < members; member++) {
    for (let cell = 0; cell < cells; cell++) {
      const place = member * cells + cell;
      const i = member * 3 * cells + cell;
      // A sum is finite only where its terms are; nearly always this is all there is to look at.
      const sum = state[i] + state[i + cells] + state[i + 2 * cells];
      if (sum - sum === 0 && !depthIsWrong(state[i]) && seconds * rateOf(i, cell) <= largest) continue;
      for (let variable = 0; variable < 3; variable++) {
        const value = state[i + variable * cells];
        if (!Number.isFinite(value)) return { place, kind: 'not-finite', variable, value };
      }
      if (depthIsWrong(state[i])) return { place, kind: 'negative-depth', variable: 0, value: state[i] };
      const courant = seconds * rateOf(i, cell);
      if (courant > largest) return { place, kind, variable: 0, value: courant };
    }
  }
  return undefined;
}
