/** The parts of the LETKF at the sizes of [letkf-gpu]: C in three forms, P̃ᵃ, and both. */
import { gaspariCohn } from '../../operators/localisation/index.ts';
import type { Benchmark, Workload } from '../benchmark.ts';
import type { Backend } from '../../compute/backend.ts';
import { smoothEnsemble } from '../inputs.ts';
import { openOperator } from '../operator-workload.ts';
import { LETKF_PARTS, publishedPart } from '../published/index.ts';
import type { LetkfPart } from '../published/index.ts';
import { analysisCovariance, letkfParts, observationWeights } from './operators.ts';
import { NEIGHBOURS } from './parameters.ts';
import type { LetkfPartsParameters, ObservationWeightsForm } from './parameters.ts';
import { observationWeightsReference } from './reference.ts';

const OBSERVATION_ERROR = 0.3;
/** Gaspari–Cohn half-width, cells. */
const HALF_WIDTH = 3;
const INFLATION = 1.05;

/** w/σₒ² of the nine. */
const WEIGHTS = Float64Array.from(
  { length: NEIGHBOURS },
  (_, o) => gaspariCohn(Math.hypot((o % 3) - 1, Math.floor(o / 3) - 1) / HALF_WIDTH) / OBSERVATION_ERROR ** 2,
);

/** Members of a smooth ensemble less their mean, [member][n][n]. */
function smoothAnomalies(n: number, members: number): Float64Array {
  const ensemble = smoothEnsemble(n, members);
  const cells = n * n;
  for (let cell = 0; cell < cells; cell++) {
    let sum = 0;
    for (let member = 0; member < members; member++) sum += ensemble[member * cells + cell];
    for (let member = 0; member < members; member++) ensemble[member * cells + cell] -= sum / members;
  }
  return ensemble;
}

const FORMS: Readonly<Record<LetkfPart, ObservationWeightsForm>> = {
  'c-naive': 'naive',
  'c-workgroup': 'workgroup',
  'c-members': 'members',
  p: 'members',
  'c-p': 'members',
};

function open(backend: Backend, part: LetkfPart, n: number, members: number): Promise<Workload> {
  const parameters: LetkfPartsParameters = { nx: n, ny: n, members, inflation: INFLATION, form: FORMS[part] };
  const anomalies = smoothAnomalies(n, members);
  const lengthOfC = NEIGHBOURS * anomalies.length;
  const covariance = members * anomalies.length;
  if (part === 'c-p') {
    const arrays = { anomalies, weights: WEIGHTS, c: lengthOfC, covariance };
    return openOperator(backend, letkfParts, parameters, { arrays, output: 'covariance' });
  }
  if (part === 'p') {
    const c = new Float64Array(lengthOfC);
    observationWeightsReference(parameters)({ anomalies, weights: WEIGHTS, c });
    return openOperator(backend, analysisCovariance, parameters, {
      arrays: { anomalies, c, covariance },
      output: 'covariance',
    });
  }
  const arrays = { anomalies, weights: WEIGHTS, c: lengthOfC };
  return openOperator(backend, observationWeights, parameters, { arrays, output: 'c' });
}

/** @param n cells a side */
export function letkfPartBenchmarks(n: number, members: number): readonly Benchmark[] {
  return LETKF_PARTS.map((part) => ({
    suite: 'letkf',
    name: `letkf-${part}-${n}-k${members}-l${NEIGHBOURS}`,
    table: 'LETKF: C and P̃ᵃ, ratios to one core',
    parameters: { n, k: members, ℓ: NEIGHBOURS, part },
    published: publishedPart(n, part),
    comparesWithOneThread: true,
    open: (backend) => open(backend, part, n, members),
  }));
}
