/** Increments that leave dry land dry: their projection onto the water of a background. */
import type { RealField } from '../../compute/backend.ts';
import { wetProjection } from '../../operators/wet-projection/index.ts';
import type { MethodContext } from '../method.ts';

export interface WetIncrement {
  /** Queues `increment` ← 0 where the background is dry; nothing where a model has no dry land. */
  project(increment: RealField, background: RealField): void;
  dispose(): void;
}

export async function createWetIncrement({ backend, model }: MethodContext): Promise<WetIncrement> {
  const { bed, dryDepth, grid, variables } = model;
  if (bed === undefined || dryDepth === undefined) return { project: () => undefined, dispose: () => undefined };
  const cells = grid.nx * grid.ny;
  const ground = backend.allocate('projection.bed', 'real', cells);
  backend.write(ground, bed);
  const projecting = await backend.prepare(wetProjection, { variables: variables.length, cells, dryDepth });
  return {
    project: (increment, background) => projecting.run({ background, bed: ground, increment }),
    dispose() {
      projecting.dispose();
      ground.dispose();
    },
  };
}
