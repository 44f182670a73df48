/**
 * The page's one GPU device: the engine computes on it and the stage draws from it, so that a field goes from where it was
 * computed to the screen without leaving the GPU.
 */
import { requestDevice, summariseAdapter, type AdapterSummary, type GpuDevice } from '../../../engine/index.ts';

/** What the stage can make use of beyond the engine's features. */
const FEATURES_OF_THE_STAGE = ['float32-filterable'] as const;

function browserGpu(): GPU | undefined {
  return typeof navigator === 'undefined' ? undefined : (navigator as { readonly gpu?: GPU }).gpu;
}

/** @returns the adapter that the page would get, or undefined if there is no WebGPU */
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
 * The device of one page, opened at the first call and again after it was lost.
 *
 * @returns opens it; rejects with BackendError when there is no WebGPU here, or the adapter lacks what the kernels need
 */
export function createPageGpu(gpu: GPU | undefined = browserGpu()): () => Promise<GpuDevice> {
  let shared: Promise<GpuDevice> | undefined;
  const forget = (): void => {
    shared = undefined;
  };
  const open = async (): Promise<GpuDevice> => {
    try {
      if (!gpu) throw new Error('this browser has no WebGPU; choose the wasm backend');
      const opened = await requestDevice(gpu, FEATURES_OF_THE_STAGE);
      void opened.device.lost.then(forget);
      return opened;
    } catch (error) {
      forget();
      throw error;
    }
  };
  return () => (shared ??= open());
}
