/**
 * When the interface shows what has changed. At once, as a rule; but where the processor draws the window and computes the run too,
 * every new picture of the window costs it as much as a part of a cycle: then what the run brings by itself is shown a few times a
 * second, and user input at once.
 */
import { options, type Component, type VNode } from 'preact';

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** @returns once the page has done what waits: what comes after it is a task of its own */
export function nextTask(): Promise<void> {
  return wait(0);
}

/** The longest that `whenIdle` waits for a page that is never idle, ms. */
const LONGEST_WAIT = 3000;

/** Acts once the page has nothing else to do. WebKit does not say when that is, so it acts late there. */
export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(act, { timeout: LONGEST_WAIT });
  else setTimeout(act, LONGEST_WAIT);
}

/** Between two looks for what is about to be drawn, ms, and how many there are: a busy window draws late. */
const LOOK = 25;
const MOST_LOOKS = 200;

/**
 * Looks for something in the page until it is drawn, and then uses it.
 *
 * @param find gives up where it is the last look
 * @param isWanted whether it still is what the user asked for last
 */
export function whenDrawn<Found>(
  find: (isLast: boolean) => Found | null | undefined,
  use: (found: Found) => void,
  isWanted: () => boolean = () => true,
): void {
  const look = (left: number): void => {
    if (!isWanted()) return;
    const found = find(left === 0);
    if (found) use(found);
    else if (left > 0) setTimeout(look, LOOK, left - 1);
  };
  setTimeout(look, 0, MOST_LOOKS);
}

/** Milliseconds from one picture of a busy window to the next. */
const INTERVAL = 250;
/** What follows on a press, a key or a movement for so long is an answer to it, ms. */
const ANSWER = 250;

const TOUCHES = [
  'pointerdown',
  'pointermove',
  'pointerup',
  'wheel',
  'keydown',
  'keyup',
  'input',
  'change',
  'click',
  'drop',
];

interface RenderPace {
  /** Renders what waits to be: now, or soon. @param render always the same; called again when it was called */
  schedule(render: () => void): void;
  /** The user did something. */
  touch(): void;
}

/**
 * @param isBusy whether the processor has the run to compute, and the window to draw
 * @param now ms
 */
export function createRenderPace(isBusy: () => boolean, now: () => number = () => performance.now()): RenderPace {
  let last = -Infinity;
  let touched = -Infinity;
  let waiting: { readonly render: () => void; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  const renderSoon = (render: () => void): void => {
    last = now();
    queueMicrotask(render);
  };
  const end = (): void => {
    if (!waiting) return;
    const { render, timer } = waiting;
    waiting = undefined;
    clearTimeout(timer);
    renderSoon(render);
  };
  return {
    schedule(render) {
      const left = INTERVAL - (now() - last);
      const isAnswer = now() - touched < ANSWER;
      if (!isBusy() || isAnswer || left <= 0) renderSoon(render);
      else waiting ??= { render, timer: setTimeout(end, left) };
    },
    touch() {
      touched = now();
      if (!waiting) return;
      // In a task of its own. A microtask would run before the listeners to come, and give a field back what it had before the user
      // typed into it.
      clearTimeout(waiting.timer);
      waiting = { ...waiting, timer: setTimeout(end) };
    },
  };
}

/** Reports all user input in a window, before any other listener. */
export function listenForTouches(window: Window, touch: () => void): void {
  for (const type of TOUCHES) window.addEventListener(type, touch, { capture: true, passive: true });
}

/** What Preact 11 calls a virtual node's component and what it rendered, in its build: `mangle.json` of its sources. */
const COMPONENT = '__c';
const CHILDREN = '__k';

interface DrawnNode extends VNode {
  [COMPONENT]?: Component | null;
  [CHILDREN]?: unknown[] | null;
}

/**
 * Lets the virtual nodes of earlier renders be collected, from now on. Preact's other plugins are called as before.
 *
 * Preact keeps the first virtual node of a component that renders by itself, since its parent's `children` hold it, and with that
 * node everything it rendered then. A component that had nothing new to render hands its children on to its next node, so that the
 * earlier tree leads to the next one, and that to the next: a window that shows every cycle of a run would keep every render, with
 * the points of its charts. Here a component's earlier node loses its children as soon as the next one is drawn.
 */
export function releaseRenders(): void {
  const drawn = new WeakMap<Component, DrawnNode>();
  const next = options.diffed?.bind(options);
  options.diffed = (node: DrawnNode) => {
    const component = node[COMPONENT];
    if (component) {
      const earlier = drawn.get(component);
      if (earlier && earlier !== node) earlier[CHILDREN] = null;
      drawn.set(component, node);
    }
    next?.(node);
  };
}
