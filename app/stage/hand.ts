/**
 * What hands do on the canvas: mouse, touch and keyboard become orbit, pan, zoom, hover, pin and cut, and what a tool does that
 * is held. Whatever dragging does, keys do as well: a crosshair moved by the arrows pins, cuts and paints where it is.
 */
import type { Held, ScreenPoint } from './stage-model.ts';

export interface HandListeners {
  readonly onOrbit: (at: ScreenPoint, right: number, down: number) => void;
  readonly onPan: (at: ScreenPoint, right: number, down: number) => void;
  readonly onZoom: (at: ScreenPoint, factor: number) => void;
  readonly onHover: (at: ScreenPoint | undefined) => void;
  readonly onClick: (at: ScreenPoint) => void;
  /** A cut is being dragged from one point to another; `done` when it was released. */
  readonly onCut: (from: ScreenPoint, to: ScreenPoint, done: boolean) => void;
  /** The cut that was being dragged is none. */
  readonly onCutGivenUp: () => void;
  /** The crosshair goes that many cells. */
  readonly onCursor: (east: number, north: number) => void;
  readonly onCursorPin: () => void;
  /** Begins a cut at the crosshair, or ends the one that was begun. */
  readonly onCursorCut: () => void;
  readonly onEscape: () => void;
  /** The tool comes down. @returns whether there is anything under it: otherwise the drag is the camera's */
  readonly onToolDown: (at: ScreenPoint, erases: boolean) => boolean;
  readonly onToolMove: (at: ScreenPoint) => void;
  readonly onToolUp: () => void;
  readonly onToolGivenUp: () => void;
  /** The tool is used at the crosshair, or what is there is erased. */
  readonly onToolPress: (erases: boolean) => void;
  readonly onToolResize: (by: 1 | -1) => void;
}

/** Pixels that a pointer may move and still click. */
const CLICK_REACH = 4;
/** One key press orbits and pans as a hand's movement of that many pixels would. */
const KEY_PIXELS = 24;
const KEY_ZOOM = 1.15;
const CURSOR_LEAP = 10;

interface Touch {
  readonly from: ScreenPoint;
  at: ScreenPoint;
}

type Gesture = 'orbit' | 'pan' | 'cut' | 'tool';

/** Buttons of a pointer: the right one of a mouse, and the eraser of a pen. */
const RIGHT = 2;
const ERASER = 5;

function middle(points: readonly ScreenPoint[]): ScreenPoint {
  const sum = points.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

function spanOf(points: readonly ScreenPoint[]): number {
  const [a, b] = points;
  return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
}

/** @param held what a plain drag does now @returns what takes the hands off again */
export function attachHand(canvas: HTMLCanvasElement, held: () => Held, listeners: HandListeners): () => void {
  const touches = new Map<number, Touch>();
  let gesture: Gesture = 'orbit';
  let moved = false;

  const pointOf = (event: MouseEvent): ScreenPoint => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const centre = (): ScreenPoint => ({ x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 });

  const onDown = (event: PointerEvent): void => {
    canvas.setPointerCapture(event.pointerId);
    const at = pointOf(event);
    touches.set(event.pointerId, { from: at, at });
    moved = touches.size > 1;
    if (moved) giveUp();
    gesture = moved ? 'pan' : begun(event, at);
  };
  const giveUp = (): void => {
    if (gesture === 'cut') listeners.onCutGivenUp();
    else if (gesture === 'tool') listeners.onToolGivenUp();
  };
  /** What a drag does that begins there. */
  const begun = ({ button, shiftKey, ctrlKey, metaKey }: PointerEvent, at: ScreenPoint): Gesture => {
    const isPlain = button === 0 && !ctrlKey && !metaKey;
    if (shiftKey || (held() === 'cut' && button === 0)) return 'cut';
    if (held() !== 'tool') return isPlain ? 'orbit' : 'pan';
    if ((isPlain || button === ERASER) && listeners.onToolDown(at, button === ERASER)) return 'tool';
    return isPlain || button === RIGHT ? 'orbit' : 'pan';
  };
  const onTwo = (touch: Touch, at: ScreenPoint): void => {
    const before = [...touches.values()].map((each) => each.at);
    touch.at = at;
    const after = [...touches.values()].map((each) => each.at);
    const [from, to] = [middle(before), middle(after)];
    listeners.onPan(to, to.x - from.x, to.y - from.y);
    if (spanOf(before) > 0) listeners.onZoom(to, spanOf(after) / spanOf(before));
  };
  const onMove = (event: PointerEvent): void => {
    const at = pointOf(event);
    const touch = touches.get(event.pointerId);
    if (!touch) {
      listeners.onHover(at);
      return;
    }
    if (touches.size > 1) {
      onTwo(touch, at);
      return;
    }
    moved ||= Math.hypot(at.x - touch.from.x, at.y - touch.from.y) > CLICK_REACH;
    const [right, down] = [at.x - touch.at.x, at.y - touch.at.y];
    touch.at = at;
    if (!moved) return;
    if (gesture === 'cut') listeners.onCut(touch.from, at, false);
    else if (gesture === 'tool') listeners.onToolMove(at);
    else if (gesture === 'orbit') listeners.onOrbit(touch.from, right, down);
    else listeners.onPan(touch.from, right, down);
  };
  const onUp = (event: PointerEvent): void => {
    const touch = touches.get(event.pointerId);
    touches.delete(event.pointerId);
    if (!touch) return;
    const isDone = event.type === 'pointerup';
    if (gesture === 'cut' && moved && isDone) listeners.onCut(touch.from, touch.at, true);
    else if (gesture === 'tool' && isDone) listeners.onToolUp();
    else if (gesture === 'cut' || gesture === 'tool') giveUp();
    else if (gesture === 'orbit' && !moved && isDone && held() !== 'tool') listeners.onClick(touch.at);
    if (touches.size === 0) gesture = 'orbit';
  };
  const onLeave = (): void => listeners.onHover(undefined);
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    listeners.onZoom(pointOf(event), Math.exp(-0.0015 * lines * event.deltaY));
  };

  const arrow = (event: KeyboardEvent, east: number, north: number): void => {
    if (event.ctrlKey || event.metaKey) {
      listeners.onOrbit(centre(), -east * KEY_PIXELS, north * KEY_PIXELS);
    } else if (event.altKey) {
      listeners.onPan(centre(), -east * KEY_PIXELS, north * KEY_PIXELS);
    } else {
      const leap = event.shiftKey ? CURSOR_LEAP : 1;
      listeners.onCursor(east * leap, north * leap);
    }
  };
  const arrows: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  const keys: Readonly<Record<string, () => void>> = {
    PageUp: () => listeners.onZoom(centre(), KEY_ZOOM),
    PageDown: () => listeners.onZoom(centre(), 1 / KEY_ZOOM),
    Enter: () => (held() === 'tool' ? listeners.onToolPress(false) : listeners.onCursorPin()),
    c: () => listeners.onCursorCut(),
    Escape: () => {
      touches.clear();
      listeners.onEscape();
    },
  };
  const toolKeys: Readonly<Record<string, () => void>> = {
    Delete: () => listeners.onToolPress(true),
    Backspace: () => listeners.onToolPress(true),
    '+': () => listeners.onToolResize(1),
    '=': () => listeners.onToolResize(1),
    '-': () => listeners.onToolResize(-1),
  };
  const onKey = (event: KeyboardEvent): void => {
    const known = held() === 'tool' ? { ...keys, ...toolKeys } : keys;
    if (Object.hasOwn(arrows, event.key)) {
      arrow(event, ...arrows[event.key]);
    } else if (Object.hasOwn(known, event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      known[event.key]();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const undo: (() => void)[] = [];
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
  ): void => {
    canvas.addEventListener(type, listener, { passive: false });
    undo.push(() => canvas.removeEventListener(type, listener));
  };
  on('pointerdown', onDown);
  on('pointermove', onMove);
  on('pointerup', onUp);
  on('pointercancel', onUp);
  on('pointerleave', onLeave);
  on('wheel', onWheel);
  on('contextmenu', (event) => event.preventDefault());
  on('keydown', onKey);
  return () => {
    for (const each of undo) each();
  };
}
