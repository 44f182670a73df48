/** Tunings of a scenario that is over in no time. */
import { evaluateAsSweep, lookAt, planTuning, runBatchHere, tuneMethod } from '../../../engine/index.ts';
import type { Backend, BatchOptions, TuningPlan, TuningRequest, TuningResult } from '../../../engine/index.ts';
import { SMALL_SCENARIO } from '../sweep/small-sweep.ts';

const ORIGIN = { backend: { name: 'reference', adapter: 'JavaScript' }, versions: { shoal: '1.0.0' } } as const;

const noFile = (name: string): Promise<Uint8Array> => Promise.reject(new Error(`${name} is not there`));

export function planSmallTuning(request: Partial<TuningRequest> = {}, raw: unknown = SMALL_SCENARIO): TuningPlan {
  return planTuning(raw, { method: 'letkf', ...request });
}

export function runTuning(backend: Backend, plan: TuningPlan, options: BatchOptions = {}): Promise<TuningResult> {
  const run = runBatchHere(backend, options);
  return tuneMethod(plan, {
    evaluate: evaluateAsSweep(plan, { file: 'small.json', readFile: noFile }, ORIGIN, run),
    look: (values) => lookAt(backend, plan, values),
  });
}
