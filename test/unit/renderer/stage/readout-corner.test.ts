/** The numbers at the crosshair keep clear of it, of the pointer, and of small views. */
import { describe, expect, it } from 'vitest';
import { readoutCorner } from '../../../../app/renderer/stage/overlays/readout-corner.ts';

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

describe('the corner of the numbers', () => {
  it('is one of the large view, not over a small one', () => {
    expect(readoutCorner(place, 'top-right')).toMatch(/left$/);
  });

  it('leaves the crosshair free', () => {
    expect(readoutCorner(crossed(0.3, 0.25), 'top-right')).toBe('bottom-left');
    expect(readoutCorner(crossed(0.3, 0.9), 'bottom-left')).toBe('top-left');
  });

  it('is never under the pointer', () => {
    const pointer = { x: 100, y: 450 };
    expect(readoutCorner({ ...place, pointer }, 'bottom-left')).toBe('top-left');
  });

  it('stays where nothing is clearly better', () => {
    expect(readoutCorner(place, 'bottom-left')).toBe('bottom-left');
    expect(readoutCorner(place, 'top-left')).toBe('top-left');
  });
});
