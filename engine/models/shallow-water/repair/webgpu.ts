import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { BackendError } from '../../../errors.ts';
import type { RepairParameters } from './index.ts';

const prepare: WebGpuOperator<RepairParameters, { state: 'real' }> = () => {
  throw new BackendError('this scheme does not run on WebGPU');
};
export default prepare;
