/** What drives the schemes for a flat bottom in float64: one member after the other, with the faults of all. */
import type { ArraysOf, RealArray, Cost } from '../../../compute/backend.ts';
import { referenceSteps } from '../../stepping.ts';
import type { StepFields, StepParameters } from '../../stepping.ts';
import { cellWaveRate, firstFault, largestRate, dragFactor } from '../basin.ts';
import type { Boundary } from '../basin.ts';

/** What the schemes for a flat bottom have in common: their parameters, and how a step's cost is counted. */
export interface FlatBottomParameters extends StepParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
  /** Linear drag r of the momenta, 1/s (basin.ts). Default 0. */
  readonly drag?: number;
}

/** Every step reads and writes three reals a cell. @param flopsPerCell of one step */
export function flatBottomCost(flopsPerCell: number) {
  return ({ nx, ny, members, steps }: FlatBottomParameters, elementBytes: number): Cost => ({
    bytes: 6 * nx * ny * members * steps * elementBytes,
    flops: flopsPerCell * nx * ny * members * steps,
  });
}

/** @param stepMember steps the member whose h, hu, hv begin at `offset` of the state by `seconds`, in place */
export function flatBottomReference(
  parameters: FlatBottomParameters,
  stepMember: (state: RealArray, offset: number, seconds: number) => void,
): (arrays: ArraysOf<StepFields>) => void {
  const { nx, ny, members, drag = 0 } = parameters;
  const cells = nx * ny;

  function slow(state: RealArray, seconds: number): void {
    if (drag === 0) return;
    const factor = dragFactor(drag, seconds);
    for (let member = 0; member < members; member++) {
      const depth = member * 3 * cells;
      for (let i = depth + cells; i < depth + 3 * cells; i++) state[i] *= factor;
    }
  }

  return referenceSteps(parameters, (state) => {
    const rateOf = (i: number): number =>
      cellWaveRate(parameters, state[i], state[i + cells] / state[i], state[i + 2 * cells] / state[i]);
    return {
      step(seconds) {
        slow(state, seconds / 2);
        for (let member = 0; member < members; member++) stepMember(state, member * 3 * cells, seconds);
        slow(state, seconds / 2);
      },
      waveRate: () => largestRate(parameters, rateOf),
      fault: (bound) => firstFault(parameters, state, bound, rateOf, (h) => h <= 0),
    };
  });
}
