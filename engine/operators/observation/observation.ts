/**
 * What observations see of the state. The state is first interpolated to the point, bilinearly; then
 *
 *   a component c:  y = sᶜ + offset           (offset: the bed's height there, added or subtracted where h or η is asked for)
 *   u, v:           y = hu·ρ(h), hv·ρ(h)      with h = s⁰ + offset
 *   speed:          y = ρ(h)·√(hu² + hv²)
 *
 * where ρ(h) is 1/h, made harmless on dry ground [kurganov2007]: with t = h/ε, ρ = √2·t / (ε√(1 + t⁴)) below the depth ε, and
 * 0 where h ≤ 0. An observation whose weights and offset are 0 (padding) sees 0.
 */
import type { RealArray } from '../../compute/backend.ts';
import { inRuns, inRunsOfLayers, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { CaseError } from '../../errors.ts';

/** How a kernel computes an observation: a value below `velocityX` is the state component to interpolate. */
const KIND = { velocityX: 256, velocityY: 257, speed: 258 } as const;

interface ObservedVariable {
  readonly name: string;
  /** What represents it in arrays. */
  readonly code: number;
  /** `KIND`, or the component. */
  readonly kind: number;
  /** State components that it depends on, ascending. */
  readonly components: readonly number[];
  /** Whether it is of the shallow-water state alone. */
  readonly ofWater: boolean;
  /** Multiple of the bed's height B that is added to component 0, by what component 0 is: the depth h, or η = h + B. */
  readonly bed: { readonly depth: number; readonly elevation: number };
}

const NO_BED = { depth: 0, elevation: 0 };
const AS_DEPTH = { depth: 0, elevation: -1 };
const AS_ELEVATION = { depth: 1, elevation: 0 };
/** Codes below it are components. */
const FIRST_NAMED_CODE = 256;

const OF_WATER: readonly Omit<ObservedVariable, 'ofWater'>[] = [
  { name: 'h', code: 256, kind: 0, components: [0], bed: AS_DEPTH },
  { name: 'eta', code: 257, kind: 0, components: [0], bed: AS_ELEVATION },
  { name: 'hu', code: 258, kind: 1, components: [1], bed: NO_BED },
  { name: 'hv', code: 259, kind: 2, components: [2], bed: NO_BED },
  { name: 'u', code: 260, kind: KIND.velocityX, components: [0, 1], bed: AS_DEPTH },
  { name: 'v', code: 261, kind: KIND.velocityY, components: [0, 2], bed: AS_DEPTH },
  { name: 'speed', code: 262, kind: KIND.speed, components: [0, 1, 2], bed: AS_DEPTH },
];

const NAMED: readonly ObservedVariable[] = [
  ...OF_WATER.map((variable) => ({ ...variable, ofWater: true })),
  { name: 'x', code: 263, kind: 0, components: [0], ofWater: false, bed: NO_BED },
];

/** Whether what is observed is linear in the state, as components and the surface are and velocities are not. */
export function isLinearlyObserved(nameOrCode: string | number): boolean {
  return observedVariable(nameOrCode).kind < KIND.velocityX;
}

/** The names that a shallow-water scenario may observe. */
export const observedVariableNames: readonly string[] = OF_WATER.map(({ name }) => name);

/**
 * @param nameOrCode `h`, `eta`, `hu`, `hv`, `u`, `v`, `speed`, `x`, `state0` … `state255`, or the code of one of these
 * @throws CaseError naming what is allowed
 */
export function observedVariable(nameOrCode: string | number): ObservedVariable {
  const named = NAMED.find(({ name, code }) => name === nameOrCode || code === nameOrCode);
  if (named) return named;
  const component = typeof nameOrCode === 'number' ? nameOrCode : Number(/^state(\d+)$/.exec(nameOrCode)?.[1] ?? NaN);
  if (!Number.isInteger(component) || component < 0 || component >= FIRST_NAMED_CODE) {
    throw new CaseError(
      `${nameOrCode} is not an observed variable; use one of ${observedVariableNames.join(', ')}, or state0, state1, …`,
    );
  }
  return {
    name: `state${component}`,
    code: component,
    kind: component,
    components: [component],
    ofWater: false,
    bed: NO_BED,
  };
}

/** Observations of a part. */
const SEGMENT = 1024;

/** Constants of the part `velocity`. */
const velocityConstants = (dryDepth: number) => ({
  velocityX: KIND.velocityX,
  velocityY: KIND.velocityY,
  dryDepth,
});

/**
 * y = H(x), for every member: `state` is `[batch][variables][plane]`, `corners` and `weights` are `[observations][4]`
 * (`bilinearStencil`), `kind` and `offset` are `[observations]`, `output` is `[batch][observations]`.
 * Cost: an observation reads its row (44 bytes in float32) and up to 12 values of the state, 4 counted; 8 flops.
 */
export const observation = kernelOperator({
  name: 'observation',
  block: parameterBlock('Observation', {
    /** Capacity of the network. */
    observations: 'count',
    /** Cells of one variable, nx·ny. */
    plane: 'count',
    /** Components of the state. */
    variables: 'count',
    /** States that are observed at once. */
    batch: 'count',
    /** ε, metres: shallower water is taken for almost dry. */
    dryDepth: 'f32',
    /** Observations of a part, and parts of a member. */
    segment: 'part',
    segments: 'part',
    state: 'read real',
    corners: 'read index',
    weights: 'read real',
    kind: 'read index',
    offset: 'read real',
    output: 'write real',
  }),
  cost: ({ observations, batch }, elementBytes) => ({
    bytes: observations * batch * (20 + 10 * elementBytes),
    flops: 8 * observations * batch,
  }),
  reference:
    ({ observations, plane, variables, batch, dryDepth }) =>
    ({ state, corners, weights, kind, offset, output }) => {
      for (let member = 0; member < batch; member++) {
        const base = member * variables * plane;
        for (let j = 0; j < observations; j++) {
          const component = kind[j] < KIND.velocityX ? kind[j] : 0;
          const first = interpolated(state, base + component * plane, corners, weights, j) + offset[j];
          let seen = first;
          if (kind[j] >= KIND.velocityX) {
            const hu = interpolated(state, base + plane, corners, weights, j);
            const hv = interpolated(state, base + 2 * plane, corners, weights, j);
            seen = reciprocalDepth(first, dryDepth) * momentum(kind[j], hu, hv);
          }
          output[member * observations + j] = seen;
        }
      }
    },
  wasm: ({ observations, batch }) => ({ kernel: 'observe', ...inRunsOfLayers(observations, batch, SEGMENT) }),
  webgpu: {
    code: () => [import('./observation.wgsl?raw')],
    parts: ['velocity', 'stencil', 'observation'],
    items: ({ observations }) => observations,
    layers: ({ batch }) => batch,
    constants: ({ dryDepth }) => velocityConstants(dryDepth),
  },
});

/**
 * The entries of R^−½H′(x), the tangent linear at the state x, each row multiplied by its `inverseErrorStd` (all 1 for H′
 * itself): four entries for each state component that the observation depends on, by component and then by corner, from
 * `indptr[observation]` on. `state` is `[variables][plane]`; `data` has room for `indptr[observations]` entries.
 * Empty rows are left alone. The derivative of speed at rest is taken as 0.
 * Cost: as `observation` and four entries written, counted for a row of one component.
 */
export const linearisation = kernelOperator({
  name: 'linearisation',
  block: parameterBlock('Linearisation', {
    observations: 'count',
    plane: 'count',
    dryDepth: 'f32',
    segment: 'part',
    state: 'read real',
    corners: 'read index',
    weights: 'read real',
    kind: 'read index',
    offset: 'read real',
    inverseErrorStd: 'read real',
    indptr: 'read index',
    data: 'write real',
  }),
  cost: ({ observations }, elementBytes) => ({
    bytes: observations * (24 + 14 * elementBytes),
    flops: 12 * observations,
  }),
  reference: ({ observations, plane, dryDepth }) => {
    const slopes = new Float64Array(3);
    return ({ state, corners, weights, kind, offset, inverseErrorStd, indptr, data }) => {
      for (let j = 0; j < observations; j++) {
        slopes.fill(1);
        if (kind[j] >= KIND.velocityX) {
          const depth = interpolated(state, 0, corners, weights, j) + offset[j];
          const hu = interpolated(state, plane, corners, weights, j);
          const hv = interpolated(state, 2 * plane, corners, weights, j);
          velocitySlopes(kind[j], depth, hu, hv, dryDepth, slopes);
        }
        for (let entry = indptr[j]; entry < indptr[j + 1]; entry++) {
          const place = entry - indptr[j];
          data[entry] = inverseErrorStd[j] * slopes[place >> 2] * weights[4 * j + (place & 3)];
        }
      }
    };
  },
  wasm: ({ observations }) => ({ kernel: 'linearise', ...inRuns(observations, SEGMENT) }),
  webgpu: {
    code: () => [import('./observation.wgsl?raw')],
    parts: ['velocity', 'stencil', 'linearisation'],
    items: ({ observations }) => observations,
    constants: ({ dryDepth }) => velocityConstants(dryDepth),
  },
});

/** ρ(h): 1/h, and harmless below the depth ε [kurganov2007]. */
function reciprocalDepth(h: number, dryDepth: number): number {
  if (h >= dryDepth) return 1 / h;
  const t = Math.max(h, 0) / dryDepth;
  return (Math.SQRT2 * t) / (dryDepth * Math.sqrt(1 + t ** 4));
}

/** ρ′(h); 0 where h ≤ 0, as ρ is constant there. */
function reciprocalDepthSlope(h: number, dryDepth: number): number {
  if (h >= dryDepth) return -1 / (h * h);
  if (h <= 0) return 0;
  const t4 = (h / dryDepth) ** 4;
  return (Math.SQRT2 * (1 - t4)) / (dryDepth * dryDepth * (1 + t4) ** 1.5);
}

/** Four corners of one component at observation j, summed; `base` is where the component's plane begins in the state. */
function interpolated(state: RealArray, base: number, corners: Uint32Array, weights: RealArray, j: number): number {
  let sum = 0;
  for (let corner = 4 * j; corner < 4 * j + 4; corner++) {
    sum += weights[corner] * state[base + corners[corner]];
  }
  return sum;
}

/** What of the momentum is observed: a component, or its size. */
function momentum(kind: number, hu: number, hv: number): number {
  if (kind === KIND.velocityX) return hu;
  if (kind === KIND.velocityY) return hv;
  return Math.hypot(hu, hv);
}

/** Derivatives of y by the state components that it depends on, in their order: h, hu and hv as far as they are there. */
function velocitySlopes(kind: number, h: number, hu: number, hv: number, dryDepth: number, slopes: Float64Array): void {
  const size = momentum(kind, hu, hv);
  const reciprocal = reciprocalDepth(h, dryDepth);
  slopes[0] = reciprocalDepthSlope(h, dryDepth) * size;
  slopes[1] = reciprocal;
  if (kind === KIND.speed) {
    slopes[1] = size > 0 ? (reciprocal * hu) / size : 0;
    slopes[2] = size > 0 ? (reciprocal * hv) / size : 0;
  }
}
