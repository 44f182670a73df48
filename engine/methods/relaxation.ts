/** Relaxation of an analysis ensemble towards its background, or nothing: as the scenario says. */
import type { Backend, RealField } from '../compute/backend.ts';
import { relaxation } from '../operators/ensemble/index.ts';
import type { Relaxation } from '../scenario/index.ts';

export interface PreparedRelaxation {
  /** Queues the relaxation of `analysis` in place. Both are [members][length]. */
  apply(background: RealField, analysis: RealField): void;
  dispose(): void;
}

export async function createRelaxation(
  specification: Relaxation,
  backend: Backend,
  members: number,
  length: number,
): Promise<PreparedRelaxation> {
  if (specification.kind === 'none') return { apply: () => undefined, dispose: () => undefined };
  const relaxing = await backend.prepare(relaxation, { members, length, ...specification });
  return {
    apply: (background, analysis) => relaxing.run({ background, ensemble: analysis }),
    dispose: () => relaxing.dispose(),
  };
}
