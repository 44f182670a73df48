import index from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import type { MultiplyAddParameters } from './index.ts';
import multiplyAddSource from './multiply-add.wgsl?raw';
import streamCopySource from './stream-copy.wgsl?raw';

const WORKGROUP = 256;

export const streamCopy: WebGpuOperator<{ readonly length: number }, { source: 'real'; target: 'real' }> = async (
  workshop,
  { length },
) => {
  const program = await workshop.program({
    label: 'ceiling-copy.main',
    code: [index, streamCopySource],
    bindings: ['read', 'write'],
  });
  return (recorder, { source, target }) =>
    recorder.dispatch(program, [source, target], workgroupsFor(length / 4, WORKGROUP));
};

export const multiplyAdd: WebGpuOperator<MultiplyAddParameters, { values: 'real' }> = async (
  workshop,
  { length, steps },
) => {
  const program = await workshop.program({
    label: 'ceiling-multiply-add.main',
    code: [index, multiplyAddSource],
    constants: { STEPS: steps },
    bindings: ['write'],
  });
  return (recorder, { values }) => recorder.dispatch(program, [values], workgroupsFor(length / 4, WORKGROUP));
};
