import { expect, test } from 'vitest';
import { createCameraRig } from '../../../app/stage/camera-rig.ts';
import { presetCamera, zoom } from '../../../app/document/views/cameras.ts';

test('linked cameras move together, free ones alone', () => {
  const rig = createCameraRig();
  rig.change('a', (state) => zoom(state, 2));
  expect(rig.of('b').distance).toBe(0.5);
  rig.link(false);
  rig.change('a', (state) => zoom(state, 2));
  expect([rig.of('a').distance, rig.of('b').distance]).toEqual([0.25, 0.5]);
  rig.link(true);
  expect(rig.of('a').distance).toBe(0.5);
});

test('a preset is reached in its time, and at once where motion is to be reduced', () => {
  const rig = createCameraRig();
  rig.goTo('top', 400, 1000);
  expect(rig.of('a')).toEqual(presetCamera('perspective'));
  expect(rig.advance(1200)).toBe('sent');
  expect(rig.of('a').elevation).toBeGreaterThan(presetCamera('perspective').elevation);
  expect(rig.advance(1400)).toBe('none');
  expect(rig.of('a')).toEqual(presetCamera('top'));
  rig.goTo('side', 0, 2000);
  expect(rig.of('a')).toEqual(presetCamera('side'));
  expect(rig.advance(2001)).toBe('none');
});

test('a hand on the camera ends its movement', () => {
  const rig = createCameraRig();
  rig.goTo('top', 200, 0);
  rig.change('a', (state) => zoom(state, 2));
  expect(rig.advance(50)).toBe('none');
  expect(rig.of('a').elevation).toBe(presetCamera('perspective').elevation);
});

test('a camera that fits itself to its views does so until a hand is on it, and again from its preset', () => {
  const rig = createCameraRig();
  rig.fit(0.8);
  expect(rig.of('a').elevation).toBe(0.8);
  rig.fit(0.5);
  expect(rig.of('a').elevation).toBe(0.5);
  rig.change('a', (state) => zoom(state, 2));
  rig.fit(0.9);
  expect(rig.of('a').elevation).toBe(0.5);
  rig.goTo('top', 0, 0);
  rig.goTo('perspective', 200, 0);
  expect(rig.advance(200)).toBe('none');
  expect(rig.of('a').elevation).toBe(0.9);
});

test('cameras are put where they were, free ones each, and linked again', () => {
  const rig = createCameraRig();
  rig.link(false);
  rig.change('a', (state) => zoom(state, 2));
  const placement = rig.placement();
  const other = createCameraRig();
  other.goTo('top', 200, 0);
  other.goTo(placement, 200, 0);
  expect(other.advance(50)).toBe('none');
  // Whoever links or frees them as they are already changes nothing.
  other.link(false);
  expect([other.of('a').distance, other.of('b')]).toEqual([0.5, rig.of('b')]);
  expect(other.placement()).toEqual(placement);
  other.link(true);
  expect(other.of('a')).toEqual(rig.of('b'));
});

test('a camera on its way is where it goes to', () => {
  const rig = createCameraRig();
  rig.goTo('top', 200, 0);
  expect(rig.placement()).toEqual({ common: presetCamera('top'), free: new Map() });
});

const QUARTER_ORBIT = 90_000 / 4;

/** @returns azimuth after a quarter of an orbit that was drawn in so many frames, radians */
function turned(frames: number): number {
  const rig = createCameraRig();
  rig.change('a', (state) => ({ ...state, azimuth: 0 }));
  rig.goTo('orbit', 200, 0);
  for (let frame = 0; frame <= frames; frame++) rig.advance(200 + (frame * QUARTER_ORBIT) / frames);
  return rig.of('a').azimuth;
}

test('an orbit sets out from the side that is looked at, and turns at one speed, however often it is drawn', () => {
  expect(turned(60)).toBeCloseTo(Math.PI / 2, 10);
  expect(turned(97)).toBeCloseTo(turned(60), 10);
});

test('a camera that moves by itself continues from where it was after a pause', () => {
  const rig = createCameraRig();
  rig.goTo('orbit', 200, 0);
  rig.advance(200);
  const before = rig.of('a').azimuth;
  rig.advance(60_200);
  expect(rig.of('a').azimuth - before).toBeCloseTo((2 * Math.PI * 0.5) / 90, 10);
});

test('a camera nears the wave, rests when it is there, and follows it again', () => {
  const rig = createCameraRig();
  const wave = { x: 0.5, z: -0.25 };
  rig.goTo('wave', 200, 0);
  expect(rig.advance(200, wave)).toBe('roaming');
  let now = 200;
  while (rig.advance(now, wave) === 'roaming' && now < 30_000) now += 100;
  expect(now).toBeLessThan(15_000);
  expect(Math.hypot(rig.of('a').targetX - wave.x, rig.of('a').targetZ - wave.z)).toBeLessThan(1e-3);
  // The pause is no step.
  const before = rig.of('a').targetX;
  expect(rig.advance(now + 5000, { x: 0, z: 0 })).toBe('roaming');
  expect(rig.of('a').targetX).toBe(before);
  expect(rig.advance(now + 5100)).toBe('none');
});

test.each(['orbit', 'wave'] as const)('%s does not move where motion is to be reduced', (kind) => {
  const rig = createCameraRig();
  rig.goTo(kind, 0, 0);
  const placed = rig.of('a');
  expect(placed).toEqual({ ...presetCamera(kind), azimuth: presetCamera('perspective').azimuth });
  expect(rig.advance(1000, { x: 1, z: 1 })).toBe('none');
  expect(rig.of('a')).toEqual(placed);
});

test('a camera comes to rest where it was sent when motion is to be reduced meanwhile', () => {
  const rig = createCameraRig();
  rig.goTo('top', 200, 0);
  rig.advance(100);
  rig.rest();
  expect([rig.of('a'), rig.advance(150)]).toEqual([presetCamera('top'), 'none']);
});

test('a hand on the camera ends an orbit', () => {
  const rig = createCameraRig();
  rig.goTo('orbit', 200, 0);
  rig.advance(300);
  rig.change('a', (state) => zoom(state, 2));
  expect(rig.advance(400)).toBe('none');
});
