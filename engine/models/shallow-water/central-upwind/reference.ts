/** The central-upwind scheme in float64: friction, Heun's step of two Euler steps, friction. */
import type { ArraysOf, RealArray } from '../../../compute/backend.ts';
import { referenceSteps, type StepFields } from '../../stepping.ts';
import { dragFactor, cellWaveRate, firstFault, largestRate, type SchemeParameters } from '../basin.ts';
import { createEulerStep, type SchemeBasin } from './euler.ts';

/** What the central-upwind scheme is prepared with. */
export interface CentralUpwindParameters extends SchemeParameters, SchemeBasin {}

export function centralUpwindReference(parameters: CentralUpwindParameters): (arrays: ArraysOf<StepFields>) => void {
  const { nx, ny, gravity, members, manning, drag = 0, dryDepth } = parameters;
  const cells = nx * ny;
  const euler = createEulerStep(parameters);
  const { bed } = euler;
  const stage = new Float64Array(3 * cells);

  /** Heun's step: the mean of the state and of two Euler steps from it. */
  function heun(state: RealArray, offset: number, seconds: number): void {
    friction(state, offset, seconds / 2);
    euler.load(state, offset);
    euler.step(state, offset, stage, 0, seconds);
    euler.load(stage, 0);
    euler.step(stage, 0, stage, 0, seconds);
    for (let cell = 0; cell < cells; cell++) {
      const i = offset + cell;
      state[i] = 0.5 * (state[i] + stage[cell]);
      const wet = state[i] - bed[cell] > dryDepth;
      state[i + cells] = wet ? 0.5 * (state[i + cells] + stage[cell + cells]) : 0;
      state[i + 2 * cells] = wet ? 0.5 * (state[i + 2 * cells] + stage[cell + 2 * cells]) : 0;
    }
    friction(state, offset, seconds / 2);
  }

  /** The exact solution of dq/dt = −g n² |q| q / h^(7/3) at constant depth, between two halves of the linear drag. */
  function friction(state: RealArray, offset: number, seconds: number): void {
    if (manning === 0 && drag === 0) return;
    const half = dragFactor(drag, seconds / 2);
    for (let cell = 0; cell < cells; cell++) {
      const i = offset + cell;
      const depth = state[i] - bed[cell];
      if (depth <= dryDepth) continue;
      const speed = half * Math.hypot(state[i + cells], state[i + 2 * cells]);
      const factor = half ** 2 / (1 + (seconds * gravity * manning ** 2 * speed) / depth ** (7 / 3));
      state[i + cells] *= factor;
      state[i + 2 * cells] *= factor;
    }
  }

  return referenceSteps(parameters, (state) => {
    euler.roundBed(state);
    const rateOf = (i: number, cell: number): number => {
      const depth = state[i] - bed[cell];
      if (depth <= dryDepth) return 0;
      return cellWaveRate(parameters, depth, state[i + cells] / depth, state[i + 2 * cells] / depth);
    };
    return {
      step(seconds) {
        for (let member = 0; member < members; member++) heun(state, member * 3 * cells, seconds);
      },
      waveRate: () => largestRate(parameters, rateOf),
      fault: (bound) => firstFault(parameters, state, bound, rateOf, () => false),
    };
  });
}
