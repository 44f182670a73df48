import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { referenceSteps } from '../stepping.ts';
import type { StepFields, StepParameters } from '../stepping.ts';

/** What the operator of the Lorenz-96 model is prepared with. */
export interface Lorenz96Parameters extends StepParameters {
  /** Variables of a member, at least 4. */
  readonly n: number;
  readonly forcing: number;
  readonly timeStep: number;
}

/** @returns one step of x, [n], by the Runge–Kutta method of fourth order, in place */
export function createLorenz96Step({
  n,
  forcing,
}: Pick<Lorenz96Parameters, 'n' | 'forcing'>): (x: RealArray, dt: number) => void {
  const slope = new Float64Array(n);
  const stage = new Float64Array(n);
  const sum = new Float64Array(n);

  function tendency(x: RealArray): void {
    for (let i = 0; i < n; i++) {
      slope[i] = (x[(i + 1) % n] - x[(i + n - 2) % n]) * x[(i + n - 1) % n] - x[i] + forcing;
    }
  }

  return (x, dt) => {
    tendency(x);
    sum.set(slope);
    for (const [share, weight] of STAGES) {
      for (let i = 0; i < n; i++) stage[i] = x[i] + share * dt * slope[i];
      tendency(stage);
      for (let i = 0; i < n; i++) sum[i] += weight * slope[i];
    }
    for (let i = 0; i < n; i++) x[i] += (dt / 6) * sum[i];
  };
}

export function lorenz96Reference(parameters: Lorenz96Parameters): (arrays: ArraysOf<StepFields>) => void {
  const { n, members } = parameters;
  const step = createLorenz96Step(parameters);
  return referenceSteps(parameters, (state) => {
    const member = Array.from({ length: members }, (_, m) => state.subarray(m * n, (m + 1) * n));
    return {
      step: (seconds) => member.forEach((x) => step(x, seconds)),
      waveRate: () => 0,
      fault() {
        const place = state.findIndex((value) => !Number.isFinite(value));
        return place < 0 ? undefined : { place, kind: 'not-finite', variable: 0, value: state[place] };
      },
    };
  });
}

/** Share of the step, and weight in the sum, of the second, third and fourth stage. */
const STAGES = [
  [0.5, 2],
  [0.5, 2],
  [1, 1],
] as const;
