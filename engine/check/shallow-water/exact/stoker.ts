import { flowAlongX } from './solution.ts';
import type { ExactSolution } from './solution.ts';

/** A dam at x = `dam` that holds back still water of depth `left`, over still water of depth `right` > 0, and breaks at t = 0. */
export interface WetDamBreak {
  readonly gravity: number;
  readonly dam: number;
  readonly left: number;
  readonly right: number;
}

/**
 * Celerity c_m = √(g h_m) of the middle state: the root, between √(g h_r) and √(g h_l), of
 *
 *     −8 g h_r c² (√(g h_l) − c)² + (c² − g h_r)² (c² + g h_r) = 0
 *
 * found by bisection to the last bit.
 */
export function middleCelerity({ gravity, left, right }: WetDamBreak): number {
  const cl = Math.sqrt(gravity * left);
  const cr2 = gravity * right;
  const polynomial = (c: number) => -8 * cr2 * c ** 2 * (cl - c) ** 2 + (c ** 2 - cr2) ** 2 * (c ** 2 + cr2);
  let low = Math.sqrt(cr2);
  let high = cl;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (polynomial(middle) < 0) low = middle;
    else high = middle;
  }
}

/**
 * Stoker's solution of the dam break on a wet bed, flat at z = 0: still water up to x_A, a fan to x_B, a middle state to the
 * shock at x_C, still water beyond.
 *
 *     x_A = x₀ − t √(g h_l)
 *     x_B = x₀ + t (2√(g h_l) − 3 c_m)
 *     x_C = x₀ + 2 c_m² (√(g h_l) − c_m) t / (c_m² − g h_r)
 *     fan     h = (4/9g) (√(g h_l) − (x − x₀)/2t)²,  u = ⅔ ((x − x₀)/t + √(g h_l))
 *     middle  h = c_m²/g,                            u = 2 (√(g h_l) − c_m)
 */
export function stoker(dam: WetDamBreak): ExactSolution {
  const { gravity: g, dam: x0, left, right } = dam;
  const cl = Math.sqrt(g * left);
  const cm = middleCelerity(dam);
  const shock = (2 * cm ** 2 * (cl - cm)) / (cm ** 2 - g * right);
  return (x, _y, t) => {
    const s = x - x0;
    if (t === 0) return flowAlongX(s < 0 ? left : right, 0);
    if (s <= -t * cl) return flowAlongX(left, 0);
    if (s <= t * (2 * cl - 3 * cm)) return flowAlongX((4 / (9 * g)) * (cl - s / (2 * t)) ** 2, (2 / 3) * (s / t + cl));
    if (s < t * shock) return flowAlongX(cm ** 2 / g, 2 * (cl - cm));
    return flowAlongX(right, 0);
  };
}
