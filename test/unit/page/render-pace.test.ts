import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRenderPace, whenDrawn } from '../../../app/page/render-pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

function pacedWindow(isBusy: boolean) {
  const window = { isBusy, renders: 0 };
  let dirty = false;
  const pace = createRenderPace(() => window.isBusy);
  /** As Preact asks: once, until it was rendered. */
  const change = (): void => {
    if (dirty) return;
    dirty = true;
    pace.schedule(() => {
      dirty = false;
      window.renders += 1;
    });
  };
  return { window, change, touch: () => pace.touch() };
}

test('a window that is not busy is rendered at once', async () => {
  const { window, change } = pacedWindow(false);
  for (let k = 0; k < 10; k++) {
    change();
    await pass(1);
  }
  expect(window.renders).toBe(10);
});

test('a busy one is rendered four times a second, and after the last change', async () => {
  const { window, change } = pacedWindow(true);
  for (let k = 0; k < 100; k++) {
    change();
    await pass(10);
  }
  // At 0, 250, … 1000 ms.
  expect(window.renders).toBe(5);
  change();
  await pass(250);
  expect(window.renders).toBe(6);
  await pass(1000);
  expect(window.renders).toBe(6);
});

test('the first change after a while is shown at once', async () => {
  const { window, change } = pacedWindow(true);
  change();
  await pass(1000);
  change();
  await pass(0);
  expect(window.renders).toBe(2);
});

test('what waits is not shown between the listeners of what a user does', async () => {
  const { window, change, touch } = pacedWindow(true);
  change();
  await pass(10);
  change();
  touch();
  // As microtasks run after the first listener of an event, and before the next.
  await Promise.resolve();
  expect(window.renders).toBe(1);
  await pass(0);
  expect(window.renders).toBe(2);
});

test('what waits is shown when a user does something, and so is the answer', async () => {
  const { window, change, touch } = pacedWindow(true);
  change();
  await pass(10);
  change();
  await pass(10);
  expect(window.renders).toBe(1);
  touch();
  await pass(0);
  expect(window.renders).toBe(2);
  for (let k = 0; k < 5; k++) {
    change();
    await pass(20);
  }
  expect(window.renders).toBe(7);
});

test('what is drawn late is used once it is there, what is not wanted any more never', async () => {
  let drawn: string | undefined;
  let isWanted = true;
  const used: string[] = [];
  const look = (): void =>
    whenDrawn(
      (isLast) => drawn ?? (isLast ? 'instead' : undefined),
      (found) => used.push(found),
      () => isWanted,
    );
  look();
  await pass(1000);
  expect(used).toEqual([]);
  drawn = 'panel';
  await pass(1000);
  expect(used).toEqual(['panel']);
  drawn = undefined;
  look();
  await pass(10_000);
  expect(used).toEqual(['panel', 'instead']);
  look();
  await pass(1000);
  isWanted = false;
  await pass(10_000);
  expect(used).toEqual(['panel', 'instead']);
});
