/** The numbers at the crosshair keep clear of it, of the pointer, and of small views. */
import { describe, expect, it } from 'vitest';
import { bestSpot } from '../../../../app/stage/overlays/readout.tsx';

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

describe('the numbers at the crosshair', () => {
  it('are over the large view, not over a small one', () => {
    expect(bestSpot(place).left).toBe(8);
  });

  it('leave the crosshair free', () => {
    expect(bestSpot(crossed(0.3, 0.25))).toEqual({ left: 8, top: 372 });
    expect(bestSpot(crossed(0.3, 0.9))).toEqual({ left: 8, top: 52 });
  });

  it('hide neither crosshairs nor titles where several views are alike', () => {
    const [width, height] = [302, 257];
    const even = [0, 303].flatMap((x) => [0, 258].map((y) => ({ rect: { x, y, width, height } })));
    const views = even.map(({ rect }) => ({ rect, crosshair: { x: rect.x + 170, y: rect.y + 110 } }));
    const given = { ...place, stage: { width: 605, height: 515 }, readout: { width: 350, height: 128 }, views };
    const { left, top } = bestSpot(given);
    for (const { crosshair } of views) {
      const isUnder = crosshair.x > left && crosshair.x < left + 350 && crosshair.y > top && crosshair.y < top + 128;
      expect(isUnder).toBe(false);
    }
    // Above the titles of the views below, or beneath them.
    expect(top + 128 <= 258 || top >= 258 + 52).toBe(true);
  });

  it('are never under the pointer', () => {
    const foot = { left: 8, top: 372 };
    expect(bestSpot({ ...place, pointer: { x: 100, y: 450 } }, foot)).toEqual({ left: 8, top: 52 });
  });

  it('stay if nothing is clearly better', () => {
    for (const top of [52, 372]) expect(bestSpot(place, { left: 8, top })).toEqual({ left: 8, top });
  });
});
