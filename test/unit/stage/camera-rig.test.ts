import { expect, test } from 'vitest';
import { createCameraRig } from '../../../app/stage/camera-rig.ts';
import { EASE_MILLISECONDS, presetCamera, zoom } from '../../../app/document/views/cameras.ts';

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
  rig.goTo('top', true, 1000);
  expect(rig.of('a')).toEqual(presetCamera('perspective'));
  expect(rig.advance(1000 + EASE_MILLISECONDS / 2)).toBe(true);
  expect(rig.of('a').elevation).toBeGreaterThan(presetCamera('perspective').elevation);
  expect(rig.advance(1000 + EASE_MILLISECONDS)).toBe(false);
  expect(rig.of('a')).toEqual(presetCamera('top'));
  rig.goTo('side', false, 2000);
  expect(rig.of('a')).toEqual(presetCamera('side'));
  expect(rig.advance(2001)).toBe(false);
});

test('a hand on the camera ends its movement', () => {
  const rig = createCameraRig();
  rig.goTo('top', true, 0);
  rig.change('a', (state) => zoom(state, 2));
  expect(rig.advance(50)).toBe(false);
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
  rig.goTo('top', false, 0);
  rig.goTo('perspective', true, 0);
  expect(rig.advance(EASE_MILLISECONDS)).toBe(false);
  expect(rig.of('a').elevation).toBe(0.9);
});

test('cameras are put where they were, free ones each, and linked again', () => {
  const rig = createCameraRig();
  rig.link(false);
  rig.change('a', (state) => zoom(state, 2));
  const placement = rig.placement();
  const other = createCameraRig();
  other.goTo('top', true, 0);
  other.place(placement);
  expect(other.advance(50)).toBe(false);
  // Whoever links or frees them as they are already changes nothing.
  other.link(false);
  expect([other.of('a').distance, other.of('b')]).toEqual([0.5, rig.of('b')]);
  expect(other.placement()).toEqual(placement);
  other.link(true);
  expect(other.of('a')).toEqual(rig.of('b'));
});

test('a camera on its way is where it goes to', () => {
  const rig = createCameraRig();
  rig.goTo('top', true, 0);
  expect(rig.placement()).toEqual({ common: presetCamera('top'), free: new Map() });
});
