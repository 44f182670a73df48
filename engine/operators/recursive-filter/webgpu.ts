/** The recursive filter on the GPU: a dispatch an axis, through one scratch field where both are filtered. */
import type { WebGpuOperator, KernelBuilder } from '../../compute/webgpu/program.ts';
import type { RecordPass } from '../convolution/webgpu-band.ts';
import { prepareBandPass } from '../convolution/webgpu-band.ts';
import type { RecursiveFilterFields, RecursiveFilterParameters } from './parameters.ts';
import { planFilter } from './plan.ts';
import type { FirPlan, SweepsPlan } from './plan.ts';
import { prepareSweeps } from './webgpu-sweeps.ts';

const prepare: WebGpuOperator<RecursiveFilterParameters, RecursiveFilterFields> = async (builder, parameters) => {
  const axes = planFilter(parameters, 4).filter((axis) => axis.form !== 'none');
  const passes = await Promise.all(axes.map((axis) => prepareAxis(builder, axis)));
  const elements = parameters.nx * parameters.ny * parameters.batch;
  if (passes.length === 0) return (recorder, { input, output }) => recorder.copy(input, output, 4 * elements);
  const [first, second] = passes;
  if (passes.length === 1) return (recorder, { input, output }) => first(recorder, input, output);
  const between = builder.scratch('recursive-filter.between', 'real', elements);
  return (recorder, { input, output }) => {
    first(recorder, input, between);
    second(recorder, between, output);
  };
};

function prepareAxis(builder: KernelBuilder, axis: FirPlan | SweepsPlan): Promise<RecordPass> {
  return axis.form === 'fir'
    ? prepareBandPass(builder, 'recursive-filter', axis.lines, axis.band())
    : prepareSweeps(builder, axis);
}

export default prepare;
