/** Increments that leave dry land dry and thin water thin: their restriction to what the water of a background can hold. */
import type { RealField } from '../../compute/backend.ts';
import { wetProjection } from '../../operators/wet-projection/index.ts';
import type { MethodContext } from '../method.ts';

export interface WetIncrement {
  /** Queues `increment` ← P `increment`, P ≤ 1 by the depth of a background; nothing where a model has no dry land. */
  project(increment: RealField, background: RealField): void;
  dispose(): void;
}

/** Standard deviations of a surface that thin water cannot hold. */
const DEEPEST_TROUGH = 3;

/**
 * The depth, metres, below which errors of a surface and of momenta are not those of deep water: three deviations of the surface
 * would empty a cell, or three of the momentum be as fast there as the front of a breaking dam, √(g h).
 *
 * @param surface standard deviation of it, m. @param momentum standard deviation, m²/s. @param gravity m/s²
 */
export function thinDepthOf(surface: number, momentum: number, gravity: number): number {
  const momentous = ((DEEPEST_TROUGH * momentum) / Math.sqrt(gravity)) ** (2 / 3);
  return Math.max(DEEPEST_TROUGH * surface, momentous);
}

/** @param thinDepth below which an increment is in proportion to the depth, metres */
export async function createWetIncrement({ backend, model }: MethodContext, thinDepth = 0): Promise<WetIncrement> {
  const { bed, dryDepth, grid, variables } = model;
  if (bed === undefined || dryDepth === undefined) return { project: () => undefined, dispose: () => undefined };
  const cells = grid.nx * grid.ny;
  const ground = backend.allocate('projection.bed', 'real', cells);
  backend.write(ground, bed);
  const projecting = await backend.prepare(wetProjection, { variables: variables.length, cells, dryDepth, thinDepth });
  return {
    project: (increment, background) => projecting.run({ background, bed: ground, increment }),
    dispose() {
      projecting.dispose();
      ground.dispose();
    },
  };
}
