/** Frames on a clock of the test's own: when they are drawn, how fine, and who waits for whom. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDrawLoop, type DrawLoop, type Movement, createDrawPace, UNPACED } from '../../../app/stage/draw-loop.ts';

const VSYNC = 16;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('requestAnimationFrame', (callback: (now: number) => void) =>
    setTimeout(() => callback(performance.now()), VSYNC),
  );
  vi.stubGlobal('cancelAnimationFrame', (frame: NodeJS.Timeout) => clearTimeout(frame));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

interface Scene {
  readonly loop: DrawLoop;
  /** When frames were begun, and at which resolution. */
  readonly frames: { readonly at: number; readonly resolution: number }[];
  still: boolean;
  /** What continues after a frame; undefined: there is nothing to draw. */
  movement: Movement | undefined;
  /** That a frame takes, ms. */
  cost: number;
}

function sceneOf({ inSoftware = true, finest = 1 } = {}): Scene {
  const scene: Omit<Scene, 'loop'> = { frames: [], still: false, movement: 'none', cost: 30 };
  const begun = performance.now();
  const loop = createDrawLoop(
    (resolution) => {
      scene.frames.push({ at: performance.now() - begun, resolution });
      return scene.movement;
    },
    () => new Promise((resolve) => setTimeout(resolve, scene.cost)),
    {
      finest: () => finest,
      onStill: (still) => {
        scene.still = still;
      },
      pace: inSoftware ? createDrawPace() : UNPACED,
    },
  );
  return Object.assign(scene, { loop });
}

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

test('several requests before a frame are one, and a frame waits for the one before it', async () => {
  const scene = sceneOf({ inSoftware: false });
  for (let k = 0; k < 5; k++) scene.loop.request('hand');
  await pass(VSYNC);
  scene.loop.request('hand');
  scene.loop.request('run');
  await pass(29);
  expect(scene.frames.length).toBe(1);
  await pass(1 + VSYNC);
  expect(scene.frames.length).toBe(2);
  await pass(10_000);
  expect(scene.frames.length).toBe(2);
  expect(scene.still).toBe(true);
});

test('where a GPU draws, a run that computes holds up no frame', async () => {
  const scene = sceneOf({ inSoftware: false });
  scene.movement = 'unhurried';
  scene.loop.setComputing(true);
  scene.loop.request('run');
  await pass(1000);
  expect(scene.frames.length).toBe(Math.floor((1000 - VSYNC) / (30 + VSYNC)) + 1);
});

test('where the processor draws, moving water takes half of its time beside nothing and a sixth beside a cycle', async () => {
  const scene = sceneOf();
  scene.movement = 'unhurried';
  scene.loop.request('run');
  await pass(3000);
  const beside = scene.frames.length;
  expect(beside).toBe(Math.floor((3000 - VSYNC) / (30 + 30 + VSYNC)) + 1);
  scene.loop.setComputing(true);
  const before = scene.frames.length;
  await pass(3000);
  const computing = scene.frames.length - before;
  expect(computing).toBeGreaterThan(10);
  expect(computing).toBeLessThanOrEqual(Math.ceil(3000 / (30 + 150 + VSYNC)) + 1);
});

test('if there was nothing to draw yet, the first picture is not held up by it', async () => {
  const scene = sceneOf();
  scene.cost = 300;
  scene.movement = undefined;
  scene.loop.request('run');
  await pass(VSYNC);
  scene.movement = 'none';
  scene.loop.request('run');
  await pass(VSYNC);
  expect(scene.frames.map(({ at }) => at)).toEqual([VSYNC, 2 * VSYNC]);
});

test('the pictures that a run brings are thinned, and the last of them is drawn', async () => {
  const scene = sceneOf();
  scene.loop.request('hand');
  await pass(VSYNC + 30);
  scene.loop.setComputing(true);
  for (let cycle = 0; cycle < 30; cycle++) {
    scene.loop.request('run');
    await pass(20);
  }
  const during = scene.frames.length;
  expect(during).toBeLessThanOrEqual(5);
  await pass(200);
  expect(scene.frames.length).toBe(during + 1);
});

test('a hand is answered by the next frame, whatever is owed', async () => {
  const scene = sceneOf();
  scene.cost = 200;
  scene.loop.request('hand');
  await pass(VSYNC + 200);
  scene.loop.setComputing(true);
  scene.loop.request('run');
  await pass(100);
  expect(scene.frames.length).toBe(1);
  scene.loop.request('hand');
  await pass(VSYNC);
  expect(scene.frames.length).toBe(2);
});

test('cameras that a hand has sent do not pause on their way', async () => {
  const scene = sceneOf();
  scene.loop.setComputing(true);
  await pass(1500);
  scene.movement = 'hurried';
  scene.loop.request('hand');
  await pass(VSYNC + 10 * (30 + VSYNC));
  expect(scene.frames.length).toBe(11);
});

test('a picture at rest gets finer step by step, and is still when it is finest', async () => {
  const scene = sceneOf({ finest: 2 });
  scene.cost = 100;
  for (let k = 0; k < 3; k++) {
    scene.loop.request('hand');
    await pass(VSYNC + 100);
  }
  await pass(3000);
  expect(scene.frames.map(({ resolution }) => resolution)).toEqual([1, 1, 1, 1, 2].slice(0, 3).concat(1, 2));
  expect(scene.still).toBe(true);
});

test('beside a cycle nothing finer than in full is drawn; it comes when the cycle is done', async () => {
  const scene = sceneOf({ finest: 2 });
  scene.loop.setComputing(true);
  scene.loop.request('hand');
  await pass(20_000);
  expect(scene.frames.map(({ resolution }) => resolution)).toEqual([1]);
  expect(scene.still).toBe(false);
  scene.loop.setComputing(false);
  await pass(3000);
  expect(scene.frames.map(({ resolution }) => resolution)).toEqual([1, 2]);
  expect(scene.still).toBe(true);
});

test('nothing is drawn after the end', async () => {
  const scene = sceneOf();
  scene.movement = 'unhurried';
  scene.loop.request('run');
  await pass(100);
  const { length } = scene.frames;
  scene.loop.dispose();
  scene.loop.request('hand');
  await pass(5000);
  expect(scene.frames.length).toBe(length);
});

function paced() {
  const clock = { now: 1000 };
  const pace = createDrawPace(() => clock.now);
  /** The first picture, which waits for the first cycle, is behind it. */
  pace.frame(0);
  return { clock, pace };
}

test('beside nothing a pause is as long as the frame before it', () => {
  const { clock, pace } = paced();
  pace.frame(80);
  expect(pace.left()).toBe(80);
  clock.now += 50;
  expect(pace.left()).toBe(30);
  clock.now += 50;
  expect(pace.left()).toBe(0);
});

test('beside a cycle that is computed drawing takes no more than a sixth of the time', () => {
  const { clock, pace } = paced();
  pace.setComputing(true);
  let drawn = 0;
  const begun = clock.now;
  for (let frame = 0; frame < 20; frame++) {
    clock.now += 90;
    drawn += 90;
    pace.frame(90);
    clock.now += pace.left();
    expect(pace.left()).toBe(0);
  }
  expect(drawn / (clock.now - begun)).toBeCloseTo(1 / 6, 10);
});

test('a pause is over sooner when the cycle is done in its midst, and lasts longer when one begins', () => {
  const { clock, pace } = paced();
  pace.setComputing(true);
  pace.frame(100);
  clock.now += 250;
  // Half of the five hundred have passed: half of the hundred are left.
  pace.setComputing(false);
  expect(pace.left()).toBe(50);
  clock.now += 20;
  pace.setComputing(true);
  expect(pace.left()).toBe(150);
});

test('short gaps between cycles do not end a pause', () => {
  const { clock, pace } = paced();
  pace.setComputing(true);
  pace.frame(100);
  const begun = clock.now;
  while (pace.left() > 0) {
    clock.now += Math.min(60, pace.left());
    pace.setComputing(false);
    clock.now += Math.min(4, pace.left());
    pace.setComputing(true);
  }
  // Of each 64 ms 60 pay a fifth: all in all the hundred are paid off at a quarter of the time's pace.
  expect(clock.now - begun).toBeGreaterThan(380);
  expect(clock.now - begun).toBeLessThan(500);
});

test('after a frame for which everything was compiled, the next one does not wait for many times as long', () => {
  const { clock, pace } = paced();
  pace.setComputing(true);
  pace.frame(6000);
  expect(pace.left()).toBe(2000);
  clock.now += 2000;
  expect(pace.left()).toBe(0);
});

test('what a hand asked for in between is not saved up for', () => {
  const { pace } = paced();
  for (let frame = 0; frame < 10; frame++) pace.frame(70);
  expect(pace.left()).toBe(70);
});

test('the first picture comes after the cycle that is being computed, but not much later', () => {
  const clock = { now: 0 };
  const pace = createDrawPace(() => clock.now);
  expect(pace.left()).toBe(0);
  pace.setComputing(true);
  expect(pace.left()).toBe(1500);
  clock.now += 400;
  pace.setComputing(false);
  expect(pace.left()).toBe(0);

  const slow = createDrawPace(() => clock.now);
  slow.setComputing(true);
  clock.now += 1500;
  expect(slow.left()).toBe(0);
});

test('where a GPU draws nothing waits', () => {
  UNPACED.setComputing(true);
  UNPACED.frame(500);
  expect(UNPACED.left()).toBe(0);
  expect(UNPACED.stepsBack).toBe(false);
});
