/** The water of a scenario in metres and seconds: how deep it is, and how fast its waves are. */
import { extents } from '../settings/index.ts';
import type { Bathymetry, Initial, Perturbation, Scenario } from './schema.ts';

/** @returns the greatest depth of the water at rest, metres; undefined where a file says */
export function greatestDepth(bathymetry: Bathymetry): number | undefined {
  switch (bathymetry.kind) {
    case 'flat':
      return bathymetry.depth;
    case 'basin':
      return Math.max(bathymetry.depth, bathymetry.edgeDepth);
    case 'bump':
      return bathymetry.depth + Math.max(0, -bathymetry.height);
    case 'slope':
    case 'harbour':
      return Math.max(bathymetry.depth, bathymetry.endDepth);
    case 'file':
      return undefined;
    default:
      return bathymetry satisfies never;
  }
}

/** @returns lowest and highest elevation (m) of one feature of an initial state, and its greatest speed (m/s) */
export function reachOf(initial: Initial): {
  readonly lowest: number;
  readonly highest: number;
  readonly speed: number;
} {
  switch (initial.kind) {
    case 'drops':
    case 'dam-break':
      return { lowest: Math.min(0, initial.amplitude[0]), highest: Math.max(0, initial.amplitude[1]), speed: 0 };
    case 'standing-wave': {
      const a = Math.max(...initial.amplitude.map(Math.abs));
      return { lowest: -a, highest: a, speed: 0 };
    }
    case 'jet':
    case 'vortex':
      return { lowest: 0, highest: 0, speed: Math.max(...initial.speed.map(Math.abs)) };
    case 'rest':
    case 'file':
    case 'truth':
      return { lowest: 0, highest: 0, speed: 0 };
    default:
      return initial satisfies never;
  }
}

/** Standard deviations of the highest crest of a perturbation in a basin. */
const HIGHEST_PERTURBATION = 3;
/** How many times a perturbation can make the water shallower. */
const SHALLOWEST = 1000;

/**
 * Greatest speed of the currents that geostrophic balance brings to a perturbation, m/s: g/f · ∂η/∂x, and more where the
 * momentum that is in balance over the depth at rest finds less water, a thousandth of it in the deepest troughs.
 */
function balancedSpeed(
  { standardDeviation, length, balance }: Perturbation,
  depth: number,
  scenario: Scenario,
): number {
  if (balance === 'none' || standardDeviation === 0) return 0;
  const { grid, model } = scenario;
  const [, mostY] = extents(scenario);
  const turning = Math.abs(model.coriolis.f) - (Math.abs(model.coriolis.beta) * mostY) / 2;
  const distance = Math.max(length, Math.min(grid.dx, grid.dy));
  const crest = HIGHEST_PERTURBATION * standardDeviation;
  const shallow = Math.min(SHALLOWEST, depth / Math.max(0, depth - crest));
  return (shallow * model.gravity * crest) / (turning * distance);
}

/** @returns speed of the fastest wave, u + √(g h), m/s; undefined where a file gives the depth */
export function fastestWave(scenario: Scenario): number | undefined {
  const { model, truth, background } = scenario;
  const depth = greatestDepth(model.bathymetry);
  if (depth === undefined) return undefined;
  const states = [truth.initial, background.initial].map(reachOf);
  const deviation = Math.max(truth.perturbation.standardDeviation, background.perturbation.standardDeviation);
  const highest = Math.max(...states.map((state) => state.highest)) + HIGHEST_PERTURBATION * deviation;
  const currents = [truth, background].map(({ perturbation }) => balancedSpeed(perturbation, depth, scenario));
  const speed = Math.max(...states.map((state) => state.speed)) + Math.max(...currents);
  return speed + Math.sqrt(model.gravity * (depth + highest));
}
