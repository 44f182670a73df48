/** Three's renderer on a GPU device, wherever that is: in a page it draws on a canvas, without one into a texture that replaces it. */
import { LinearSRGBColorSpace, WebGPURenderer } from 'three/webgpu';

export interface OpenedRenderer {
  readonly renderer: WebGPURenderer;
  /** Undefined with WebGL 2. */
  readonly device: GPUDevice | undefined;
  /** Whether the processor draws: then edges are not smoothed as they are drawn. */
  readonly inSoftware: boolean;
  /** Resolves with a message when the device or context is gone and cannot be drawn with any more. */
  readonly lost: Promise<string>;
  /** Resolves when what was submitted has been drawn, as far as the platform says so. */
  readonly settled: () => Promise<void>;
  readonly dispose: () => void;
}

/** Whether an adapter of that name is the processor. */
export function isSoftware(name: string): boolean {
  return /swiftshader|llvmpipe|software/i.test(name);
}

/**
 * @param on the canvas, and the device or that there is none
 * @returns the renderer, ready to draw. Materials write screen colours themselves, so no conversion pass follows them
 */
export async function startRenderer(
  canvas: HTMLCanvasElement,
  inSoftware: boolean,
  on: { readonly device: GPUDevice } | { readonly forceWebGL: true },
): Promise<WebGPURenderer> {
  // Where the processor draws every sample of every pixel costs, so edges are not smoothed.
  const renderer = new WebGPURenderer({ canvas, antialias: !inSoftware, alpha: false, ...on });
  renderer.outputColorSpace = LinearSRGBColorSpace;
  await renderer.init();
  return renderer;
}

/** What an adapter is called; browsers before 2025 do not say it of a device. */
function nameOf(device: GPUDevice): string {
  const { adapterInfo } = device as { readonly adapterInfo?: GPUAdapterInfo };
  return adapterInfo ? `${adapterInfo.architecture} ${adapterInfo.description}` : '';
}

/** Three falls back by itself, without a word: then it draws on something else than the device. */
function drawsOnDevice({ backend }: WebGPURenderer): boolean {
  return 'isWebGPUBackend' in backend && backend.isWebGPUBackend === true;
}

/**
 * @param release of the device, when the renderer is done with it
 * @throws Error if the renderer cannot begin on the device, which is not released then
 */
export async function openDeviceRenderer(
  canvas: HTMLCanvasElement,
  device: GPUDevice,
  release: () => void = () => undefined,
): Promise<OpenedRenderer> {
  const inSoftware = isSoftware(nameOf(device));
  const renderer = await startRenderer(canvas, inSoftware, { device });
  if (!drawsOnDevice(renderer)) {
    void renderer.dispose();
    throw new Error('the renderer does not draw with WebGPU');
  }
  return {
    renderer,
    device,
    inSoftware,
    lost: device.lost.then(({ message }) => message || 'the GPU device was lost'),
    settled: async () => {
      await device.queue.onSubmittedWorkDone();
    },
    dispose: () => void renderer.dispose().finally(release),
  };
}
