/** States as planes [η, hu, hv][y][x] on a backend: of a model whose first component is the depth, with the bed added to it. */
import type { Backend, RealField } from '../compute/backend.ts';
import type { Model } from '../models/index.ts';
import { surfaceElevation } from '../operators/surface/index.ts';

export interface StatePlaneOperator {
  /** Whether planes differ from the state; where they do not, a state may be written into them at once. */
  readonly lifts: boolean;
  /** Queues the planes of a state, [variable][y][x] both. */
  run(state: RealField, planes: RealField): void;
  dispose(): void;
}

export async function createStatePlanes(
  backend: Backend,
  { grid, variables, surface, bed }: Model,
): Promise<StatePlaneOperator> {
  if (surface !== 'depth' || !bed) {
    return { lifts: false, run: (state, planes) => backend.copy(state, planes), dispose: () => undefined };
  }
  const cells = grid.nx * grid.ny;
  const operator = await backend.prepare(surfaceElevation, { cells, variables: variables.length });
  const ground = backend.allocate('planes.bed', 'real', cells);
  backend.write(ground, bed);
  return {
    lifts: true,
    run: (state, planes) => operator.run({ state, bed: ground, planes }),
    dispose() {
      operator.dispose();
      ground.dispose();
    },
  };
}
