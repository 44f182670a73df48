import type { RealArray } from '../../../compute/backend.ts';
import type { RepairParameters } from './parameters.ts';

export function repairReference({
  members,
  cells,
  floor,
  dryDepth,
  bed,
}: RepairParameters): (arrays: { readonly state: RealArray }) => void {
  return ({ state }) => {
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
  };
}
