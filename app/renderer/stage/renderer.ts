/**
 * Opens three's renderer on a canvas of the page: on the engine's device where it has one, else on a device of its own, and with
 * WebGL 2 where there is no WebGPU.
 */
import { isSoftware, openDeviceRenderer, startRenderer } from './device-renderer.ts';
import type { OpenedRenderer } from './device-renderer.ts';

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

/** Whether the processor draws what WebGL 2 is asked for. */
function drawsInSoftware(): boolean {
  const probe = document.createElement('canvas').getContext('webgl2');
  const name = probe?.getExtension('WEBGL_debug_renderer_info');
  const found = probe && name ? String(probe.getParameter(name.UNMASKED_RENDERER_WEBGL)) : '';
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return isSoftware(found);
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
  if (device) return openDeviceRenderer(canvas, device, () => device !== given && device.destroy());
  const inSoftware = drawsInSoftware();
  const renderer = await startRenderer(canvas, inSoftware, { forceWebGL: true });
  return {
    renderer,
    device: undefined,
    inSoftware,
    lost: contextLost(canvas),
    settled: async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    },
    dispose: () => void renderer.dispose(),
  };
}
