/** What an operator prepares with, and what it has taken of the device: given back together. */
import type { BackendTuning, ElementKind, HostArray } from '../backend.ts';
import { chosenVariant } from '../variants.ts';
import type { BufferPool } from './buffer-pool.ts';
import type { PipelineCache } from './pipeline-cache.ts';
import type { KernelBuilder } from './program.ts';
import { uniformBytes } from '../parameter-block.ts';

export const ELEMENT_BYTES = 4;

export interface OwnedKernelBuilder extends KernelBuilder {
  /** Gives back all that was taken. */
  release(): void;
}

export interface KernelBuilderParts {
  readonly device: GPUDevice;
  readonly pool: BufferPool;
  readonly pipelines: PipelineCache;
  readonly tuning: BackendTuning;
  /** Hands over what is recorded so far: the queue writes before anything that is submitted later. */
  readonly submit: () => void;
}

/** @param owner the operator, for the labels of what it takes */
export function createKernelBuilder(
  owner: string,
  { device, pool, pipelines, tuning, submit }: KernelBuilderParts,
): OwnedKernelBuilder {
  const uniforms = new Set<GPUBuffer>();
  const pooled = new Set<GPUBuffer>();
  const shared: GPUBuffer[] = [];
  const scratch = (label: string, bytes: number): GPUBuffer => {
    const buffer = pool.take(`${owner}.${label}`, bytes);
    pooled.add(buffer);
    return buffer;
  };
  return {
    limits: device.limits,
    variant: (variants, parameters) => chosenVariant(tuning, variants, parameters),
    program: (description) => pipelines.get(description),
    uniform(label, block, values) {
      const data = uniformBytes(block, values);
      const buffer = device.createBuffer({
        label: `${owner}.${label}`,
        size: data.byteLength,
        usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
      });
      device.queue.writeBuffer(buffer, 0, data);
      uniforms.add(buffer);
      return buffer;
    },
    scratch: (label, _kind, length) => scratch(label, length * ELEMENT_BYTES),
    shared(label, _kind, length) {
      const buffer = pool.share(label, length * ELEMENT_BYTES);
      shared.push(buffer);
      return buffer;
    },
    table(label, kind, values) {
      submit();
      const buffer = scratch(label, Math.max(1, values.length) * ELEMENT_BYTES);
      device.queue.writeBuffer(buffer, 0, toDevice(kind, values));
      return buffer;
    },
    release() {
      for (const buffer of uniforms) buffer.destroy();
      for (const buffer of pooled) pool.give(buffer);
      for (const buffer of shared.splice(0)) pool.unshare(buffer);
      uniforms.clear();
      pooled.clear();
    },
  };
}

/** @returns values as the device has them, rounded to float32 if real */
function toDevice(kind: ElementKind, values: ArrayLike<number>): Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
  // The constructor copies typed arrays as wholes, `from` number by number.
  return kind === 'index' ? new Uint32Array(values) : new Float32Array(values);
}

/** @returns room on the host for what is read back */
export function hostArray<Kind extends ElementKind>(kind: Kind, length: number): HostArray<Kind> {
  const values = kind === 'index' ? new Uint32Array(length) : new Float64Array(length);
  return values as HostArray<Kind>;
}

/** Copies what the device has into room on the host. */
export function toHost<Kind extends ElementKind>(kind: Kind, bytes: ArrayBuffer, values: HostArray<Kind>, at: number) {
  values.set(kind === 'index' ? new Uint32Array(bytes) : new Float32Array(bytes), at);
}
