/**
 * When the interface shows what has changed. At once, as a rule; but where the processor draws the window and computes the run too,
 * every new picture of the window costs it as much as a part of a cycle: then what the run brings by itself is shown a few times a
 * second, and user input at once.
 */

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** @returns once the page has done what waits: what comes after it is a task of its own */
export function nextTask(): Promise<void> {
  return wait(0);
}

/** Between two looks for an element, milliseconds, and how many there are. */
const LOOK = 50;
const MOST_LOOKS = 100;

/** Uses an element as soon as it is drawn: where the page is busy that is not soon after it was asked for. */
export function whenDrawn<Kind extends Element>(
  find: () => Kind | null | undefined,
  use: (found: Kind) => void,
  looks = MOST_LOOKS,
): void {
  const found = find();
  if (found) use(found);
  else if (looks > 0) setTimeout(() => whenDrawn(find, use, looks - 1), LOOK);
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

export interface RenderPace {
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
