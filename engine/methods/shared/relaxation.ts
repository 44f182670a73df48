/** What is done to an analysis ensemble: its relaxation towards the background, or nothing; and its rotation; with their settings. */
import type { Backend, RealField } from '../../compute/backend.ts';
import {
  relaxation,
  anomalies,
  ensembleTransform,
  meanPreservingRotation,
  recentring,
} from '../../operators/ensemble/index.ts';
import { randomStream } from '../../random/stream.ts';
import { kind, quantity, section, toggle } from '../../settings/index.ts';
import type { MethodContext } from '../method.ts';
import { z } from 'zod';

export const rotationField = toggle({
  title: 'Rotation',
  description: 'Turns the anomalies at random after each analysis, keeping mean and covariance.',
  default: false,
});

/** Random, mean-preserving rotation of an ensemble's anomalies after an analysis, so that none of them grows apart. */
interface Rotation {
  /** Queues `rotated` = x̄ + X′ U, U drawn for the cycle. Both are [members][length], two different fields. */
  apply(ensemble: RealField, rotated: RealField, cycle: number): void;
  dispose(): void;
}

export async function createRotation(
  label: string,
  { backend, members, seed, streamName = label }: MethodContext,
  length: number,
): Promise<Rotation> {
  const size = { members, length };
  const [splitting, turning, joining] = [
    await backend.prepare(anomalies, size),
    await backend.prepare(ensembleTransform, size),
    await backend.prepare(recentring, size),
  ];
  const fields = {
    mean: backend.allocate(`${label}.rotation.mean`, 'real', length),
    before: backend.allocate(`${label}.rotation.before`, 'real', members * length),
    after: backend.allocate(`${label}.rotation.after`, 'real', members * length),
    transform: backend.allocate(`${label}.rotation.transform`, 'real', members * members),
  };
  return {
    apply(ensemble, rotated, cycle) {
      const { mean, before, after, transform } = fields;
      const stream = randomStream(seed, `methods.${streamName}.rotation`, cycle);
      const gaussians = Float64Array.from({ length: (members - 1) ** 2 }, () => stream.normal());
      backend.write(transform, meanPreservingRotation(members, gaussians));
      splitting.run({ ensemble, mean, anomalies: before });
      turning.run({ ensemble: before, transform, transformed: after });
      joining.run({ mean, anomalies: after, ensemble: rotated });
    },
    dispose() {
      for (const owned of [splitting, turning, joining, ...Object.values(fields)]) owned.dispose();
    },
  };
}

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

/** @returns reals on the backend that a rotation holds, of members of so many elements */
export function rotationMemory(rotation: boolean, members: number, length: number): number {
  return rotation ? 2 * members * length + length + members ** 2 : 0;
}
