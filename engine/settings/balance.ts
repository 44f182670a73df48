/** Geostrophic balance as a setting: it divides by the Coriolis parameter, which must not vanish in the basin. */
import { extents } from './basin.ts';
import type { Situation } from './situation.ts';

/** @returns why a balance is not available in the basin, or undefined */
export function balanceProblem(
  balance: 'none' | 'geostrophic',
  situation: Pick<Situation, 'grid' | 'model'>,
): string | undefined {
  if (balance === 'none') return undefined;
  const { coriolis } = situation.model;
  if (coriolis === undefined) return 'found "geostrophic", allowed: "none" with a model that has no currents';
  const { f, beta } = coriolis;
  const [, mostY] = extents(situation);
  if (Math.abs(f) > (Math.abs(beta) * mostY) / 2) return undefined;
  const why = `the Coriolis parameter (f ${f}, beta ${beta}) is zero ${beta === 0 ? '' : 'somewhere '}in the basin`;
  return `found "geostrophic", allowed: "none" where ${why}`;
}
