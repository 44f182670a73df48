/** Random, mean-preserving rotation of an ensemble's anomalies after an analysis, so that none of them grows apart. */
import type { RealField } from '../../compute/backend.ts';
import { anomalies, ensembleTransform, meanPreservingRotation, recentring } from '../../operators/ensemble/index.ts';
import { randomStream } from '../../random/stream.ts';
import type { MethodContext } from '../method.ts';

export interface Rotation {
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
