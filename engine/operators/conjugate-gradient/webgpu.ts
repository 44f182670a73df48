/**
 * The WebGPU parts of conjugate gradients. An iteration is three dispatches: the curvature's partial sums, the step, the new
 * direction; each of the last two finishes the sums of the one before.
 */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { dotProgram, SUM_WORKGROUP, sumGroups, totalCode, totalProgram } from '../dot-product/webgpu.ts';
import beginKernel from './begin.wgsl?raw';
import directionKernel from './direction.wgsl?raw';
import { HISTORY } from './layout.ts';
import layout from './layout.wgsl?raw';
import type { advanceFields, AdvanceParameters, beginFields, BeginParameters } from './parameters.ts';
import stepKernel from './step.wgsl?raw';

export const begin: WebGpuOperator<BeginParameters, typeof beginFields> = async (workshop, { length }) => {
  const [start, dot, total] = await Promise.all([
    workshop.program({
      label: 'conjugate-gradient.begin',
      code: [indexLibrary, layout, beginKernel],
      bindings: ['uniform', 'read', 'write', 'write', 'write', 'write', 'write'],
    }),
    dotProgram(workshop),
    totalProgram(workshop),
  ]);
  const groups = sumGroups(length);
  const partials = workshop.scratch('partials', 'real', groups);
  const startUniform = workshop.uniform('begin', [{ u32: length }]);
  const dotUniform = workshop.uniform('dot', [{ u32: length }, { u32: groups }, { f32: 0 }]);
  const totalUniform = workshop.uniform('total', [{ u32: groups }, { u32: HISTORY.residual }, { f32: 1 }]);
  return (recorder, { rightHandSide, solution, residual, direction, history, progress }) => {
    recorder.dispatch(
      start,
      [startUniform, rightHandSide, solution, residual, direction, history, progress],
      workgroupsFor(length, SUM_WORKGROUP),
    );
    recorder.dispatch(dot, [dotUniform, rightHandSide, rightHandSide, partials], [groups]);
    recorder.dispatch(total, [totalUniform, partials, history], [1]);
  };
};

export const advance: WebGpuOperator<AdvanceParameters, typeof advanceFields> = async (
  workshop,
  { length, shift, tolerance, maxIterations },
) => {
  const [dot, step, turn] = await Promise.all([
    dotProgram(workshop),
    workshop.program({
      label: 'conjugate-gradient.step',
      code: [...totalCode, layout, stepKernel],
      bindings: ['uniform', 'read', 'read', 'write', 'write', 'write', 'write', 'write'],
    }),
    workshop.program({
      label: 'conjugate-gradient.direction',
      code: [...totalCode, layout, directionKernel],
      bindings: ['uniform', 'read', 'write', 'read', 'write', 'write'],
    }),
  ]);
  const groups = sumGroups(length);
  const partials = workshop.scratch('partials', 'real', 3 * groups);
  const size = [{ u32: length }, { u32: groups }] as const;
  const dotUniform = workshop.uniform('dot', [...size, { f32: shift }]);
  const stepUniform = workshop.uniform('step', [...size, { u32: maxIterations }, { f32: shift }]);
  const turnUniform = workshop.uniform('direction', [...size, { u32: maxIterations }, { f32: tolerance * tolerance }]);
  return (recorder, { product, solution, residual, direction, history, progress }) => {
    recorder.dispatch(dot, [dotUniform, direction, product, partials], [groups]);
    recorder.dispatch(
      step,
      [stepUniform, product, direction, solution, residual, partials, history, progress],
      [groups],
    );
    recorder.dispatch(turn, [turnUniform, residual, direction, partials, history, progress], [groups]);
  };
};
