/**
 * What a shallow-water state that an analysis has changed needs before it can be forecast: depths that can be, and speeds that the
 * forecast can explain. A state that has both is left as it is, bit by bit.
 */
import { inRunsOfLayers, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { partsFor } from '../../compute/wasm/program.ts';

/** Cells of a part, about. */
const SEGMENT = 16_384;

export interface RepairParameters {
  readonly members: number;
  readonly cells: number;
  /** Smallest depth, metres: 0 where cells may be dry. */
  readonly floor: number;
  /** A depth up to this, metres, is taken as dry. */
  readonly dryDepth: number;
  /** Where component 0 is the elevation η: the bed, [y][x], metres. Where it is the depth: undefined. */
  readonly bed: Float64Array | undefined;
}

/** Raises the depth to the floor, and takes the momentum from a cell at or below the dry depth. */
export const repair = kernelOperator({
  name: 'shallow-water-repair',
  block: parameterBlock('Repair', {
    members: 'count',
    cells: 'count',
    /** Cells of a part, and parts of a member. */
    segment: 'part',
    segments: 'part',
    floor: 'f32',
    dryDepth: 'f32',
    bed: 'real table',
    /** [member][h or η, hu, hv][y][x], in place. */
    state: 'write real',
  }),
  tables: ({ bed }: RepairParameters) => ({ bed }),
  cost: ({ members, cells }, elementBytes) => ({
    bytes: 6 * members * cells * elementBytes,
    flops: 3 * members * cells,
  }),
  reference:
    ({ members, cells, floor, dryDepth, bed }) =>
    ({ state }) => {
      for (let member = 0; member < members; member++) {
        const offset = member * 3 * cells;
        for (let cell = 0; cell < cells; cell++) {
          const ground = bed ? bed[cell] : 0;
          const i = offset + cell;
          if (state[i] < ground + floor) state[i] = ground + floor;
          if (state[i] - ground <= dryDepth) {
            state[i + cells] = 0;
            state[i + 2 * cells] = 0;
          }
        }
      }
    },
  wasm: ({ members, cells }) => ({ kernel: 'repair', ...inRunsOfLayers(cells, members, SEGMENT) }),
  webgpu: {
    code: () => [import('./repair.wgsl?raw')],
    parts: ['repair'],
    constants: ({ bed }) => ({ HAS_BED: bed ? 1 : 0 }),
    items: ({ members, cells }) => members * cells,
  },
});

export interface SpeedLimitParameters {
  readonly members: number;
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** m/s² */
  readonly gravity: number;
  /** A depth up to this, metres, is dry: it has no momentum, and gives none. */
  readonly dryDepth: number;
  /** Elevation of the bed, [y][x], metres. */
  readonly bed: Float64Array;
}

/** @returns the index beside `i` on an axis of `n` cells; `i` itself at the end of an axis that is not periodic */
function beside(i: number, step: number, n: number, periodic: boolean): number {
  const next = i + step;
  if (next >= 0 && next < n) return next;
  return periodic ? (next + n) % n : i;
}

/**
 * Limits the speed of water that an analysis has changed to what the forecast can explain. Increments of momentum do not know
 * how little water a cell has: in a film they are a speed of kilometres a second, which no time step can follow. As in the
 * scheme itself (central-upwind/index.ts, point 5), water in cell c gets no faster than water from c or from the four cells
 * beside it, n, can be there:
 *
 *   |u_c|² ≤ max over n of (max(|uᶠ_n|², 4 g h_n) + 2 g max(η_n − η_c, 0)),
 *
 * uᶠ the velocity of the forecast, 2√(g h) the front of water that runs out over dry ground [Ritter 1892], the last term what
 * water gains by falling [Bernoulli]; h and η are the larger ones of forecast and analysis. Momentum keeps its direction. Water
 * slower than its own 2√(g h), or than it was in the forecast, is left as it is: so is all water that is not thin.
 *
 * Cost: reads both states; few cells are written.
 */
export const speedLimit = kernelOperator({
  name: 'shallow-water-speed-limit',
  /** Both states are [member][η, hu, hv][y][x]; no surface is below the bed. */
  block: parameterBlock('SpeedLimit', {
    members: 'count',
    nx: 'count',
    ny: 'count',
    /** Rows of a part, and parts of a member. */
    rows: 'part',
    segments: 'part',
    periodicX: 'flag',
    periodicY: 'flag',
    gravity: 'f32',
    dryDepth: 'f32',
    bed: 'real table',
    forecast: 'read real',
    /** The analysis; its momentum is changed in place. */
    state: 'write real',
  }),
  tables: ({ bed }: SpeedLimitParameters) => ({ bed }),
  cost: ({ members, nx, ny }, elementBytes) => ({
    bytes: 6 * members * nx * ny * elementBytes,
    flops: 12 * members * nx * ny,
  }),
  reference: ({ members, nx, ny, periodicX, periodicY, gravity, dryDepth, bed }) => {
    const cells = nx * ny;
    return ({ forecast, state }) => {
      /** Square of the speed that water of `cell` has in the forecast, or as a front; 0 where it is dry. */
      const front = (offset: number, cell: number): number => {
        const i = offset + cell;
        const before = forecast[i] - bed[cell];
        const depth = Math.max(before, state[i] - bed[cell]);
        if (depth <= dryDepth) return 0;
        const ritter = 4 * gravity * depth;
        if (before <= dryDepth) return ritter;
        return Math.max(ritter, (forecast[i + cells] ** 2 + forecast[i + 2 * cells] ** 2) / before ** 2);
      };

      const limit = (offset: number, x: number, y: number): void => {
        const cell = y * nx + x;
        const i = offset + cell;
        const depth = state[i] - bed[cell];
        const speed = (state[i + cells] ** 2 + state[i + 2 * cells] ** 2) / depth ** 2;
        if (depth <= dryDepth || speed <= front(offset, cell)) return;
        let fastest = front(offset, cell);
        for (const step of [-1, 1]) {
          for (const near of [y * nx + beside(x, step, nx, periodicX), beside(y, step, ny, periodicY) * nx + x]) {
            const height = Math.max(forecast[offset + near], state[offset + near]) - state[i];
            const own = front(offset, near);
            if (own > 0) fastest = Math.max(fastest, own + 2 * gravity * Math.max(height, 0));
          }
        }
        if (speed <= fastest) return;
        const factor = Math.sqrt(fastest / speed);
        state[i + cells] *= factor;
        state[i + 2 * cells] *= factor;
      };

      for (let member = 0; member < members; member++) {
        for (let y = 0; y < ny; y++) {
          for (let x = 0; x < nx; x++) limit(member * 3 * cells, x, y);
        }
      }
    };
  },
  wasm: ({ members, nx, ny }) => {
    const rows = Math.max(1, Math.floor(SEGMENT / nx));
    const segments = partsFor(ny, rows);
    return { kernel: 'speedLimit', rows, segments, parts: segments * members };
  },
  webgpu: {
    code: () => [import('./repair.wgsl?raw')],
    parts: ['speed-limit'],
    items: ({ members, nx, ny }) => members * nx * ny,
  },
});
