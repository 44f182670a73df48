/** With what the stage draws, and what it says if nothing can draw. */
import { afterEach, expect, it, vi } from 'vitest';
import { openRenderer } from '../../../app/stage/renderer.ts';
import { NoStageError, WebGpuStageError } from '../../../app/stage/stage-model.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page whose canvases have no context. */
function pageWithoutWebGl(): HTMLCanvasElement {
  const canvas = { getContext: () => null } as unknown as HTMLCanvasElement;
  vi.stubGlobal('document', { createElement: () => canvas });
  vi.stubGlobal('navigator', {});
  return canvas;
}

it('says in its own words that neither WebGPU nor WebGL 2 is there', async () => {
  const canvas = pageWithoutWebGl();
  await expect(openRenderer(canvas, {})).rejects.toThrow(NoStageError);
  await expect(openRenderer(canvas, {})).rejects.toThrow(/^The stage cannot be drawn, because .* neither WebGPU nor/);
});

it('says the same if WebGL 2 is there and the renderer cannot begin with it', async () => {
  const canvas = pageWithoutWebGl();
  const probe = { getExtension: () => null };
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => probe }) });
  await expect(openRenderer(canvas, {})).rejects.toThrow(NoStageError);
});

it('asks for another canvas, for WebGL 2, if the renderer cannot begin on the engine’s device', async () => {
  const canvas = pageWithoutWebGl();
  const device = { label: 'of a browser without what the renderer needs', destroy: vi.fn<() => void>() };
  await expect(openRenderer(canvas, { device: device as unknown as GPUDevice })).rejects.toThrow(WebGpuStageError);
  // It is the engine's.
  expect(device.destroy).not.toHaveBeenCalled();
  await expect(openRenderer(canvas, { device: device as unknown as GPUDevice, forceWebGL: true })).rejects.toThrow(
    NoStageError,
  );
});

it('releases a device of its own that the renderer cannot begin on', async () => {
  const canvas = pageWithoutWebGl();
  const device = { label: 'stage', destroy: vi.fn<() => void>() };
  vi.stubGlobal('navigator', { gpu: { requestAdapter: async () => ({ requestDevice: async () => device }) } });
  await expect(openRenderer(canvas, {})).rejects.toThrow(WebGpuStageError);
  expect(device.destroy).toHaveBeenCalledOnce();
});
