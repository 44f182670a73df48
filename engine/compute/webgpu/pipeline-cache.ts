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

export function createPipelineCache(device: GPUDevice): PipelineCache {
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
    return { label, pipeline: await pipeline, layout };
  }

  return {
    get(description) {
      const { code, entryPoint, constants, bindings } = description;
      const key = JSON.stringify([code, entryPoint, constants, bindings]);
      let program = programs.get(key);
      if (!program) {
        program = compile(description);
        programs.set(key, program);
      }
      return program;
    },
  };
}
