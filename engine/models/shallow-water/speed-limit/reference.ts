import type { ArraysOf } from '../../../compute/backend.ts';
import type { SpeedLimitFields, SpeedLimitParameters } from './parameters.ts';

/** @returns the index beside `i` on an axis of `n` cells; `i` itself at the end of an axis that is not periodic */
function beside(i: number, step: number, n: number, periodic: boolean): number {
  const next = i + step;
  if (next >= 0 && next < n) return next;
  return periodic ? (next + n) % n : i;
}

export function speedLimitReference({
  members,
  nx,
  ny,
  periodicX,
  periodicY,
  gravity,
  dryDepth,
  bed,
}: SpeedLimitParameters): (arrays: ArraysOf<SpeedLimitFields>) => void {
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
}
