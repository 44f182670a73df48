// Means of blocks (index.ts). A part is a run of coarse rows, of all variables one after the other.

import { BlockMean } from './index';

export function blockMean(p: BlockMean, part: i32, scratch: usize): void {
  const factor = p.factor;
  const along = p.nx * factor;
  const share: f32 = <f32>1 / <f32>(factor * factor);
  const end = min((part + 1) * p.rows, p.variables * p.ny);
  for (let row = part * p.rows; row < end; row++) {
    const first = row * factor * along;
    for (let i = 0; i < p.nx; i++) {
      let sum: f32 = 0;
      for (let below = 0; below < factor; below++) {
        const from = p.fine + (<usize>(first + below * along + i * factor) << 2);
        for (let beside = 0; beside < factor; beside++) sum += load<f32>(from + (<usize>beside << 2));
      }
      let mean = sum * share;
      if (row < p.ny) mean += load<f32>(p.offset + (<usize>(row * p.nx + i) << 2));
      store<f32>(p.coarse + (<usize>(row * p.nx + i) << 2), mean);
    }
  }
}
