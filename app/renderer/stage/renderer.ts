/**
 * Opens three's renderer on a canvas: on the engine's device where it has one, else on a device of its own, and with WebGL 2
 * where there is no WebGPU. Materials write screen colours themselves, so no conversion pass stands behind them.
 */
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

export interface RendererOptions {
  /** The engine's device; the renderer does not destroy it. */
  readonly device?: GPUDevice | undefined;
  readonly forceWebGL?: boolean | undefined;
}

/** @returns a device of the stage's own, or undefined where there is no WebGPU */
async function ownDevice(): Promise<GPUDevice | undefined> {
  try {
    const adapter = await globalThis.navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    return await adapter?.requestDevice({ label: 'stage' });
  } catch {
    return undefined;
  }
}

/** Whether the processor draws: every sample of every pixel costs, so edges are not smoothed. */
function drawsInSoftware(device: GPUDevice | undefined): boolean {
  if (device)
    return /swiftshader|llvmpipe|software/i.test(
      `${device.adapterInfo.architecture} ${device.adapterInfo.description}`,
    );
  const probe = document.createElement('canvas').getContext('webgl2');
  const name = probe?.getExtension('WEBGL_debug_renderer_info');
  const found = probe && name ? String(probe.getParameter(name.UNMASKED_RENDERER_WEBGL)) : '';
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(found);
}

function contextLost(canvas: HTMLCanvasElement): Promise<string> {
  return new Promise((resolve) => {
    canvas.addEventListener('webglcontextlost', () => resolve('the WebGL context was lost'), { once: true });
  });
}

/** @throws Error where neither WebGPU nor WebGL 2 can draw */
export async function openRenderer(
  canvas: HTMLCanvasElement,
  { device: given, forceWebGL = false }: RendererOptions,
): Promise<OpenedRenderer> {
  const device = forceWebGL ? undefined : (given ?? (await ownDevice()));
  const inSoftware = drawsInSoftware(device);
  const renderer = new WebGPURenderer({
    canvas,
    antialias: !inSoftware,
    alpha: false,
    ...(device ? { device } : { forceWebGL: true }),
  });
  renderer.outputColorSpace = LinearSRGBColorSpace;
  await renderer.init();
  const lost = device ? device.lost.then(({ message }) => message || 'the GPU device was lost') : contextLost(canvas);
  return {
    renderer,
    device,
    inSoftware,
    lost,
    settled: async () => {
      if (device) await device.queue.onSubmittedWorkDone();
      else await new Promise((resolve) => requestAnimationFrame(resolve));
    },
    dispose() {
      void renderer.dispose().finally(() => {
        if (device !== given) device?.destroy();
      });
    },
  };
}
