import { flowAlongX } from '../../../../engine/check/shallow-water/exact.ts';
import type { ExactSolution } from '../../../../engine/check/shallow-water/exact.ts';

/** A dam at x = `dam` that holds back still water of depth `left` over a dry bed, and breaks at t = 0. */
export interface DryDamBreak {
  readonly gravity: number;
  readonly dam: number;
  readonly left: number;
}

/**
 * Ritter's solution of the dam break on a dry bed, flat at z = 0: one fan from x₀ − t√(g h_l) to the front at
 * x₀ + 2t√(g h_l), in which
 *
 *     h = (4/9g) (√(g h_l) − (x − x₀)/2t)²,  u = ⅔ ((x − x₀)/t + √(g h_l))
 */
export function ritter({ gravity: g, dam: x0, left }: DryDamBreak): ExactSolution {
  const cl = Math.sqrt(g * left);
  return (x, _y, t) => {
    const s = x - x0;
    if (t === 0) return flowAlongX(s < 0 ? left : 0, 0);
    if (s <= -t * cl) return flowAlongX(left, 0);
    if (s < 2 * t * cl) return flowAlongX((4 / (9 * g)) * (cl - s / (2 * t)) ** 2, (2 / 3) * (s / t + cl));
    return flowAlongX(0, 0);
  };
}
