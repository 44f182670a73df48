/** What an operator prepares with, and what it has taken of the device: given back together. */
import { BackendError } from '../../errors.ts';
import type { BackendTuning, ElementKind, HostArray } from '../backend.ts';
import { chosenVariant } from '../variants.ts';
import { uniformBytes } from '../parameter-block.ts';
import type { BufferPool } from './buffer-pool.ts';
import type { KernelBuilder, Access, Program, ProgramDescription } from './program.ts';

/** Compute pipelines, compiled asynchronously and kept by source, entry point, constants and bindings. */
interface PipelineCache {
  /** @throws BackendError naming kernel, line and message when the source does not compile */
  get(description: ProgramDescription): Promise<Program>;
}

const BUFFER_TYPE: Record<Access, GPUBufferBindingType> = {
  read: 'read-only-storage',
  write: 'storage',
  uniform: 'uniform',
};

/**
 * Invocations along x, y, z in a workgroup, read off the source for the kernel log. What is neither a number, a `const`
 * nor an `override` with a value counts as 1.
 */
export function workgroupOf(code: string, entryPoint: string, constants: Readonly<Record<string, number>>): number[] {
  const sizes = new RegExp(`@workgroup_size\\(([^)]*)\\)\\s*fn\\s+${entryPoint}\\b`).exec(code)?.[1] ?? '1';
  return sizes
    .split(',')
    .map((size) => size.trim())
    .filter((size) => size !== '')
    .map((size) => {
      const written = new RegExp(`\\bconst\\s+${size}\\b[^=;]*=\\s*(\\d+)u?\\s*;`).exec(code)?.[1];
      return constants[size] ?? (Number.parseInt(written ?? size, 10) || 1);
    });
}

function createPipelineCache(device: GPUDevice): PipelineCache {
  const programs = new Map<string, Promise<Program>>();

  async function compile({
    label,
    code,
    entryPoint = 'main',
    constants = {},
    bindings,
  }: ProgramDescription): Promise<Program> {
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ label, code: code.join('\n') });
    const layout = device.createBindGroupLayout({
      label: `${label}.layout`,
      entries: bindings.map((access, binding) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type: BUFFER_TYPE[access] },
      })),
    });
    const pipeline = device.createComputePipelineAsync({
      label,
      layout: device.createPipelineLayout({ label: `${label}.layout`, bindGroupLayouts: [layout] }),
      compute: { module, entryPoint, constants },
    });
    const scope = device.popErrorScope();
    const failure = pipeline.then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    );
    const [refused, error] = await Promise.all([failure, scope]);
    if (refused !== undefined || error) {
      const { messages } = await module.getCompilationInfo();
      const lines = messages
        .filter(({ type }) => type === 'error')
        .map(({ lineNum, linePos, message }) => `line ${lineNum}, column ${linePos}: ${message}`);
      throw new BackendError(
        `kernel ${label} was refused by the GPU: ${[...lines, refused ?? error?.message].join('; ')}`,
      );
    }
    return { label, pipeline: await pipeline, layout, workgroup: workgroupOf(code.join('\n'), entryPoint, constants) };
  }

  return {
    get(description) {
      const { code, entryPoint, constants, bindings } = description;
      const key = JSON.stringify([code, entryPoint, constants, bindings]);
      let program = programs.get(key);
      if (!program) {
        program = compile(description);
        programs.set(key, program);
        // The next run asks again: a device that is short of memory now need not be later.
        program.catch(() => programs.delete(key));
      }
      return program;
    },
  };
}

const caches = new WeakMap<GPUDevice, PipelineCache>();

/** @returns the pipelines of a device, which all backends on it share: none is compiled again for the next run */
export function pipelinesOf(device: GPUDevice): PipelineCache {
  const found = caches.get(device) ?? createPipelineCache(device);
  caches.set(device, found);
  return found;
}

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
