/**
 * The backends that tests run on: `describe.each(backends)('…', ({ open, tolerance }) => …)`. A backend that is not available
 * fails in CI and is skipped in plain sight elsewhere.
 */
import { nodeGpu } from '../../app/cli/adapters.ts';
import { createHostBackend } from '../../engine/compute/host-backend.ts';
import { createReferenceBackend, createWasmBackend, createWebGpuBackend, requestDevice } from '../../engine/index.ts';
import type { Backend, BackendName, GpuDevice } from '../../engine/index.ts';
import { startKernelThread } from './kernel-threads.ts';
import { isNightly } from './nightly.ts';

export interface BackendUnderTest {
  readonly name: BackendName | 'float32';
  readonly precision: 'float64' | 'float32';
  readonly open: () => Promise<Backend>;
}

async function webGpuIsHere(): Promise<boolean> {
  try {
    return (await (await nodeGpu()).requestAdapter()) !== null;
  } catch {
    return false;
  }
}

const reference: BackendUnderTest = {
  name: 'reference',
  precision: 'float64',
  open: () => Promise.resolve(createReferenceBackend()),
};

/** With a thread beside its own. */
const wasm: BackendUnderTest = {
  name: 'wasm',
  precision: 'float32',
  open: () => createWasmBackend({ threads: 2, startThread: startKernelThread }),
};

let device: Promise<GpuDevice> | undefined;

/** One device for all files of a worker, so that no kernel is compiled again for each: in software that takes seconds. */
async function sharedDevice(): Promise<GpuDevice> {
  device ??= nodeGpu().then((gpu) => requestDevice(gpu));
  return device;
}

/** Who destroys a device asks for one of its own. */
const webgpu: BackendUnderTest = {
  name: 'webgpu',
  precision: 'float32',
  open: async () => createWebGpuBackend(await sharedDevice()),
};

const here = await webGpuIsHere();
if (!here && process.env['CI']) throw new Error('no WebGPU adapter: in CI the webgpu backend may not be skipped');
if (!here) process.stderr.write('SKIPPED: the webgpu backend, because no adapter was found (SwiftShader is missing)\n');

/** The backends of the program. */
export const backends: readonly BackendUnderTest[] = here ? [reference, wasm, webgpu] : [reference, wasm];

/**
 * For whole runs, whose operators are compared one by one on every backend: `npm test` runs them without a GPU, which in software
 * takes most of their time, and `npm run nightly` with it.
 */
export const runBackends: readonly BackendUnderTest[] = backends.filter(({ name }) => isNightly || name !== 'webgpu');

/**
 * A house without furniture: float32 in main memory and no implementation of its own, so that every operator falls back on
 * its reference form.
 */
const float32: BackendUnderTest = {
  name: 'float32',
  precision: 'float32',
  open: () => Promise.resolve(createHostBackend('float32')),
};

/** The backends of the program and the unfurnished one: what every operator is held to. */
export const allBackends: readonly BackendUnderTest[] = [reference, float32, ...backends.slice(1)];

/** @throws Error where it is not there */
export function backendNamed(name: BackendName): BackendUnderTest {
  const found = backends.find((backend) => backend.name === name);
  if (!found) throw new Error(`the backend ${name} is not available here`);
  return found;
}

/** Runs one operator once on arrays: allocates, writes, runs, reads the named fields back, and frees. */
export { applyOperator } from './apply-operator.ts';
