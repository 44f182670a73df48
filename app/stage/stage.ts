/**
 * The stage: all views of truth and methods in one canvas, by one renderer. It shows what it is given, draws when something
 * changed and at no other time, and says what it drew, so that titles and readouts can be placed over it. No interface framework.
 */
import type { CrossSection, GridPoint } from '../document/views/view-state.ts';
import { prepareColourMaps } from '../fields/colours.ts';
import { readerFor } from '../document/values/plane-readers.ts';
import { askerOf, createDrawLoop, type Asker, type Movement, createDrawPace } from './draw-loop.ts';
import { createBasinViews, type BasinViews } from './basin-views.ts';
import { createCameraRig, type CameraMovement } from './camera-rig.ts';
import { orbit, pan, zoom, type CameraKind, type CameraPlacement } from '../document/views/cameras.ts';
import { attachHand } from './hand.ts';
import type { Leg } from './passage.ts';
import { nextTask } from '../page/render-pace.ts';
import type { ViewSize } from './framing.ts';
import { openRenderer, type RendererOptions } from './renderer.ts';
import { createSnapshotNumbers, type SnapshotNumbers } from './snapshot-numbers.ts';
import type { DrawnFrame, ScreenPoint, StageListeners, StageModel } from './stage-model.ts';

export interface Stage {
  /** Shows this from the next frame on. */
  set(model: StageModel): void;
  /** The canvas has another size, CSS pixels. */
  resize(width: number, height: number): void;
  /** Sets out for a place of the cameras, or for where they were once. @param milliseconds until they are there; 0 where motion is to be reduced */
  moveCameras(to: CameraKind | CameraPlacement, milliseconds: number): void;
  cameras(): CameraPlacement;
  /** Whether the processor is at work on the run now: what it draws as well is drawn seldom meanwhile. */
  setComputing(computing: boolean): void;
  /**
   * Draws with `ratio` pixels for each CSS pixel and hands the canvas over before the next frame.
   * @param now of what moves, ms
   */
  capture<T>(ratio: number, take: (canvas: HTMLCanvasElement, frame: DrawnFrame) => T, now?: number): T;
  /** From now on pictures have this size, CSS pixels, and nothing is drawn on screen; undefined: as before. */
  hold(size: ViewSize | undefined): void;
  readonly canvas: HTMLCanvasElement;
  /** Whether the processor draws. */
  readonly inSoftware: boolean;
  dispose(): void;
}

/** Larger basins take too long to be drawn finer than the screen by the processor. */
const MOST_CELLS_SUPERSAMPLED = 2 ** 14;

/** @returns the index on an axis of n cells: round again where it is periodic, else no farther than its ends */
function along(index: number, n: number, periodic: boolean): number {
  return periodic ? ((index % n) + n) % n : Math.min(n - 1, Math.max(0, index));
}

/**
 * @param canvas that nothing else draws on; make a new one for a new stage
 * @throws WebGpuStageError if only WebGL 2 can draw, on a new canvas; NoStageError if nothing can
 */
export async function createStage(
  canvas: HTMLCanvasElement,
  options: RendererOptions & StageListeners,
): Promise<Stage> {
  // In this task, and not in that of the first picture.
  prepareColourMaps();
  const opened = await openRenderer(canvas, options);
  const { renderer } = opened;
  // Planes are on the run's device, or in memory whatever draws them.
  const reader = readerFor(options.device);
  const rig = createCameraRig();
  let model: StageModel | undefined;
  let views: BasinViews | undefined;
  /** Builds the shaders of the views now. */
  let preparing: Promise<void> | undefined;
  /** Numbers of the run on screen: they outlive the views where a run that was lost continues. */
  let seen: SnapshotNumbers | undefined;
  let leg: Leg | undefined;
  /** Something else than the water is to be drawn. */
  let isNews = true;
  let size = { width: Math.max(1, canvas.clientWidth), height: Math.max(1, canvas.clientHeight) };
  /** The size of pictures while nothing is drawn on screen. */
  let held: ViewSize | undefined;
  let cursor: GridPoint | undefined;
  let cutFrom: GridPoint | undefined;
  let drawnCut: CrossSection | undefined;
  let disposed = false;

  /** The window that the canvas is in. */
  const page = canvas.ownerDocument.defaultView ?? globalThis;
  const advanceCameras = (now: number): CameraMovement => {
    const { targetX: x, targetZ: z } = rig.placement().common;
    return rig.advance(now, model?.followsWave === true ? views?.wave({ x, z }) : undefined);
  };
  const prepare = async (of: BasinViews): Promise<void> => {
    await nextTask();
    if (views !== of) return;
    // What cannot be built now is built, or fails, as it is drawn.
    await of.prepare(renderer, rig).catch(() => undefined);
    if (views !== of) return;
    // A field may have been chosen meanwhile.
    preparing = of.isPrepared ? undefined : prepare(of);
    loop.request('run');
  };
  const draw = (resolution: number, now: number): Movement | undefined => {
    if (!model || !views?.isPrepared || held) return undefined;
    const cameras = advanceCameras(now);
    const turns = cameras !== 'none';
    const ratio = page.devicePixelRatio * resolution;
    if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio);
    const frame = views.draw(renderer, rig, now);
    // Words over the water need not be set again for each of its movements.
    if (isNews || turns) options.onDraw(frame);
    isNews = turns;
    if (leg !== views.moment.leg) {
      ({ leg } = views.moment);
      options.onLeg(leg);
    }
    if (cameras === 'sent') return 'hurried';
    if (cameras === 'roaming') return 'unhurried';
    return model.transit !== undefined && leg !== 'analysis' ? 'unhurried' : 'none';
  };
  // Without smoothed edges a picture that rests is drawn finer, and the screen averages it; fine screens need it not.
  const isFine = (): boolean =>
    !opened.inSoftware ||
    page.devicePixelRatio >= 2 ||
    (model !== undefined && model.basin.nx * model.basin.ny > MOST_CELLS_SUPERSAMPLED);
  const loop = createDrawLoop(draw, () => opened.settled(), {
    view: page,
    finest: () => (isFine() ? 1 : 2),
    onStill: (still) => canvas.toggleAttribute('data-still', still),
    ...(opened.inSoftware && { pace: createDrawPace() }),
  });

  const refresh = (by: Asker): void => {
    if (!model || !views) return;
    const { width, height } = held ?? size;
    views.update(model, width, height);
    isNews = true;
    loop.request(by);
    if (!views.isPrepared) preparing ??= prepare(views);
  };
  const pick = (at: ScreenPoint): GridPoint | undefined => views?.pick(at);
  const steer = (at: ScreenPoint, change: Parameters<typeof rig.change>[1]): void => {
    const view = views?.viewAt(at);
    if (!view) return;
    rig.change(view.key, change);
    options.onSteer();
    isNews = true;
    loop.request('hand');
  };
  const moveCursor = (next: GridPoint | undefined): void => {
    cursor = next;
    options.onHover(next);
  };

  const detachHand = attachHand(canvas, options.held, {
    onOrbit: (at, right, down) =>
      steer(at, (state) => orbit(state, right, down, views?.viewAt(at)?.rect.height ?? size.height)),
    onPan(at, right, down) {
      const view = views?.viewAt(at);
      if (view && views) steer(at, views.panning(view, right, down, pan));
    },
    onZoom: (at, factor) => steer(at, (state) => zoom(state, factor)),
    onHover: (at) => moveCursor(at ? pick(at) : undefined),
    onClick(at) {
      const cell = pick(at);
      if (cell) options.onPin(cell, views?.pickStem(at));
    },
    onCut(from, to, done) {
      const [a, b] = [pick(from), pick(to)];
      if (a && b && (a.x !== b.x || a.y !== b.y)) drawnCut = { from: a, to: b };
      // The strip that shows it takes its room when the drag has ended: until then the views stay as they are.
      if (done && drawnCut) options.onSection(drawnCut);
      if (done) drawnCut = undefined;
      options.onCutting(drawnCut);
    },
    onCutGivenUp() {
      drawnCut = undefined;
      options.onCutting(undefined);
    },
    onCursor(east, north) {
      if (!model) return;
      const { nx, ny, periodicX, periodicY } = model.basin;
      const from = cursor ?? { x: Math.floor(nx / 2), y: Math.floor(ny / 2) };
      moveCursor({ x: along(from.x + east, nx, periodicX), y: along(from.y + north, ny, periodicY) });
      if (cutFrom && cursor) options.onCutting({ from: cutFrom, to: cursor });
      if (options.held() === 'tool' && cursor) options.onTool({ kind: 'cursor', cell: cursor });
    },
    onCursorPin() {
      if (cursor) options.onPin(cursor, undefined);
    },
    onCursorCut() {
      if (cutFrom && cursor) options.onSection({ from: cutFrom, to: cursor });
      cutFrom = cutFrom ? undefined : cursor;
      options.onCutting(undefined);
    },
    onEscape() {
      if (options.held() === 'tool') {
        options.onTool({ kind: 'leave' });
        return;
      }
      cutFrom = undefined;
      drawnCut = undefined;
      options.onCutting(undefined);
      options.onSection(undefined);
      options.onEscape();
    },
    onToolDown(at, erases) {
      const cell = pick(at);
      if (!cell) return false;
      moveCursor(cell);
      options.onTool({ kind: 'down', cell, erases, subject: views?.viewAt(at)?.subject });
      return true;
    },
    onToolMove(at) {
      const cell = pick(at);
      if (!cell) return;
      moveCursor(cell);
      options.onTool({ kind: 'move', cell });
    },
    onToolUp: () => options.onTool({ kind: 'up' }),
    onToolGivenUp: () => options.onTool({ kind: 'give-up' }),
    onToolPress(erases) {
      if (cursor) options.onTool({ kind: erases ? 'erase' : 'press', cell: cursor });
    },
    onToolResize: (by) => options.onTool({ kind: 'resize', by }),
  });

  void opened.lost.then((message) => {
    if (!disposed) options.onLost(message);
  });

  return {
    canvas,
    inSoftware: opened.inSoftware,
    set(next) {
      if (views && model?.basin !== next.basin) {
        views.dispose();
        views = undefined;
        preparing = undefined;
      }
      if (model?.run !== next.run) seen = undefined;
      seen ??= createSnapshotNumbers(next.basin);
      views ??= createBasinViews(next.basin, opened.device, reader, seen, opened.inSoftware, () => refresh('run'));
      const by = askerOf(model, next);
      model = next;
      rig.link(next.camerasLinked);
      if (next.reducedMotion) rig.rest();
      refresh(by);
    },
    resize(width, height) {
      size = { width: Math.max(1, width), height: Math.max(1, height) };
      if (held) return;
      renderer.setSize(size.width, size.height, false);
      refresh(leg ? 'hand' : 'run');
    },
    moveCameras(to, milliseconds) {
      rig.goTo(to, milliseconds, performance.now());
      isNews = true;
      loop.request('hand');
    },
    cameras: () => rig.placement(),
    setComputing: (computing) => loop.setComputing(computing),
    capture(ratio, take, now = performance.now()) {
      if (!views) throw new Error('the stage shows nothing yet');
      const before = renderer.getPixelRatio();
      if (before !== ratio) renderer.setPixelRatio(ratio);
      try {
        // On screen they move on by themselves.
        if (held) advanceCameras(now);
        const frame = views.draw(renderer, rig, now);
        ({ leg } = views.moment);
        options.onLeg(leg);
        return take(canvas, frame);
      } finally {
        if (!held) {
          renderer.setPixelRatio(before);
          loop.request('hand');
        }
      }
    },
    hold(next) {
      held = next;
      canvas.toggleAttribute('data-held-size', next !== undefined);
      const { width, height } = next ?? size;
      renderer.setSize(width, height, false);
      refresh('hand');
    },
    dispose() {
      disposed = true;
      loop.dispose();
      detachHand();
      views?.dispose();
      opened.dispose();
    },
  };
}
