/**
 * How dense the observations of a network are where each of them is: M = H C Hᵀ 1, the sum of the weights that an observation has
 * with all that are used of its variable, itself among them. It follows from their places alone and is made on the host.
 */
import { bandOfTaps, bandProduct, eachLine, linesAlong } from '../../operators/convolution/index.ts';
import type { Taps } from '../../operators/convolution/index.ts';
import { bilinearStencil, isLinearlyObserved, observedVariable } from '../../operators/observation/index.ts';
import type { InterpolationGrid } from '../../operators/observation/index.ts';
import type { ObservedPositions } from '../method.ts';

/** Whether an observation is there, and of what a state variable can be drawn to. */
function usedObservations({ variable, inverseErrorStd }: ObservedPositions): readonly boolean[] {
  return variable.map((name, j) => inverseErrorStd[j] > 0 && isLinearlyObserved(name));
}

/**
 * @param tapsX, tapsY of C, which is their product
 * @returns M, 0 for observations that are not used
 */
export function observationDensity(
  grid: InterpolationGrid,
  tapsX: Taps,
  tapsY: Taps,
  positions: ObservedPositions,
): Float64Array {
  const { nx, ny, periodicX, periodicY } = grid;
  const { corners, weights } = bilinearStencil(grid, positions.x, positions.y);
  const used = usedObservations(positions);
  const components = positions.variable.map((name) => observedVariable(name).components[0]);
  const [bandX, bandY] = [bandOfTaps(nx, tapsX, periodicX), bandOfTaps(ny, tapsY, periodicY)];
  const alongX = eachLine(linesAlong(ny, nx, 1), (lanes) => bandProduct(bandX, lanes));
  const alongY = eachLine(linesAlong(1, ny, nx), (lanes) => bandProduct(bandY, lanes));
  const density = new Float64Array(used.length);
  const [plane, between] = [new Float64Array(nx * ny), new Float64Array(nx * ny)];
  for (const component of new Set(components)) {
    const own = used.flatMap((isUsed, j) => (isUsed && components[j] === component ? [j] : []));
    plane.fill(0);
    for (const j of own) for (let a = 4 * j; a < 4 * j + 4; a++) plane[corners[a]] += weights[a];
    alongX(plane, between);
    alongY(between, plane);
    for (const j of own) for (let a = 4 * j; a < 4 * j + 4; a++) density[j] += weights[a] * plane[corners[a]];
  }
  return density;
}
