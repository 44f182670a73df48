/** The operator `recursive-filter`: what it costs, and its implementations. */
import type { Cost } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { planFilter } from './plan.ts';
import type { AxisPlan } from './plan.ts';
import { reference } from './reference.ts';
import type { RecursiveFilterParameters, RecursiveFilterFields } from './parameters.ts';

/** Operations a point along one axis: 3 each way and iteration (v = s + α(v − s)), or 2 a tap. */
function axisFlops(axis: AxisPlan): number {
  if (axis.form === 'sweeps') return 6 * axis.iterations;
  return axis.form === 'fir' ? 2 * axis.width : 0;
}

/** Each filtered axis reads and writes the fields once (all iterations are made in one visit). */
function cost(parameters: RecursiveFilterParameters, elementBytes: number): Cost {
  const axes = planFilter(parameters, elementBytes);
  const points = parameters.nx * parameters.ny * parameters.batch;
  const passes = Math.max(1, axes.filter(({ form }) => form !== 'none').length);
  return {
    bytes: 2 * passes * points * elementBytes,
    flops: points * axes.reduce((sum, axis) => sum + axisFlops(axis), 0),
  };
}

export const recursiveFilter = defineOperator<RecursiveFilterParameters, RecursiveFilterFields>({
  name: 'recursive-filter',
  fields: { input: 'real', output: 'real' },
  cost,
  reference,
  wasm: async () => (await import('./wasm.ts')).default,
  webgpu: async () => (await import('./webgpu.ts')).default,
});
