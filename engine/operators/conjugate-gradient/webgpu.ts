/**
 * The WebGPU parts of conjugate gradients. An iteration is three dispatches: the curvature's partial sums, the step, the new
 * direction; each of the last two finishes the sums of the one before.
 */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import reductionLibrary from '../../compute/webgpu/library/reduction.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { Program, WebGpuOperator, Workshop } from '../../compute/webgpu/program.ts';
import axpyKernel from './axpy.wgsl?raw';
import beginKernel from './begin.wgsl?raw';
import directionKernel from './direction.wgsl?raw';
import dotKernel from './dot.wgsl?raw';
import { HISTORY } from './layout.ts';
import layout from './layout.wgsl?raw';
import type {
  advance as advanceOperator,
  AdvanceParameters,
  axpy as axpyOperator,
  begin as beginOperator,
  dotProduct as dotProductOperator,
} from './operators.ts';
import partialsCode from './partials.wgsl?raw';
import stepKernel from './step.wgsl?raw';
import totalKernel from './total.wgsl?raw';

const WORKGROUP = 256;
/** Workgroups of a sum: enough to fill a GPU, few enough that each can add all partial sums for itself. */
const LARGEST_GROUPS = 512;

function groupsFor(length: number): number {
  return Math.min(LARGEST_GROUPS, Math.ceil(length / WORKGROUP));
}

function dotProgram(workshop: Workshop): Promise<Program> {
  return workshop.program({
    label: 'conjugate-gradient.dot',
    code: [reductionLibrary, dotKernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
}

function totalProgram(workshop: Workshop): Promise<Program> {
  return workshop.program({
    label: 'conjugate-gradient.total',
    code: [reductionLibrary, partialsCode, totalKernel],
    bindings: ['uniform', 'read', 'write'],
  });
}

export const dotProduct: WebGpuOperator<
  { readonly length: number; readonly factor: number },
  typeof dotProductOperator.fields
> = async (workshop, { length, factor }) => {
  const [dot, total] = await Promise.all([dotProgram(workshop), totalProgram(workshop)]);
  const groups = groupsFor(length);
  const partials = workshop.scratch('partials', 'real', groups);
  const dotUniform = workshop.uniform('dot', [{ u32: length }, { u32: groups }, { f32: 0 }]);
  const totalUniform = workshop.uniform('total', [{ u32: groups }, { u32: 0 }, { f32: factor }]);
  return (recorder, { x, y, result }) => {
    recorder.dispatch(dot, [dotUniform, x, y, partials], [groups]);
    recorder.dispatch(total, [totalUniform, partials, result], [1]);
  };
};

export const axpy: WebGpuOperator<
  { readonly length: number; readonly factor?: number },
  typeof axpyOperator.fields
> = async (workshop, { length, factor = 1 }) => {
  const program = await workshop.program({
    label: 'axpy.update',
    code: [indexLibrary, axpyKernel],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = workshop.uniform('parameters', [{ u32: length }, { f32: factor }]);
  return (recorder, { x, y }) => recorder.dispatch(program, [uniform, x, y], workgroupsFor(length, WORKGROUP));
};

export const begin: WebGpuOperator<{ readonly length: number }, typeof beginOperator.fields> = async (
  workshop,
  { length },
) => {
  const [start, dot, total] = await Promise.all([
    workshop.program({
      label: 'conjugate-gradient.begin',
      code: [indexLibrary, layout, beginKernel],
      bindings: ['uniform', 'read', 'write', 'write', 'write', 'write', 'write'],
    }),
    dotProgram(workshop),
    totalProgram(workshop),
  ]);
  const groups = groupsFor(length);
  const partials = workshop.scratch('partials', 'real', groups);
  const startUniform = workshop.uniform('begin', [{ u32: length }]);
  const dotUniform = workshop.uniform('dot', [{ u32: length }, { u32: groups }, { f32: 0 }]);
  const totalUniform = workshop.uniform('total', [{ u32: groups }, { u32: HISTORY.residual }, { f32: 1 }]);
  return (recorder, { rightHandSide, solution, residual, direction, history, progress }) => {
    recorder.dispatch(
      start,
      [startUniform, rightHandSide, solution, residual, direction, history, progress],
      workgroupsFor(length, WORKGROUP),
    );
    recorder.dispatch(dot, [dotUniform, rightHandSide, rightHandSide, partials], [groups]);
    recorder.dispatch(total, [totalUniform, partials, history], [1]);
  };
};

export const advance: WebGpuOperator<AdvanceParameters, typeof advanceOperator.fields> = async (
  workshop,
  { length, shift, tolerance, maxIterations },
) => {
  const [dot, step, turn] = await Promise.all([
    dotProgram(workshop),
    workshop.program({
      label: 'conjugate-gradient.step',
      code: [reductionLibrary, partialsCode, layout, stepKernel],
      bindings: ['uniform', 'read', 'read', 'write', 'write', 'write', 'write', 'write'],
    }),
    workshop.program({
      label: 'conjugate-gradient.direction',
      code: [reductionLibrary, partialsCode, layout, directionKernel],
      bindings: ['uniform', 'read', 'write', 'read', 'write', 'write'],
    }),
  ]);
  const groups = groupsFor(length);
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
