import index from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import type { MultiplyAddParameters, StreamCopyParameters } from './parameters.ts';
import multiplyAddSource from './multiply-add.wgsl?raw';
import streamCopySource from './stream-copy.wgsl?raw';

const WORKGROUP = 256;
const VALUES_PER_INVOCATION = 16;

export const streamCopy: WebGpuOperator<StreamCopyParameters, { source: 'real'; target: 'real' }> = async (
  builder,
  { length, repeats },
) => {
  const program = await builder.program({
    label: 'ceiling-copy.main',
    code: [index, streamCopySource],
    bindings: ['read', 'write'],
  });
  const workgroups = workgroupsFor(length / 4, WORKGROUP);
  return (recorder, { source, target }) => {
    for (let n = 0; n < repeats; n++) recorder.dispatch(program, [source, target], workgroups);
  };
};

export const multiplyAdd: WebGpuOperator<MultiplyAddParameters, { values: 'real' }> = async (
  builder,
  { length, steps, repeats },
) => {
  const program = await builder.program({
    label: 'ceiling-multiply-add.main',
    code: [index, multiplyAddSource],
    constants: { STEPS: steps },
    bindings: ['write'],
  });
  const workgroups = workgroupsFor(length / VALUES_PER_INVOCATION, WORKGROUP);
  return (recorder, { values }) => {
    for (let n = 0; n < repeats; n++) recorder.dispatch(program, [values], workgroups);
  };
};
