/**
 * What can be observed: the one registry of names, codes, and how each follows from the state. A component of the state is
 * itself observable as `state0`, `state1`, … with any model, the only one of Lorenz-96 as `x`, too; the others are of the
 * shallow-water state (h or η, hu, hv).
 */
import { CaseError } from '../../errors.ts';

/** How a kernel computes an observation: a value below `velocityX` is the state component to interpolate. */
export const KIND = { velocityX: 256, velocityY: 257, speed: 258 } as const;

export interface ObservedVariable {
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
