/** What the WebGPU parts of all stepping operators share: the buffers of `stepping.wgsl`. */
import type { Access, Workshop } from '../compute/webgpu/program.ts';
import { HEADROOM, LARGEST_COURANT } from './stepping.ts';
import type { StepParameters } from './stepping.ts';
import source from './stepping.wgsl?raw';

export const steppingSource = source;

/** Bindings 0 to 3. */
export const STEPPING_BINDINGS: readonly Access[] = ['uniform', 'uniform', 'write', 'write'];

interface StepFieldBuffers {
  readonly status: GPUBuffer;
  readonly clock: GPUBuffer;
}

/** @returns the buffers of bindings 0 to 3, for step `s` of a run */
export function steppingBuffers(
  workshop: Workshop,
  { timeStep, courant }: StepParameters,
): (s: number, fields: StepFieldBuffers) => readonly GPUBuffer[] {
  const stepping = workshop.uniform('stepping', [
    { f32: timeStep === 'auto' ? 0 : timeStep },
    { f32: timeStep === 'auto' ? courant * (1 + HEADROOM) : LARGEST_COURANT },
    { u32: timeStep === 'auto' ? 1 : 0 },
  ]);
  const slots = [0, 1, 2].map((slot) => workshop.uniform(`slot-${slot}`, [{ u32: slot }]));
  return (s, { status, clock }) => [stepping, slots[s % slots.length], status, clock];
}
