/**
 * The stage's own modules drawing into a texture: two cycles of a small twin experiment, on the way from one analysis to the next, in
 * views of the truth and three methods. As in the window a frame is begun when the one before it was drawn.
 */
import { createDevicePlanes, openRunHere, validateScenario } from '../../../../engine/index.ts';
import type {
  WebGpuBackendHandle,
  BasinInfo,
  CycleStates,
  Motion,
  ScenarioInput,
  Snapshot,
} from '../../../../engine/index.ts';
import { createBasinViews } from '../../../stage/basin-views.ts';
import { createCameraRig } from '../../../stage/camera-rig.ts';
import { openDeviceRenderer } from '../../../stage/device-renderer.ts';
import { NO_ROOM } from '../../../stage/framing.ts';
import { createSnapshotNumbers } from '../../../stage/snapshot-numbers.ts';
import type { StageModel } from '../../../stage/stage-model.ts';
import { TRUTH } from '../../../document/views/method-style.ts';
import { transitBetween } from '../../../document/run/history.ts';
import { readerFor } from '../../../document/values/plane-readers.ts';

/** Cells from wall to wall of the basin, whatever its grid: waves look alike on all of them. */
const SIDE_METRES = 64;
const COURANT = 0.65;
const DEPTH_METRES = 1;
const GRAVITY = 9.8;
const STEPS = 24;
/** Few, and methods that cost little on any grid: what is timed is how it is drawn. */
const MEMBERS = 2;
const ITERATIONS = 8;

export interface Water {
  readonly basin: BasinInfo;
  readonly methods: readonly { readonly label: string; readonly members: number; readonly isFreeRun: boolean }[];
  readonly from: Snapshot;
  readonly to: Snapshot;
  /** From the one to the other; frames if there was room for them. */
  readonly motion: Motion;
  dispose(): void;
}

function scenarioOf(cells: number): ScenarioInput {
  const dx = SIDE_METRES / cells;
  const timeStep = (COURANT * dx) / Math.sqrt(GRAVITY * DEPTH_METRES);
  const drops = { kind: 'drops', count: 5, amplitude: [0.05, 0.15], width: SIDE_METRES / 8 } as const;
  const stride = Math.max(1, cells >> 3);
  return {
    version: 3,
    name: 'benchmark-stage',
    seed: 3,
    grid: { nx: cells, ny: cells, dx, dy: dx },
    model: {
      scheme: 'richtmyer',
      timeStep,
      boundary: { x: 'wall', y: 'wall' },
      bathymetry: { kind: 'flat', depth: DEPTH_METRES },
    },
    truth: { initial: { ...drops, amplitude: [...drops.amplitude] } },
    background: { initial: { ...drops, amplitude: [...drops.amplitude] }, members: MEMBERS },
    observations: [
      {
        name: 'gauges',
        network: { kind: 'regular', stride: [stride, stride], offset: [stride >> 1, stride >> 1] },
        errorStandardDeviation: 0.005,
      },
    ],
    methods: [
      { kind: 'free-run' },
      { kind: 'nudging' },
      {
        kind: '3dvar',
        covariance: { kind: 'recursive-filter', length: cells / 32, standardDeviation: { h: 0.05 } },
        minimisation: { tolerance: 1e-2, maxIterations: ITERATIONS },
      },
    ],
    experiment: { cycles: 2, window: STEPS * timeStep },
  };
}

/** Runs the experiment; what it leaves to be drawn stays on the device. @throws what the run fails with */
export async function makeWater(backend: WebGpuBackendHandle, cells: number): Promise<Water> {
  const { scenario } = validateScenario(scenarioOf(cells), 'benchmark-stage');
  const planes = createDevicePlanes(backend);
  const states: CycleStates[] = [];
  const run = openRunHere(
    () => ({ backend, planes }),
    { scenario, files: {}, source: scenario.name, misfit: 'refuse' },
    { observers: [{ states: true, event: (event) => event.type === 'states' && states.push(event) }] },
  );
  const { basin, methods } = await run.ready;
  await run.play();
  const [from, to] = states;
  return {
    basin,
    methods: methods.map(({ label, kind, members }) => ({ label, members, isFreeRun: kind === 'free-run' })),
    from: from.snapshot,
    to: to.snapshot,
    motion: to.motion ?? { cycle: to.snapshot.cycle, surfaces: [] },
    dispose() {
      for (const { snapshot, motion } of states) {
        run.release(snapshot);
        if (motion) run.release(motion);
      }
      run.dispose();
      planes.close();
    },
  };
}

/** Format of the textures that represent the screen. */
const FORMAT = 'bgra8unorm';
const BYTES_PER_PIXEL = 4;
/** Rows of a buffer that a texture is copied to begin at multiples of this, in bytes. */
const ROW_ALIGNMENT = 256;
const FRAME_MILLISECONDS = 16;

const nothing = (): void => undefined;

/**
 * A canvas for three's renderer if there is no page: it draws into a texture of the device, which can be read back. Only what
 * the renderer asks of a canvas is there, and of a page the clock that it counts frames with.
 */
interface TextureCanvas {
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

export interface StageSize {
  /** Cells a side. */
  readonly cells: number;
  /** Views at most: the truth, and a method each. */
  readonly views: number;
  readonly look: StageModel['look'];
  readonly width: number;
  readonly height: number;
}

export interface StageTimes extends StageSize {
  readonly frames: number;
  /** From the beginning of a frame until it was drawn: the least, and the median, ms. */
  readonly least: number;
  readonly median: number;
  readonly framesPerSecond: number;
  /** In which the host was at work on a frame, the median, ms. */
  readonly hostMilliseconds: number;
  /** Red, green, blue of each pixel of the last frame. */
  readonly picture: Uint8Array;
}

export interface StageOptions {
  /** Frames end after that many, or after that time, ms; there are two at least. */
  readonly mostFrames: number;
  readonly mostMilliseconds: number;
  readonly signal: AbortSignal;
}

/** One cycle of the water takes this long in the window at its usual speed. */
const TRANSIT_MILLISECONDS = 2000;
/** Before frames are timed: pipelines are compiled, ranges and heights are read back. */
const WARM_UP_FRAMES = 3;
/** Longest time that numbers of planes are waited for. */
const PATIENCE_MILLISECONDS = 10_000;
/** Where on its way the water is in the picture that is kept: it moves, and no increment is lit. */
const PICTURED_SHARE = 0.6;

function modelOf({ basin, methods, from, to, motion }: Water, { views, look }: StageSize, begun: number): StageModel {
  return {
    run: 1,
    basin,
    snapshot: from,
    isRunning: true,
    transit: transitBetween(from, to, motion, TRANSIT_MILLISECONDS, begun),
    subjects: [{ label: TRUTH, members: 1, isFreeRun: false }, ...methods].slice(0, views),
    fields: ['surface'],
    phase: 'analysis',
    look,
    exaggeration: 'auto',
    rangeMode: 'shared',
    freeRunCounts: false,
    lockedRanges: {},
    camerasLinked: true,
    followsWave: false,
    showsObservations: true,
    showsBathymetry: true,
    theme: 'dark',
    reducedMotion: false,
    room: NO_ROOM,
  };
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** @throws Error where three cannot draw on the device, the signal's reason when it says so */
export async function timeStage(
  backend: WebGpuBackendHandle,
  size: StageSize,
  { mostFrames, mostMilliseconds, signal }: StageOptions,
): Promise<StageTimes> {
  const { cells, width, height } = size;
  const { device } = backend;
  const water = await makeWater(backend, cells);
  signal.throwIfAborted();
  const canvas = createTextureCanvas(device, width, height);
  const opened = await openDeviceRenderer(canvas.element, device);
  const { renderer, inSoftware } = opened;
  renderer.setSize(width, height, false);
  const rig = createCameraRig();
  let arrive: (() => void) | undefined;
  const seen = createSnapshotNumbers(water.basin);
  const views = createBasinViews(water.basin, device, readerFor(device), seen, inSoftware, () => arrive?.());
  try {
    const begun = performance.now();
    const model = modelOf(water, size, begun);
    /** Ranges and heights are those of the water once its numbers are here. */
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
      setTimeout(resolve, PATIENCE_MILLISECONDS).unref();
    });
    views.update(model, width, height);
    await arrived;
    views.update(model, width, height);

    const times: number[] = [];
    const hostTimes: number[] = [];
    /** @param share of the way from one analysis to the next */
    const frame = async (share: number): Promise<void> => {
      signal.throwIfAborted();
      const start = performance.now();
      views.draw(renderer, rig, begun + share * TRANSIT_MILLISECONDS);
      hostTimes.push(performance.now() - start);
      await opened.settled();
      times.push(performance.now() - start);
    };
    for (let n = 0; n < WARM_UP_FRAMES; n++) await frame(n / WARM_UP_FRAMES);
    times.length = 0;
    hostTimes.length = 0;
    const start = performance.now();
    while (times.length < 2 || (times.length < mostFrames && performance.now() - start < mostMilliseconds)) {
      await frame((times.length % mostFrames) / mostFrames);
    }
    const [frames, elapsed] = [times.length, performance.now() - start];
    const shown = views.draw(renderer, rig, begun + PICTURED_SHARE * TRANSIT_MILLISECONDS);
    await opened.settled();
    return {
      ...size,
      views: shown.views.length,
      frames,
      least: Math.min(...times),
      median: middle(times),
      framesPerSecond: (1000 * frames) / elapsed,
      hostMilliseconds: middle(hostTimes),
      picture: await canvas.read(),
    };
  } finally {
    views.dispose();
    opened.dispose();
    canvas.dispose();
    water.dispose();
  }
}
