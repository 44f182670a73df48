import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { BackendError } from '../../../errors.ts';
import type { StepFields } from '../../stepping.ts';
import type { LaxWendroffParameters } from './index.ts';

const prepare: WebGpuOperator<LaxWendroffParameters, StepFields> = () => {
  throw new BackendError('this scheme does not run on WebGPU');
};
export default prepare;
