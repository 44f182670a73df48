/**
 * The methods of the benchmark with the settings and the mean analysis errors that DAPPER publishes for them (its settings
 * after Sakov and Oke 2008, and after Hoteit et al. 2015 for ten members).
 *
 * Its words and ours: its inflation f multiplies anomalies, ours ρ = f² the covariance. Its radius r is where the weight of an
 * observation is e^−½, which the Gaspari–Cohn function of half-width 1.82·r meets.
 *
 * It inflates the analysis, we inflate the forecast: in the LETKF inside of P̃ᵃ, in the EnKF before the gain. With H linear the
 * first is X ← √ρ X before the analysis, so both inflate once between two analyses, before the model or after it. A linear
 * model commutes with the factor, and so does a rotation; Lorenz-96 does to first order in the anomalies over a window, which
 * leaves a difference of their second order. The analysis mean, of which the error is taken, is not inflated in either.
 */
import type { Method, MethodContext } from '../../../engine/methods/index.ts';
import { createMethod } from '../../../engine/methods/index.ts';
import { climatologicalCovariance } from './climatology.ts';
import { createDenseThreeDVar } from './dense-three-d-var.ts';

export interface BenchmarkCase {
  /** 'L2 stochastic EnKF, N = 40, inflation 1.06'; the inflation is that of anomalies. */
  readonly name: string;
  readonly members: number;
  /** Mean root-mean-square error of the analysis. */
  readonly published: number;
  readonly create: (context: MethodContext) => Promise<Method>;
}

/** Gaspari–Cohn half-width at which the weight at distance 1 is e^−½. */
const HALF_WIDTH_OF_RADIUS = 1.82;
/** Of the climate's covariance that 3D-Var takes for B. */
const SHARE = 0.02;

interface EnsembleSettings {
  readonly members: number;
  /** f, which multiplies anomalies. */
  readonly inflation: number;
  /** Variables; no localisation where it is left out. */
  readonly radius?: number;
}

function common({ inflation, radius = Infinity }: EnsembleSettings) {
  return {
    localisation: { halfWidth: HALF_WIDTH_OF_RADIUS * radius },
    inflation: inflation ** 2,
    adaptation: { kind: 'none' },
    relaxation: { kind: 'none' },
    additive: { standardDeviation: 0, length: 1, balance: 'none' },
  } as const;
}

/** The anomalies are turned at random after each analysis. */
export function letkfOf(settings: EnsembleSettings): BenchmarkCase['create'] {
  const own = { kind: 'letkf', label: 'letkf', weights: { every: 1 }, rotation: true } as const;
  return (context) => createMethod({ ...own, ...common(settings) }, context);
}

export function enkfOf(settings: EnsembleSettings): BenchmarkCase['create'] {
  return (context) => createMethod({ kind: 'enkf', label: 'enkf', ...common(settings) }, context);
}

function stochastic(name: string, published: number, settings: EnsembleSettings): BenchmarkCase {
  return { name, published, members: settings.members, create: enkfOf(settings) };
}

function transform(name: string, published: number, settings: EnsembleSettings): BenchmarkCase {
  return { name, published, members: settings.members, create: letkfOf(settings) };
}

export const cases: readonly BenchmarkCase[] = [
  {
    name: 'L1 3D-Var, B = 0.02 × climatology',
    published: 0.41,
    members: 1,
    create: async (context) =>
      createDenseThreeDVar(
        (await climatologicalCovariance()).map((covariance) => SHARE * covariance),
        context,
      ),
  },
  stochastic('L2 stochastic EnKF, N = 40, inflation 1.06', 0.22, { members: 40, inflation: 1.06 }),
  stochastic('L3 stochastic EnKF, N = 28, inflation 1.08', 0.24, { members: 28, inflation: 1.08 }),
  transform('L4 LETKF, N = 24, inflation 1.013, no localisation', 0.18, { members: 24, inflation: 1.013 }),
  transform('L5 LETKF, N = 10, inflation 1.04, radius 6', 0.2, { members: 10, inflation: 1.04, radius: 6 }),
  transform('L6 LETKF, N = 7, inflation 1.04, radius 4', 0.22, { members: 7, inflation: 1.04, radius: 4 }),
];
