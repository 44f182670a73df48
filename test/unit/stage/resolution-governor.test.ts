import { expect, test } from 'vitest';
import { createResolutionGovernor } from '../../../app/stage/draw-loop.ts';

function frames(governor: ReturnType<typeof createResolutionGovernor>, count: number, milliseconds: number): void {
  for (let k = 0; k < count; k++) governor.frame(milliseconds);
}

test('one slow frame changes nothing, several lower the resolution, and never under half', () => {
  const governor = createResolutionGovernor();
  frames(governor, 2, 80);
  expect(governor.scale).toBe(1);
  governor.frame(80);
  expect(governor.scale).toBe(0.75);
  frames(governor, 100, 200);
  expect(governor.scale).toBe(0.5);
});

test('a frame in time between slow ones starts the count again', () => {
  const governor = createResolutionGovernor();
  for (let k = 0; k < 10; k++) {
    frames(governor, 2, 80);
    governor.frame(30);
  }
  expect(governor.scale).toBe(1);
});

test('many quick frames raise it again, up to full', () => {
  const governor = createResolutionGovernor();
  frames(governor, 100, 200);
  frames(governor, 500, 8);
  expect(governor.scale).toBe(1);
});

test('at rest one frame in full is due, and moving again goes back to what was fluent', () => {
  const governor = createResolutionGovernor();
  expect(governor.rest()).toBe(false);
  frames(governor, 3, 100);
  expect(governor.rest()).toBe(true);
  expect(governor.scale).toBe(1);
  expect(governor.rest()).toBe(false);
  expect(governor.wake()).toBe(true);
  expect(governor.scale).toBe(0.75);
  expect(governor.wake()).toBe(false);
});

test('after a longer rest the finest frame is due once, and none of it stays when the picture moves', () => {
  const governor = createResolutionGovernor();
  frames(governor, 3, 100);
  expect(governor.rest(2)).toBe(true);
  expect(governor.scale).toBe(1);
  expect(governor.rest(2)).toBe(true);
  expect(governor.scale).toBe(2);
  expect(governor.rest(2)).toBe(false);
  governor.wake();
  expect(governor.scale).toBe(0.75);
});
