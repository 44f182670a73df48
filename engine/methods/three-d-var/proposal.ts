/** A 3D-Var that suits a scenario, as a start for tuning. */
import type { Situation } from '../../settings/index.ts';
import type { OtherMethod } from '../definition.ts';
import { proposedErrorCorrelation } from '../shared/error-correlation-setting.ts';
import { proposedLength, rounded } from '../shared/proposed-length.ts';

/** Length in distances between observations, and in cells. */
const LENGTH = 1;
const LENGTH_CELLS = 1.5;
/** Standard deviation of the background error in those of the observations, if nothing else determines it. */
const DEVIATION = 2.5;

/** Standard deviations of the background error: of its perturbations where it has some, else from the observations' errors. */
function deviations({ background, networks, variables, depth = 1 }: Situation): Readonly<Record<string, unknown>> {
  const { standardDeviation: perturbed, balance } = background.perturbation;
  if (perturbed > 0 && variables.includes('h')) return { standardDeviation: { h: perturbed }, balance };
  const errorOf = (...names: readonly string[]): number | undefined => {
    const errors = networks.filter(({ variable }) => names.includes(variable));
    return errors.length > 0 ? Math.min(...errors.map((each) => each.errorStandardDeviation)) : undefined;
  };
  const momentum = (name: string, current: string): number => {
    const error = errorOf(name) ?? (errorOf(current, 'speed') ?? 0) * depth;
    return rounded(DEVIATION * error);
  };
  const found = {
    h: rounded(DEVIATION * (errorOf('h', 'eta') ?? 0)),
    hu: momentum('hu', 'u'),
    hv: momentum('hv', 'v'),
    x: rounded(DEVIATION * (errorOf('x') ?? 0)),
  };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value > 0));
  return Object.keys(known).length > 0 ? { standardDeviation: known } : {};
}

/** @returns the covariance of another method that has one, or what grid, network and background suggest */
export function proposedThreeDVar(
  situation: Situation,
  others: readonly OtherMethod[],
): Readonly<Record<string, unknown>> {
  const other = others.find((method): method is OtherMethod & { covariance: object } => 'covariance' in method);
  const errors = proposedErrorCorrelation(situation);
  if (other !== undefined) return { covariance: structuredClone(other.covariance), ...errors };
  const length = proposedLength(situation, LENGTH, LENGTH_CELLS);
  return { covariance: { kind: 'recursive-filter', length, ...deviations(situation) }, ...errors };
}
