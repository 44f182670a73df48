/**
 * tr(H K) of a whole analysis of the LETKF. The increment of its mean is linear in the innovations, δx̄ = K d, and the operator of
 * the analysis gives K d for any d: of observations ȳ + σₒ z it makes K R^½ z. With S = R^−½ H,
 *
 *   tr(H K) = tr(S K R^½) = E zᵀ S K R^½ z,
 *
 * exact by unit vectors z if there are few observations. If R = D C D is whole, D replaces R^½: the trace is the same. H is linearised
 * about the forecast's mean.
 */
import type { RealField } from '../../compute/backend.ts';
import { ensembleMean, perturbation } from '../../operators/ensemble/index.ts';
import type { DegreesOfFreedom } from '../explanation.ts';
import type { MethodContext } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import { meanOf, createTraceProbes, lazily } from '../shared/explaining.ts';

/** Analyses that a trace may take. */
const TRACE_ANALYSES = 8;

/** What an analysis is made of, which stays its owner's. */
export interface TraceParts {
  readonly departures: Departures;
  /** The ensemble that an analysis is queued into, free between two of them. */
  readonly workspace: RealField;
  /** Queues `workspace` = the analysis of an ensemble with other observed values, before relaxation and rotation. */
  readonly queueAnalysis: (ensemble: RealField, values: RealField) => void;
}

export interface LetkfTrace {
  /** @param forecast that the latest analysis began with */
  answer(forecast: RealField): Promise<DegreesOfFreedom>;
  dispose(): void;
}

export function createLetkfTrace(
  label: string,
  { backend, observations, positions, members, seed }: MethodContext,
  { departures, workspace, queueAnalysis }: TraceParts,
): LetkfTrace {
  const { capacity } = observations;
  const length = workspace.length / members;

  /** What is needed for it, once it is asked for. */
  const prepared = lazily(async () => {
    const real = (name: string, size: number) => backend.allocate(`${label}.trace.${name}`, 'real', size);
    const fields = { values: real('values', capacity), seen: real('seen', capacity), mean: real('mean', length) };
    const averaging = await backend.prepare(ensembleMean, { members, length });
    const subtracting = await backend.prepare(perturbation, { members, length, factor: -1 });
    const tangent = observations.linearised(`${label}.trace`);
    return {
      fields,
      averaging,
      subtracting,
      tangent,
      dispose() {
        for (const owned of [averaging, subtracting, tangent, ...Object.values(fields)]) owned.dispose();
      },
    };
  });

  async function answer(forecast: RealField): Promise<DegreesOfFreedom> {
    const count = positions().x.length;
    const inverse = count > 0 ? await backend.read(departures.inverseErrorStd) : new Float64Array(0);
    const used = Array.from(inverse, (scale, j) => j < count && scale > 0);
    const probes = createTraceProbes(used, TRACE_ANALYSES, seed);
    if (probes.vectors.length === 0) return probes.trace([]);
    const { fields, averaging, subtracting, tangent } = await prepared.get();
    const ensemble = await backend.read(departures.observedEnsemble);
    const means = inverse.map((_, j) =>
      meanOf(Float64Array.from({ length: members }, (__, member) => ensemble[member * capacity + j])),
    );
    averaging.run({ ensemble: forecast, mean: fields.mean });
    tangent.linearise(fields.mean, departures.inverseErrorStd);
    const products: number[] = [];
    for (const vector of probes.vectors) {
      backend.write(
        fields.values,
        means.map((mean, j) => (used[j] ? mean + vector[j] / inverse[j] : mean)),
      );
      queueAnalysis(forecast, fields.values);
      // The differences first, in which the large part of both cancels.
      subtracting.run({ noise: forecast, ensemble: workspace });
      averaging.run({ ensemble: workspace, mean: fields.mean });
      tangent.product(fields.mean, fields.seen);
      const seen = await backend.read(fields.seen);
      products.push(vector.reduce((sum, z, j) => sum + (z === 0 ? 0 : z * seen[j]), 0));
    }
    return probes.trace(products);
  }

  return { answer, dispose: () => prepared.dispose() };
}
