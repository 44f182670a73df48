import { PerspectiveCamera, Vector3 } from 'three/webgpu';
import { describe, expect, test } from 'vitest';
import {
  between,
  cameraAxes,
  following,
  keyLight,
  sunLight,
  orbit,
  orbiting,
  pan,
  presetCamera,
  zoom,
} from '../../../../app/document/views/cameras.ts';
import {
  FIELD_OF_VIEW,
  NO_ROOM,
  applyCamera,
  clearances,
  fittingElevation,
  frameBox,
} from '../../../../app/stage/framing.ts';

const bounds = { x: 1, y: 0.2, z: 0.7, middle: 0 };

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

test('axes are orthonormal and right-handed', () => {
  for (const preset of ['perspective', 'top', 'side', 'front'] as const) {
    const { right, up, back } = cameraAxes(presetCamera(preset));
    for (const axis of [right, up, back]) expect(dot(axis, axis)).toBeCloseTo(1, 12);
    expect(dot(right, up)).toBeCloseTo(0, 12);
    expect(dot(up, back)).toBeCloseTo(0, 12);
    const cross = [
      right[1] * up[2] - right[2] * up[1],
      right[2] * up[0] - right[0] * up[2],
      right[0] * up[1] - right[1] * up[0],
    ];
    expect(dot(cross, back)).toBeCloseTo(1, 12);
  }
});

test('from the top, north is up and east is right', () => {
  const { right, up } = cameraAxes(presetCamera('top'));
  expect(right[0]).toBeCloseTo(1, 6);
  expect(up[2]).toBeCloseTo(-1, 5);
});

/** The elevation that fits a view of that size without words. */
function elevationFor(width: number, height: number): number {
  return fittingElevation(presetCamera('perspective'), { ...bounds, z: 1 }, [{ width, height }], NO_ROOM);
}

describe('the elevation that fits', () => {
  test('is higher where views are high, lower where they are wide', () => {
    const [high, common, wide] = [elevationFor(400, 600), elevationFor(640, 400), elevationFor(900, 300)];
    expect(high).toBeGreaterThan(common);
    expect(common).toBeGreaterThan(wide);
  });

  test('shows waves and what is behind them, whatever the view', () => {
    for (const elevation of [elevationFor(100, 2000), elevationFor(2000, 100)]) {
      expect(elevation).toBeGreaterThan(0.45);
      expect(elevation).toBeLessThan(0.95);
    }
  });

  test('lets the basin take more of the view than any one elevation for all', () => {
    for (const [width, height] of [
      [400, 500],
      [500, 400],
    ]) {
      const aspect = width / height;
      const distanceFrom = (elevation: number): number =>
        frameBox({ ...presetCamera('perspective'), elevation }, { ...bounds, z: 1 }, aspect).distance;
      const coverage = (elevation: number): number => Math.sin(elevation) / distanceFrom(elevation) ** 2;
      expect(coverage(elevationFor(width, height))).toBeGreaterThanOrEqual(coverage(0.576));
    }
  });
});

describe('framing', () => {
  test.each([0.5, 1, 2.4])('the box just fits at aspect %s', (aspect) => {
    const state = presetCamera('perspective');
    const { distance, middle } = frameBox(state, bounds, aspect);
    const { right, up, back } = cameraAxes(state);
    const tangent = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    let [across, along] = [0, 0];
    for (let k = 0; k < 8; k++) {
      const corner = [k & 1 ? 1 : -1, k & 2 ? 0.2 : -0.2, k & 4 ? 0.7 : -0.7];
      const depth = distance - dot(back, corner);
      across = Math.max(across, Math.abs(dot(right, corner)) / depth / (tangent * aspect));
      along = Math.max(along, Math.abs(dot(up, corner) / depth - middle) / tangent);
    }
    const fill = Math.max(across, along);
    expect(fill).toBeLessThanOrEqual(1);
    expect(fill).toBeGreaterThan(0.95);
  });

  test('what is round is as near from every side, and nearer than a box of its size', () => {
    const square = { ...bounds, z: bounds.x };
    const distanceAt = (azimuth: number, isRound: boolean): number =>
      frameBox({ ...presetCamera('perspective'), azimuth }, { ...square, isRound }, 1).distance;
    for (const azimuth of [0.3, Math.PI / 4, 2]) {
      expect(distanceAt(azimuth, true)).toBeCloseTo(distanceAt(0, false), 4);
      expect(distanceAt(azimuth, true)).toBeLessThan(distanceAt(azimuth, false));
    }
  });

  test('a smaller free share puts it farther away', () => {
    const state = presetCamera('top');
    expect(frameBox(state, bounds, 4, 0.7).distance).toBeGreaterThan(frameBox(state, bounds, 4).distance);
  });
});

describe('words in the corners of a view', () => {
  const size = { width: 400, height: 330 };
  const room = {
    title: { width: 220, height: 72 },
    axes: { width: 56, height: 56 },
    measures: { width: 200, height: 30 },
    bar: { width: 190, height: 48 },
  };

  /** Whether a pixel on the box's surface is within the rectangle; the surface is tried point by point. */
  function touches(
    preset: 'perspective' | 'top' | 'side' | 'front',
    inside: (x: number, y: number) => boolean,
  ): boolean {
    const camera = new PerspectiveCamera();
    applyCamera(camera, presetCamera(preset), bounds, size, room);
    const steps = 40;
    for (let a = 0; a <= steps; a++) {
      for (let b = 0; b <= steps; b++) {
        const [s, t] = [(2 * a) / steps - 1, (2 * b) / steps - 1];
        for (const end of [-1, 1]) {
          for (const place of [
            [s, t, end],
            [s, end, t],
            [end, s, t],
          ]) {
            const at = new Vector3(place[0] * bounds.x, place[1] * bounds.y, place[2] * bounds.z).project(camera);
            if (inside((size.width * (at.x + 1)) / 2, (size.height * (1 - at.y)) / 2)) return true;
          }
        }
      }
    }
    return false;
  }

  test.each(['perspective', 'top', 'side', 'front'] as const)(
    'are clear of the basin, seen at the preset %s',
    (preset) => {
      const { width, height } = size;
      const { title, axes, measures, bar } = room;
      expect(touches(preset, (x, y) => x < title.width - 1 && y < title.height - 1)).toBe(false);
      expect(touches(preset, (x, y) => x < axes.width - 1 && y > height - axes.height + 1)).toBe(false);
      expect(touches(preset, (x, y) => x < measures.width - 1 && y > height - measures.height + 1)).toBe(false);
      expect(touches(preset, (x, y) => x > width - bar.width + 1 && y > height - bar.height + 1)).toBe(false);
      // And the basin takes what they leave.
      expect(touches(preset, (x, y) => Math.hypot(x - width / 2, y - height / 2) < 20)).toBe(true);
    },
  );

  test('have their place beside the basin where the view is wide', () => {
    const wide = { width: 520, height: 240 };
    const state = presetCamera('perspective');
    const words = { ...room, bar: { width: 0, height: 0 } };
    const found = clearances(state, bounds, wide, words);
    expect(found.left).toBeGreaterThan(0);
    const free = 1 - (found.top + found.foot) / wide.height;
    const beside = frameBox(state, bounds, (wide.width - found.left) / wide.height, free);
    // Nearer, and so larger, than with all words above and below it.
    const upright = frameBox(state, bounds, wide.width / wide.height, 1 - (72 + 56) / wide.height);
    expect(beside.distance).toBeLessThan(upright.distance);
  });

  test('take nothing if there are none, and never most of a small view', () => {
    const state = presetCamera('perspective');
    expect(clearances(state, bounds, size, NO_ROOM)).toEqual({ top: 0, foot: 0, left: 0 });
    const { top, foot } = clearances(state, bounds, { width: 100, height: 80 }, room);
    expect(top + foot).toBeLessThanOrEqual(0.6 * 80);
  });
});

describe('movements', () => {
  const state = presetCamera('perspective');

  test('orbit stays above the horizon and below the zenith', () => {
    expect(orbit(state, 0, -10_000, 500).elevation).toBeGreaterThan(0);
    expect(orbit(state, 0, 10_000, 500).elevation).toBeLessThan(Math.PI / 2);
    expect(orbit(state, 250, 0, 500).azimuth).toBeCloseTo(state.azimuth - Math.PI / 2, 12);
  });

  test('zoom is bounded', () => {
    expect(zoom(state, 2).distance).toBeCloseTo(0.5, 12);
    expect(zoom(state, 1e9).distance).toBeGreaterThan(0);
    expect(zoom(state, 1e-9).distance).toBeLessThanOrEqual(3);
  });

  test('from the top, panning moves the ground with the pointer', () => {
    const moved = pan(presetCamera('top'), 10, -20, 0.01, bounds);
    expect(moved.targetX).toBeCloseTo(-0.1, 6);
    expect(moved.targetZ).toBeCloseTo(0.2, 6);
    expect(pan(state, 1e6, 0, 1, bounds).targetX).toBeGreaterThanOrEqual(-bounds.x);
  });

  test('between turns the short way and ends exactly there', () => {
    const { fits: _, ...fixed } = state;
    const from = { ...fixed, azimuth: Math.PI - 0.1 };
    const to = { ...fixed, azimuth: -Math.PI + 0.1, distance: 2 };
    expect(between(from, to, 0)).toEqual(from);
    expect(between(from, to, 1)).toEqual(to);
    expect(Math.abs(between(from, to, 0.5).azimuth - Math.PI)).toBeLessThan(1e-9);
  });

  test.each([
    { name: 'key light', lightOf: keyLight, lowest: 0.5 },
    { name: 'sun, which is low,', lightOf: sunLight, lowest: 0.45 },
  ])('the $name comes from the viewer’s upper left, whichever way they look', ({ lightOf, lowest }) => {
    for (const azimuth of [0, 1, 2.5, -2]) {
      const light = lightOf({ ...state, azimuth });
      const { right } = cameraAxes({ ...state, azimuth });
      expect(light[1]).toBeGreaterThan(lowest);
      expect(light[0] * right[0] + light[2] * right[2]).toBeLessThan(-0.4);
      expect(Math.hypot(...light)).toBeCloseTo(1, 12);
    }
  });
});

describe('a camera that moves by itself', () => {
  const state = presetCamera('wave');
  const wave = { x: 0.6, z: -0.4 };

  test('is after two times where it is after their sum', () => {
    const [once, twice] = [following(state, wave, 3), following(following(state, wave, 1), wave, 2)];
    expect(twice.targetX).toBeCloseTo(once.targetX, 12);
    expect(twice.targetZ).toBeCloseTo(once.targetZ, 12);
    expect(orbiting(orbiting(state, 5), 7).azimuth).toBeCloseTo(orbiting(state, 12).azimuth, 12);
  });

  test.each([0, 0.1, 1, 10, 1000])('never passes its wave: after %d s', (seconds) => {
    const { targetX, targetZ } = following(state, wave, seconds);
    expect(targetX).toBeGreaterThanOrEqual(0);
    expect(targetX).toBeLessThanOrEqual(wave.x);
    expect(targetZ).toBeLessThanOrEqual(0);
    expect(targetZ).toBeGreaterThanOrEqual(wave.z);
  });

  test('turns once in an orbit of 90 s', () => {
    expect(orbiting(state, 90).azimuth).toBeCloseTo(state.azimuth, 12);
    expect(orbiting(state, 45).azimuth - state.azimuth).toBeCloseTo(Math.PI, 12);
  });

  test('disregards words gradually', () => {
    const [from, to] = [presetCamera('perspective'), presetCamera('orbit')];
    expect(between(from, to, 0).roams).toBeUndefined();
    expect(between(from, to, 0.5).roams).toBeCloseTo(0.5, 12);
    expect(between(from, to, 1).roams).toBe(1);
  });
});
