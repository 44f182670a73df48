/**
 * A canvas for three's renderer if there is no page: it draws into a texture of the device, which can be read back. Only what
 * the renderer asks of a canvas is there, and of a page the clock that it counts frames with.
 */

/** Format of the textures that represent the screen. */
const FORMAT = 'bgra8unorm';
const BYTES_PER_PIXEL = 4;
/** Rows of a buffer that a texture is copied to begin at multiples of this, in bytes. */
const ROW_ALIGNMENT = 256;
const FRAME_MILLISECONDS = 16;

const nothing = (): void => undefined;

export interface TextureCanvas {
  /** As three takes it. */
  readonly element: HTMLCanvasElement;
  /** @returns red, green, blue of each pixel, 0 to 255, row by row from the top */
  read(): Promise<Uint8Array>;
  dispose(): void;
}

/** What the renderer looks for in a page, made once in a process. */
function furnish(): void {
  const page = globalThis as unknown as Record<string, unknown>;
  page['self'] ??= globalThis;
  page['requestAnimationFrame'] ??= (callback: (now: number) => void) =>
    setTimeout(() => callback(performance.now()), FRAME_MILLISECONDS);
  page['cancelAnimationFrame'] ??= (timer: NodeJS.Timeout) => clearTimeout(timer);
  page['devicePixelRatio'] ??= 1;
  // The renderer asks it for the format of a screen, and takes its device from us.
  page['navigator'] ??= {};
  const navigator = page['navigator'] as Record<string, unknown>;
  if (navigator['gpu'] === undefined) {
    Object.defineProperty(navigator, 'gpu', { value: { getPreferredCanvasFormat: () => FORMAT }, configurable: true });
  }
}

export function createTextureCanvas(device: GPUDevice, width: number, height: number): TextureCanvas {
  furnish();
  const texture = device.createTexture({
    label: 'stage.canvas',
    size: [width, height],
    format: FORMAT,
    usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
  });
  const context = { configure: nothing, unconfigure: nothing, getCurrentTexture: () => texture };
  const element = {
    width,
    height,
    clientWidth: width,
    clientHeight: height,
    style: {},
    addEventListener: nothing,
    removeEventListener: nothing,
    setAttribute: nothing,
    getContext: (kind: string) => (kind === 'webgpu' ? context : null),
  };
  return {
    element: element as unknown as HTMLCanvasElement,
    async read() {
      const stride = Math.ceil((BYTES_PER_PIXEL * width) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
      const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
      const buffer = device.createBuffer({ label: 'stage.picture', size: stride * height, usage });
      const encoder = device.createCommandEncoder();
      encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: stride }, [width, height]);
      device.queue.submit([encoder.finish()]);
      await buffer.mapAsync(GPUMapMode.READ);
      const drawn = new Uint8Array(buffer.getMappedRange());
      const rgb = new Uint8Array(3 * width * height);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const [from, to] = [y * stride + BYTES_PER_PIXEL * x, 3 * (y * width + x)];
          [rgb[to], rgb[to + 1], rgb[to + 2]] = [drawn[from + 2], drawn[from + 1], drawn[from]];
        }
      }
      buffer.unmap();
      buffer.destroy();
      return rgb;
    },
    dispose: () => texture.destroy(),
  };
}
