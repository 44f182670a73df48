/**
 * Opens three's renderer on a canvas of the page: on the engine's device if it has one, else on a device of its own, and with
 * WebGL 2 if there is no WebGPU or it cannot draw.
 */
import { NoStageError, WebGpuStageError } from './stage-model.ts';
import { isSoftware, openDeviceRenderer, startRenderer, type OpenedRenderer } from './device-renderer.ts';

export interface RendererOptions {
  /** The engine's device; the renderer does not destroy it. */
  readonly device?: GPUDevice | undefined;
  /** Draws with WebGL 2 whatever else there is. */
  readonly forceWebGL?: boolean | undefined;
}

const NOTHING_DRAWS =
  'The stage cannot be drawn, because this browser offers neither WebGPU nor WebGL 2. Turn on hardware acceleration in its settings, or use another browser. The run continues, and its numbers are in the evidence.';

/** @returns a device of the stage's own, or undefined if there is no WebGPU */
async function ownDevice(): Promise<GPUDevice | undefined> {
  try {
    const adapter = await globalThis.navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    return await adapter?.requestDevice({ label: 'stage' });
  } catch {
    return undefined;
  }
}

/** @returns whether the processor draws what WebGL 2 is asked for; undefined if there is no WebGL 2 */
function webGlDrawsInSoftware(): boolean | undefined {
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) return undefined;
  const name = probe.getExtension('WEBGL_debug_renderer_info');
  const found = name ? String(probe.getParameter(name.UNMASKED_RENDERER_WEBGL)) : '';
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return isSoftware(found);
}

function contextLost(canvas: HTMLCanvasElement): Promise<string> {
  return new Promise((resolve) => {
    canvas.addEventListener('webglcontextlost', () => resolve('the WebGL context was lost'), { once: true });
  });
}

async function openWithWebGpu(canvas: HTMLCanvasElement, device: GPUDevice, isOwn: boolean): Promise<OpenedRenderer> {
  try {
    return await openDeviceRenderer(canvas, device, () => isOwn && device.destroy());
  } catch (error) {
    if (isOwn) device.destroy();
    throw new WebGpuStageError('the renderer cannot begin with WebGPU', { cause: error });
  }
}

async function openWithWebGl(canvas: HTMLCanvasElement): Promise<OpenedRenderer> {
  const inSoftware = webGlDrawsInSoftware();
  if (inSoftware === undefined) throw new NoStageError(NOTHING_DRAWS);
  const renderer = await startRenderer(canvas, inSoftware, { forceWebGL: true }).catch((error: unknown) => {
    throw new NoStageError(NOTHING_DRAWS, { cause: error });
  });
  return {
    renderer,
    device: undefined,
    inSoftware,
    lost: contextLost(canvas),
    settled: async () => {
      const view = canvas.ownerDocument.defaultView ?? globalThis;
      await new Promise((resolve) => view.requestAnimationFrame(resolve));
    },
    dispose: () => void renderer.dispose(),
  };
}

/**
 * @throws WebGpuStageError if WebGPU is there but the renderer cannot begin with it
 * @throws NoStageError if neither WebGPU nor WebGL 2 can draw
 */
export async function openRenderer(
  canvas: HTMLCanvasElement,
  { device: given, forceWebGL = false }: RendererOptions,
): Promise<OpenedRenderer> {
  const device = forceWebGL ? undefined : (given ?? (await ownDevice()));
  return device ? openWithWebGpu(canvas, device, device !== given) : openWithWebGl(canvas);
}
