/** Perturbed observations [burgers1998]: every member is compared with values that have one more error, drawn for it. */
import { anomalies } from '../../operators/ensemble/index.ts';
import { segmentTable, standardNormal } from '../../operators/standard-normal/index.ts';
import { streamWords } from '../../random/stream.ts';
import type { MethodContext } from '../method.ts';
import type { DepartureParts, MemberDepartures } from './enkf.ts';

/**
 * R^−½ (y − H(x_l)) + ε_l with ε_l ~ N(0, I), or N(0, C) where R is taken whole. The perturbations are centred over the members so
 * that they leave the mean innovation alone. Their sample covariance is I, or C, on average, since it divides by k − 1 as that of
 * the states does.
 */
export async function createPerturbedObservations(
  label: string,
  { backend, observations: { capacity }, members, seed, streamName = label }: MethodContext,
  { observedEnsemble, together, workspace }: DepartureParts,
): Promise<MemberDepartures> {
  const perturbations = backend.allocate(`${label}.perturbations`, 'real', members * capacity);
  const streams = backend.allocate(`${label}.streams`, 'index', segmentTable([], 1).length);
  const drawing = await backend.prepare(standardNormal, { length: members * capacity, segments: 1 });
  const centring = await backend.prepare(anomalies, { members, length: capacity });
  return {
    observed: observedEnsemble,
    perturbations,
    make(cycle, areTogether) {
      const { ensemble: drawn, mean } = workspace;
      const words = streamWords(seed, `methods.${streamName}.perturbations`, cycle);
      backend.write(streams, segmentTable([{ words, first: 0 }], 1));
      drawing.run({ streams, output: drawn });
      if (areTogether) {
        together?.correlate(drawn, perturbations);
        backend.copy(perturbations, drawn);
      }
      centring.run({ ensemble: drawn, mean, anomalies: perturbations });
    },
    dispose() {
      for (const owned of [perturbations, streams, drawing, centring]) owned.dispose();
    },
  };
}
