/** Compute pipelines, compiled asynchronously and kept by source, entry point, constants and bindings. */
import { BackendError } from '../../errors.ts';
import type { Access, Program, ProgramDescription } from './program.ts';

export interface PipelineCache {
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
