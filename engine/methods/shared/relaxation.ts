/** Relaxation of an analysis ensemble towards its background, or nothing: the setting, and what is done. */
import { z } from 'zod';
import type { Backend, RealField } from '../../compute/backend.ts';
import { relaxation } from '../../operators/ensemble/index.ts';
import { kind, quantity, section } from '../../settings/index.ts';

const factor = (description: string) =>
  quantity({ title: 'Relaxation factor', description, minimum: 0, maximum: 1, default: 0.5 });

export const relaxationField = z
  .discriminatedUnion('kind', [
    section({ title: 'None', description: 'No relaxation.' }, { kind: kind('none', 'No relaxation.') }),
    section(
      { title: 'To prior spread', description: 'The analysis spread is relaxed to the forecast spread.' },
      {
        kind: kind('spread', 'Relaxation to prior spread (RTPS).'),
        factor: factor('Share of the lost spread that is given back.'),
      },
    ),
    section(
      { title: 'To prior perturbations', description: 'The analysis anomalies are relaxed to the forecast anomalies.' },
      {
        kind: kind('perturbations', 'Relaxation to prior perturbations (RTPP).'),
        factor: factor('Share of the forecast anomalies in the relaxed ones.'),
      },
    ),
  ])
  .prefault({ kind: 'none' })
  .meta({ title: 'Relaxation', description: 'Gives back some of the spread that an analysis took.' });

export type Relaxation = z.output<typeof relaxationField>;

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
