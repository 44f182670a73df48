/**
 * The page's one GPU device: the engine computes on it and the stage draws from it, so that a field goes from where it was
 * computed to the screen without leaving the GPU.
 */
import { requestDevice, summariseAdapter } from '../../../engine/index.ts';
import type { AdapterSummary, GpuDevice } from '../../../engine/index.ts';

/** What the stage can make use of beyond the engine's features. */
const FEATURES_OF_THE_STAGE: readonly GPUFeatureName[] = ['float32-filterable'];

let shared: Promise<GpuDevice> | undefined;

function browserGpu(): GPU | undefined {
  return typeof navigator === 'undefined' ? undefined : (navigator as { readonly gpu?: GPU }).gpu;
}

/** @returns the adapter that the page would get, or undefined where there is no WebGPU */
export async function findAdapter(gpu: GPU | undefined = browserGpu()): Promise<AdapterSummary | undefined> {
  try {
    const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' });
    return adapter ? summariseAdapter(adapter) : undefined;
  } catch {
    // A browser that blocks its GPU says so by throwing.
    return undefined;
  }
}

/**
 * @returns the device of this page, opened at the first call and anew after it was lost
 * @throws BackendError when there is no WebGPU here, or the adapter lacks what the kernels need
 */
export function pageGpu(gpu: GPU | undefined = browserGpu()): Promise<GpuDevice> {
  shared ??= open(gpu);
  return shared;
}

async function open(gpu: GPU | undefined): Promise<GpuDevice> {
  try {
    if (!gpu) throw new Error('this browser has no WebGPU; choose the wasm backend');
    const opened = await requestDevice(gpu, FEATURES_OF_THE_STAGE);
    void opened.device.lost.then(forget);
    return opened;
  } catch (error) {
    forget();
    throw error;
  }
}

function forget(): void {
  shared = undefined;
}
