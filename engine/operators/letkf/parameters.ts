/** What the operator is prepared with, and the arrays it works on. */
import { aboveZero, count, integerFrom, sampled, type ParameterRules } from '../../compute/define-operator.ts';
import { LimitError } from '../../errors.ts';
import type { LocalisationGrid } from '../localisation/index.ts';

export interface LetkfParameters extends LocalisationGrid {
  readonly variables: number;
  /** k, at least 2. */
  readonly members: number;
  /** p, the capacity of the observation fields. */
  readonly observations: number;
  /** Gaspari–Cohn half-width c in cells along x, the support is 2c; Infinity: no localisation, all weights are 1. */
  readonly halfWidthCells: number;
  /** ρ > 0, multiplies the background covariance. */
  readonly inflation: number;
  /**
   * ℓ: at least the largest number of active observations within reach of a grid point (`localObservations().largest`).
   * Where it is too small the backends of the processor throw and the GPU's kernels of the dual form leave observations out.
   */
  readonly localCapacity: number;
  /** `auto`: `dual` where localCapacity < members, the order of the problem then being the smaller, else `primal`. */
  readonly form: 'auto' | 'dual' | 'primal';
}

/**
 * ℓ up to which a GPU has a kernel of the dual form for each ℓ, whose factors of G stay in registers (dual-poles.ts): on an H200 it
 * takes a third of the time of an invocation a point from 9 to 16, and at 21, where registers no longer hold them, one and a half
 * times as long.
 */
export const LARGEST_POLE_ORDER = 16;

/** Above that, room grows in steps of this, so that a network that moves compiles few kernels. */
const ROOM_STEP = 8;

/** A localCapacity to prepare with, where a grid point has up to `largest` observations within reach. */
export function roomForLocal(largest: number, members: number): number {
  if (largest <= LARGEST_POLE_ORDER) return largest;
  const roomy = Math.ceil(largest / ROOM_STEP) * ROOM_STEP;
  // Fewer observations than members make the smaller problem: rounding up must not cross that line.
  return largest < members ? Math.min(roomy, members - 1) : roomy;
}

/** The form that is used: the smaller of the two problems, unless one is asked for. */
export function letkfForm({
  form,
  localCapacity,
  members,
}: Pick<LetkfParameters, 'form' | 'localCapacity' | 'members'>): 'dual' | 'primal' {
  if (form !== 'auto') return form;
  return localCapacity < members ? 'dual' : 'primal';
}

/**
 * Fields, in elements:
 * - `ensemble` (in), `analysis` (out, another field): [members][variables][ny][nx]
 * - `observedEnsemble`: [members][observations], H of each member
 * - `values`, `inverseErrorStd` (1/σₒ; 0: absent, has no effect), `positionX`, `positionY` (grid units): [observations]
 * - `binStart`: [binsX·binsY + 1], `binObservations`: [observations], both from `localObservations`
 */
const observedFields = {
  observedEnsemble: 'real',
  values: 'real',
  inverseErrorStd: 'real',
  positionX: 'real',
  positionY: 'real',
  binStart: 'index',
  binObservations: 'index',
} as const;

/** What is known of the observations. */
export type ObservedFields = typeof observedFields;

export const letkfFields = { ensemble: 'real', analysis: 'real', ...observedFields } as const;

export type LetkfFields = typeof letkfFields;

/**
 * And where errors are correlated, C below its diagonal and on it in rows without gaps: row i has its columns up to i from
 * `correlation[correlationStart[i]]` to before `correlation[correlationStart[i + 1]]`, and before the first of them zeros.
 *
 * - `correlationStart`: [observations + 1]
 * - `correlation`: as many as that says
 */
export const correlatedLetkfFields = { ...letkfFields, correlationStart: 'index', correlation: 'real' } as const;

export type CorrelatedLetkfFields = typeof correlatedLetkfFields;

/** And where every grid point has a factor ρ of its own, which multiplies `inflation`: `factor` is [ny][nx], all above 0. */
export const inflatedLetkfFields = { ...letkfFields, factor: 'real' } as const;

export type InflatedLetkfFields = typeof inflatedLetkfFields;

export const inflatedCorrelatedLetkfFields = { ...correlatedLetkfFields, factor: 'real' } as const;

export type InflatedCorrelatedLetkfFields = typeof inflatedCorrelatedLetkfFields;

/** How a factor of a grid point is found. */
export type PointEstimate =
  | {
      readonly kind: 'innovations';
      /** √v_b above 0: how far a factor may have moved since the cycle before. */
      readonly deviation: number;
    }
  | {
      readonly kind: 'finite-size';
      /** Above 0: how much more certain the prior is than that of k members drawn at random. */
      readonly certainty: number;
    };

export interface PointInflationParameters
  extends
    LocalisationGrid,
    Pick<LetkfParameters, 'members' | 'observations' | 'halfWidthCells' | 'localCapacity' | 'form'> {
  readonly estimate: PointEstimate;
  /** What factors are held between; those of `finite-size` have a least one of their own. */
  readonly least: number;
  readonly most: number;
}

/** A factor of every grid point, found from the observations around it. */
export const pointInflationFields = { ...observedFields, factor: 'real' } as const;

export type PointInflationFields = typeof pointInflationFields;

const localRules = {
  nx: count,
  ny: count,
  observations: count,
  localCapacity: integerFrom(0),
  members: sampled,
  halfWidthCells: { allows: (value) => Number(value) > 0, words: 'above 0, or Infinity' },
} satisfies ParameterRules<LetkfParameters>;

export const letkfRules: ParameterRules<LetkfParameters> = { ...localRules, variables: count, inflation: aboveZero };

export const pointInflationRules: ParameterRules<PointInflationParameters> = { ...localRules, least: aboveZero };

/** The error for a grid point with more observations within reach than `localCapacity`. */
export function tooManyLocal(x: number, y: number, localCapacity: number): LimitError {
  return new LimitError(
    `letkf: cell (x ${x}, y ${y}) has more than localCapacity ${localCapacity} observations within reach; ` +
      'use the largest count that localObservations returns',
  );
}
