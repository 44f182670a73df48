/** The recursive filter on the GPU: a dispatch an axis, through one scratch field where both are filtered. */
import type { WebGpuOperator, Workshop } from '../../compute/webgpu/program.ts';
import type { RecordPass } from '../convolution/webgpu-band.ts';
import { prepareBandPass } from '../convolution/webgpu-band.ts';
import type { RecursiveFilterFields, RecursiveFilterParameters } from './parameters.ts';
import { planFilter } from './plan.ts';
import type { FirPlan, SweepsPlan } from './plan.ts';
import { prepareSweeps } from './webgpu-sweeps.ts';

const prepare: WebGpuOperator<RecursiveFilterParameters, RecursiveFilterFields> = async (workshop, parameters) => {
  const axes = planFilter(parameters, 4).filter((axis) => axis.form !== 'none');
  const passes = await Promise.all(axes.map((axis) => prepareAxis(workshop, axis)));
  const elements = parameters.nx * parameters.ny * parameters.batch;
  if (passes.length === 0) return (recorder, { input, output }) => recorder.copy(input, output, 4 * elements);
  const [first, second] = passes;
  if (passes.length === 1) return (recorder, { input, output }) => first(recorder, input, output);
  const between = workshop.scratch('recursive-filter.between', 'real', elements);
  return (recorder, { input, output }) => {
    first(recorder, input, between);
    second(recorder, between, output);
  };
};

function prepareAxis(workshop: Workshop, axis: FirPlan | SweepsPlan): Promise<RecordPass> {
  return axis.form === 'fir'
    ? prepareBandPass(workshop, 'recursive-filter', axis.lines, axis.band())
    : prepareSweeps(workshop, axis);
}

export default prepare;
