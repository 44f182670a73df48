/** What every kind of initial state says of itself before it is drawn, against what is drawn. */
import { describe, expect, it } from 'vitest';
import { NO_FILES } from '../../../engine/index.ts';
import {
  backgroundInitialField,
  drawInitialState,
  INITIAL_STATES,
  initialStateDefinition,
  reachOf,
} from '../../../engine/initial-states/index.ts';
import type { Initial } from '../../../engine/initial-states/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';

const grid = { nx: 24, ny: 20, dx: 1, dy: 1.5, periodicX: false, periodicY: true };
const cells = grid.nx * grid.ny;
const DEPTH = 5;
const basin = { grid, bed: new Float64Array(cells).fill(-DEPTH), gravity: 9.81, coriolis: { f: 0.01, beta: 0 } };
/** A state for each of two members. */
const stored = Float64Array.from({ length: 6 * cells }, (_, i) => DEPTH + Math.sin(i));
const files = { ...NO_FILES, array: () => ({ type: 'f8', shape: [2, 3, grid.ny, grid.nx], data: stored }) };

/** For each kind, one that never varies, if there is one, and one that does. */
const samples = [
  { kind: 'drops', count: 1, width: 6, amplitude: [0, 0] },
  { kind: 'drops', count: 1, width: 6, amplitude: [-0.3, 0.4] },
  { kind: 'dam-break' },
  { kind: 'dam-break', axis: 'y', amplitude: [-0.2, 0.2], position: [0.2, 0.8] },
  { kind: 'jet', width: 3 },
  { kind: 'jet', width: 3, count: 1, speed: [1, 2], shift: [-1, 1] },
  { kind: 'vortex', radius: 2 },
  { kind: 'vortex', radius: 2, speed: [-1, 1], x: [0.3, 0.7] },
  { kind: 'standing-wave', modes: [2, 1] },
  { kind: 'standing-wave', amplitude: [-0.1, 0.3] },
  { kind: 'rest' },
  { kind: 'file', file: 'states.npy' },
  { kind: 'netcdf', file: 'states.nc', variable: 'h', holds: 'depth' },
  { kind: 'truth' },
].map((initial) => backgroundInitialField.parse(initial));

it('each kind that a basin can begin with is among the samples', () => {
  const kinds = INITIAL_STATES.filter(({ world }) => world !== 'ring').map(({ kind }) => kind);
  expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(kinds));
});

describe.each(samples.map((initial) => [JSON.stringify(initial), initial] as const))('%s', (_, initial) => {
  const truth = new Float64Array(3 * cells).fill(1);
  const draws = [0, 1].map((member) =>
    drawInitialState(initial, basin, randomStream(2, 'test', member), { files, member, truth }),
  );
  const definition = initialStateDefinition(initial.kind);

  it('differs from draw to draw where it says so, and nowhere else', () => {
    expect(JSON.stringify([...draws[0]]) !== JSON.stringify([...draws[1]])).toBe(definition.varies(initial));
  });

  it('has depth and momenta of every cell', () => {
    for (const state of draws) {
      expect(state).toHaveLength(3 * cells);
      expect(state.every(Number.isFinite)).toBe(true);
      expect(Math.min(...state.subarray(0, cells))).toBeGreaterThanOrEqual(0);
    }
  });
});

const named = (kinds: readonly string[]) =>
  samples.filter(({ kind }) => kinds.includes(kind)).map((initial) => [JSON.stringify(initial), initial] as const);

function drawn(initial: Initial): Float64Array {
  return drawInitialState(initial, basin, randomStream(2, 'test'), { files, member: 0, truth: undefined });
}

it.each(named(['drops', 'dam-break', 'standing-wave', 'rest']))(
  '%s raises and lowers the surface no further than it said, and rests',
  (_, initial) => {
    const { lowest, highest, speed } = reachOf(initial);
    const state = drawn(initial);
    const depths = state.subarray(0, cells);
    // The sum of depth and elevation is rounded once: to within eps × 10 m.
    expect(Math.max(...depths)).toBeLessThanOrEqual(DEPTH + highest + 1e-14);
    expect(Math.min(...depths)).toBeGreaterThanOrEqual(DEPTH + lowest - 1e-14);
    expect(speed).toBe(0);
    expect(Math.max(...state.subarray(cells).map(Math.abs))).toBe(0);
  },
);

it.each(named(['jet', 'vortex']))('%s runs no faster than it said', (_, initial) => {
  const state = drawn(initial);
  // Two jets side by side add the tails of their profiles, 4 exp(−2 · 15/3) of the speed, and their images less.
  const most = 1.001 * reachOf(initial).speed;
  const speeds = Array.from({ length: cells }, (__, cell) => {
    const [h, hu, hv] = [state[cell], state[cells + cell], state[2 * cells + cell]];
    return Math.hypot(hu, hv) / h;
  });
  expect(Math.max(...speeds)).toBeLessThanOrEqual(most);
  expect(Math.max(...speeds)).toBeGreaterThan(most / 4);
});

it('the truth cannot begin with itself', () => {
  const given = { files, member: 0, truth: undefined };
  expect(() => drawInitialState({ kind: 'truth' }, basin, randomStream(1, 'test'), given)).toThrow(RangeError);
});

it('a file of several states gives each member its own', () => {
  const stream = randomStream(1, 'test');
  const given = { files, member: 1, truth: undefined };
  expect(drawInitialState({ kind: 'file', file: 'a.npy' }, basin, stream, given)).toEqual(stored.slice(3 * cells));
});
