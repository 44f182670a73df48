/** The numbers and the picture of a Hovmöller plot. */
import { describe, expect, it } from 'vitest';
import { paintRows, rangeOf, rowAt, shownRows } from '../../../app/renderer/charts/hovmoller/picture.ts';
import { openRingRows } from '../../../app/renderer/charts/hovmoller/rows.ts';
import type { Snapshot } from '../../../app/renderer/session/session.ts';
import { cssColour } from '../../../app/renderer/stage/colour-maps.ts';
import { TRUTH } from '../../../app/renderer/state/method-style.ts';
import { hostReader } from '../../../app/renderer/values/plane-reader.ts';

function planes(values: readonly number[]) {
  const plane = { kind: 'host' as const, values: Float32Array.from(values) };
  return { eta: plane, hu: plane, hv: plane };
}

function snapshot(cycle: number, truth: readonly number[], analysis: readonly number[]): Snapshot {
  const none = new Float64Array(0);
  return {
    cycle,
    timeSeconds: cycle,
    truth: planes(truth),
    methods: [{ method: 'letkf', analysis: planes(analysis), forecast: planes(truth), spread: undefined }],
    observations: {
      x: none,
      y: none,
      variable: [],
      network: new Uint16Array(0),
      values: none,
      inverseErrorStd: none,
      innovations: {},
    },
  };
}

const snapshots = [snapshot(-1, [0, 2], [0, 2]), snapshot(0, [1, 3], [1.5, 2]), snapshot(3, [2, -4], [2, -4])];
const rows = openRingRows(hostReader, () => undefined).at(snapshots);

describe('a Hovmöller plot', () => {
  it('has a row for each stored cycle', () => {
    expect(rows.map(({ cycle }) => cycle)).toEqual([-1, 0, 3]);
    expect(shownRows(rows, TRUTH, 'state').map(({ values }) => [...values])).toEqual([
      [0, 2],
      [1, 3],
      [2, -4],
    ]);
    expect(shownRows(rows, 'letkf', 'error').map(({ values }) => [...values])).toEqual([
      [0, 0],
      [0.5, -1],
      [0, 0],
    ]);
    expect(shownRows(rows, 'nobody', 'state')).toEqual([]);
  });

  it('colours states by the truth’s range, errors by their own', () => {
    const ofMethod = shownRows(rows, 'letkf', 'state');
    expect(rangeOf(rows, ofMethod, 'state', 'sequential')).toEqual(
      rangeOf(rows, shownRows(rows, TRUTH, 'state'), 'state', 'sequential'),
    );
    expect(rangeOf(rows, shownRows(rows, 'letkf', 'error'), 'error', 'diverging')).toEqual({ from: -1, to: 1 });
  });

  it('draws a stored cycle down to the next one, and nothing where none is stored', () => {
    const shown = shownRows(rows, TRUTH, 'state');
    const { width, height, pixels } = paintRows(shown, { first: -2, last: 3 }, { from: -4, to: 4 }, 'diverging');
    expect([width, height]).toEqual([2, 6]);
    const pixel = (place: number, line: number): string => {
      const [red, green, blue, alpha] = pixels.subarray(4 * (line * width + place));
      return alpha === 0 ? 'clear' : `rgb(${red} ${green} ${blue})`;
    };
    expect(pixel(0, 0)).toBe('clear');
    expect(pixel(0, 1)).toBe(cssColour('diverging', 0.5));
    // Cycles 1 and 2 were not stored: there the row of cycle 0 goes on.
    expect([2, 3, 4].map((line) => pixel(1, line))).toEqual(Array.from({ length: 3 }, () => pixel(1, 2)));
    expect(pixel(1, 5)).toBe(cssColour('diverging', 0));
    expect(rowAt(shown, 2)?.cycle).toBe(0);
    expect(rowAt(shown, -3)).toBeUndefined();
  });
});
