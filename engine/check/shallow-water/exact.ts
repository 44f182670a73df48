/** Exact solutions of the shallow-water equations, and how they are laid on cells. */
/** A mode of a closed box [0, lx] × [0, ly] of still depth `depth`: `modes` half waves along x and y. */
interface StandingWave {
  readonly gravity: number;
  readonly depth: number;
  readonly lx: number;
  readonly ly: number;
  readonly modes: readonly [number, number];
  readonly amplitude: number;
}

/** ω = √(gH (k² + l²)), 1/s. */
export function standingWaveFrequency({ gravity, depth, lx, ly, modes: [m, n] }: StandingWave): number {
  return Math.sqrt(gravity * depth) * Math.hypot((m * Math.PI) / lx, (n * Math.PI) / ly);
}

/**
 * The standing wave of the linear equations, exact as a/H → 0; the bed is flat at z = −H.
 *
 *     η = a cos kx cos ly cos ωt,  k = mπ/lx,  l = nπ/ly,  ω² = gH (k² + l²)
 *     u = (gka/ω) sin kx cos ly sin ωt
 *     v = (gla/ω) cos kx sin ly sin ωt
 */
export function standingWave(wave: StandingWave): ExactSolution {
  const { gravity: g, depth, lx, ly, modes, amplitude: a } = wave;
  const k = (modes[0] * Math.PI) / lx;
  const l = (modes[1] * Math.PI) / ly;
  const omega = standingWaveFrequency(wave);
  return (x, y, t) => {
    const eta = a * Math.cos(k * x) * Math.cos(l * y) * Math.cos(omega * t);
    const u = ((g * k * a) / omega) * Math.sin(k * x) * Math.cos(l * y) * Math.sin(omega * t);
    const v = ((g * l * a) / omega) * Math.cos(k * x) * Math.sin(l * y) * Math.sin(omega * t);
    return { eta, h: depth + eta, u, v };
  };
}

/** The water at one point and time. */
export interface Water {
  /** Elevation of the surface above the level z = 0, m. Where it is dry, that of the bed. */
  readonly eta: number;
  /** Depth, m. */
  readonly h: number;
  /** Velocity along x, m/s; 0 where it is dry. */
  readonly u: number;
  /** Velocity along y, m/s; 0 where it is dry. */
  readonly v: number;
}

/** (x, y in m, t in s) ↦ the water there and then. */
export type ExactSolution = (x: number, y: number, t: number) => Water;

/** Elevation of the bed above the level z = 0, m. */
export type Bed = (x: number, y: number) => number;

/** A surface over a bed, dry where it would lie below it. */
export function waterOver(bed: number, eta: number, u: number, v: number): Water {
  const h = eta - bed;
  return h > 0 ? { eta, h, u, v } : { eta: bed, h: 0, u: 0, v: 0 };
}

/** Water of depth `h` and velocity `u` along x over a flat bed at z = 0. */
export function flowAlongX(h: number, u: number): Water {
  return { eta: h, h, u, v: 0 };
}

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
