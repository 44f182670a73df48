/** The numbers at the crosshair keep clear of it, of the pointer, and of small views. */
import { describe, expect, it } from 'vitest';
import { bestSpot, placeOfSpot } from '../../../../app/renderer/stage/overlays/readout-spot.ts';
import type { ReadoutPlace } from '../../../../app/renderer/stage/overlays/readout-spot.ts';

/** A large truth at the left, three methods beneath each other at the right, as at 1024 × 700. */
const truth = { x: 0, y: 0, width: 400, height: 500 };
const methods = [0, 167, 334].map((y) => ({ x: 401, y, width: 210, height: 166 }));
const place = {
  stage: { width: 611, height: 500 },
  readout: { width: 300, height: 120 },
  margins: { side: 8, top: 52, bottom: 8 },
  views: [truth, ...methods].map((rect) => ({ rect, crosshair: undefined })),
  pointer: undefined,
};

/** The crosshair at a share of every view. */
function crossed(across: number, down: number) {
  return {
    ...place,
    views: place.views.map(({ rect }) => ({
      rect,
      crosshair: { x: rect.x + across * rect.width, y: rect.y + down * rect.height },
    })),
  };
}

/** Where the numbers go from their first spot, at the upper right. */
function spotOf(given: ReadoutPlace) {
  return placeOfSpot(bestSpot(given, 0), given);
}

describe('the numbers at the crosshair', () => {
  it('stand over the large view, not over a small one', () => {
    expect(spotOf(place).left).toBe(8);
  });

  it('leave the crosshair free', () => {
    expect(spotOf(crossed(0.3, 0.25))).toEqual({ left: 8, top: 372 });
    expect(spotOf(crossed(0.3, 0.9))).toEqual({ left: 8, top: 52 });
  });

  it('stand between the views where each corner would hide a crosshair', () => {
    const [width, height] = [302, 257];
    const even = [0, 303].flatMap((x) => [0, 258].map((y) => ({ rect: { x, y, width, height } })));
    const views = even.map(({ rect }) => ({ rect, crosshair: { x: rect.x + 170, y: rect.y + 110 } }));
    const given = { ...place, stage: { width: 605, height: 515 }, readout: { width: 350, height: 128 }, views };
    const { left, top } = spotOf(given);
    for (const { crosshair } of views) {
      const isUnder = crosshair.x > left && crosshair.x < left + 350 && crosshair.y > top && crosshair.y < top + 128;
      expect(isUnder).toBe(false);
    }
  });

  it('are never under the pointer', () => {
    const given = { ...place, pointer: { x: 100, y: 450 } };
    expect(placeOfSpot(bestSpot(given, 3), given).top).toBe(52);
  });

  it('stay where nothing is clearly better', () => {
    expect(bestSpot(place, 1)).toBe(1);
    expect(bestSpot(place, 3)).toBe(3);
  });
});
