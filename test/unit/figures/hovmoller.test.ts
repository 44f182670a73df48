/** The numbers and the picture of a Hovmöller plot. */
import { describe, expect, it } from 'vitest';
import { branchesAt, branchSubject, createComposer } from '../../../app/document/lines/shown.ts';
import { paintRows, rangeOf, rowAt, shownRows, openRingRows } from '../../../app/figures/hovmoller/picture.ts';
import type { Snapshot } from '../../../engine/index.ts';
import { cssColour } from '../../../app/fields/colours.ts';
import { TRUTH } from '../../../app/document/views/method-style.ts';
import { hostReader } from '../../../app/document/values/plane-reader.ts';

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
    expect(rangeOf(rows, ['letkf'], 'state', 'sequential')).toEqual(rangeOf(rows, [TRUTH], 'state', 'sequential'));
    expect(rangeOf(rows, ['letkf'], 'error', 'diverging')).toEqual({ from: -1, to: 1 });
  });

  it('has a branch in the cycles that it has, against its own truth, in colours that run and branch share', () => {
    const letkf = branchSubject(1, 'letkf');
    const branch = {
      id: 1,
      columns: [{ subject: letkf, label: 'letkf' }],
      first: 0,
      snapshots: [snapshot(0, [5, 5], [5, 1])],
      motions: new Map(),
    };
    const compose = createComposer();
    const both = openRingRows(hostReader, () => undefined).at(
      snapshots.map((ofRun) => compose(ofRun, branchesAt(ofRun, [branch]))),
    );
    // Before it leaves the run it is the run; it has not come to cycle 3.
    expect(shownRows(both, letkf, 'state').map(({ cycle, values }) => [cycle, ...values])).toEqual([
      [-1, 0, 2],
      [0, 5, 1],
    ]);
    expect(shownRows(both, letkf, 'error').map(({ values }) => [...values])).toEqual([
      [0, 0],
      [0, -4],
    ]);
    expect(rangeOf(both, ['letkf', letkf], 'error', 'diverging')).toEqual(rangeOf(both, [letkf], 'error', 'diverging'));
    expect(rangeOf(both, ['letkf', letkf], 'error', 'diverging').to).toBeGreaterThan(
      rangeOf(both, ['letkf'], 'error', 'diverging').to,
    );
  });

  it('draws a stored cycle down to the next one, and nothing if none is stored', () => {
    const shown = shownRows(rows, TRUTH, 'state');
    const { width, height, pixels } = paintRows(shown, { first: -2, last: 3 }, { from: -4, to: 4 }, 'diverging', 2);
    expect([width, height]).toEqual([2, 6]);
    const pixel = (place: number, line: number): string => {
      const [red, green, blue, alpha] = pixels.subarray(4 * (line * width + place));
      return alpha === 0 ? 'clear' : `rgb(${red} ${green} ${blue})`;
    };
    expect(pixel(0, 0)).toBe('clear');
    expect(pixel(0, 1)).toBe(cssColour('diverging', 0.5));
    // Cycles 1 and 2 were not stored: there the row of cycle 0 continues.
    expect([2, 3, 4].map((line) => pixel(1, line))).toEqual(Array.from({ length: 3 }, () => pixel(1, 2)));
    expect(pixel(1, 5)).toBe(cssColour('diverging', 0));
    expect(rowAt(shown, 2)?.cycle).toBe(0);
    expect(rowAt(shown, -3)).toBeUndefined();
  });
});
