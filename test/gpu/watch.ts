/** Functions that run in the page: they take down what it does, for the figures. */

export interface Watched {
  /** When the first cycle was on screen, ms since the page was asked for. */
  firstCycle: number;
  /** Cycles that came to the screen. */
  cycles: number;
  /** Tasks of 50 ms and more, in their order; ms. */
  readonly tasks: { readonly begin: number; readonly duration: number }[];
}

/** Runs before everything else in the page. */
export function watch(): void {
  const watched: Watched = { firstCycle: Number.NaN, cycles: 0, tasks: [] };
  Object.assign(globalThis, { watched });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) watched.tasks.push({ begin: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  let cycle = '';
  const look = (): void => {
    const slider = document.querySelector('[role=slider][aria-label="Cycle on screen"]');
    const now = slider?.getAttribute('aria-valuenow') ?? '';
    if (now !== cycle && Number(now) >= 0 && now !== '') {
      cycle = now;
      watched.cycles += 1;
      if (Number.isNaN(watched.firstCycle)) watched.firstCycle = performance.now();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Runs in the page. @returns the time of each picture for so long, ms */
export function framesFor(milliseconds: number): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const frames: number[] = [];
    const begun = performance.now();
    let last = begun;
    const next = (): void => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      if (now - begun >= milliseconds) resolve(frames);
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}
