/** What the WebGPU parts of all stepping operators share: the buffers of `stepping.wgsl`. */
import type { Access, KernelBuilder } from '../compute/webgpu/program.ts';
import { uniformBlock } from '../compute/parameter-block.ts';
import { HEADROOM, LARGEST_COURANT } from './stepping.ts';
import type { StepParameters } from './stepping.ts';
import source from './stepping.wgsl?raw';

const STEPPING = uniformBlock('Stepping', {
  /** Seconds; not used with "auto". */
  timeStep: 'f32',
  /** Courant number up to which a step may go with "auto", and above which a forecast with a fixed one is stopped. */
  courant: 'f32',
  automatic: 'u32',
});

/** Which slot of the status a step reads. */
const SLOT = uniformBlock('Slot', { index: 'u32' });

/** The code of bindings 0 to 3, and what kernels do with them. */
export const steppingSource = `${STEPPING.wgsl}${SLOT.wgsl}${source}`;

/** Bindings 0 to 3. */
export const STEPPING_BINDINGS: readonly Access[] = ['uniform', 'uniform', 'write', 'write'];

interface StepFieldBuffers {
  readonly status: GPUBuffer;
  readonly clock: GPUBuffer;
}

/** @returns the buffers of bindings 0 to 3, for step `s` of a run */
export function steppingBuffers(
  builder: KernelBuilder,
  { timeStep, courant }: StepParameters,
): (s: number, fields: StepFieldBuffers) => readonly GPUBuffer[] {
  const stepping = builder.uniform('stepping', STEPPING, {
    timeStep: timeStep === 'auto' ? 0 : timeStep,
    courant: timeStep === 'auto' ? courant * (1 + HEADROOM) : LARGEST_COURANT,
    automatic: timeStep === 'auto' ? 1 : 0,
  });
  const slots = [0, 1, 2].map((slot) => builder.uniform(`slot-${slot}`, SLOT, { index: slot }));
  return (s, { status, clock }) => [stepping, slots[s % slots.length], status, clock];
}
