import { expect, test } from 'vitest';
import { createDrawPace, UNPACED } from '../../../app/stage/draw-pace.ts';

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
