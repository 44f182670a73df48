import { describe, expect, it } from 'vitest';
import { membersAt, mergeReadings, observationsAt } from '../../../app/figures/probe-series.ts';
import type { ProbeReading, Snapshot } from '../../../engine/index.ts';
import { cellAt } from '../../../app/document/run/stored-cells.ts';

function readingOf(cycle: number, truth: number, members = 0): ProbeReading {
  const values = { forecast: 0, analysis: 0, members: Float32Array.from({ length: members }, (_, k) => k) };
  return { cycle, timeSeconds: cycle, truth, methods: members > 0 ? { letkf: values } : {} };
}

describe('probes', () => {
  const plane = { kind: 'host', values: new Float32Array(4) } as const;
  const state = { eta: plane, hu: plane, hv: plane };
  const snapshot: Snapshot = {
    cycle: 2,
    timeSeconds: 3,
    truth: state,
    methods: [],
    observations: {
      x: Float64Array.of(1, 1, 1, 0),
      y: Float64Array.of(1, 1.4, 1, 0),
      variable: ['h', 'eta', 'u', 'h'],
      network: new Uint16Array(4),
      values: Float64Array.of(1.1, 0.2, 9, 1),
      inverseErrorStd: Float64Array.of(50, 20, 10, 10),
      innovations: {},
    },
  };

  it('finds observations of height at the point, depth as height above the water at rest', () => {
    const found = observationsAt([snapshot], { x: 1, y: 1 }, -1);
    expect(found).toHaveLength(2);
    expect(found[0].y).toBeCloseTo(0.1, 12);
    expect(found[0].deviation).toBeCloseTo(0.02, 12);
    expect(found[1]).toMatchObject({ x: 2, y: 0.2, deviation: 0.05 });
  });

  it('omits missing observations', () => {
    const missing = { ...snapshot, observations: { ...snapshot.observations, inverseErrorStd: new Float64Array(4) } };
    expect(observationsAt([missing], { x: 1, y: 1 }, -1)).toEqual([]);
  });

  it('draws few members as lines and many as a band of percentiles', () => {
    const few = membersAt([readingOf(0, 0, 3), readingOf(1, 0, 3)], 'letkf');
    expect(few.bundle).toEqual(
      [0, 1, 2].map((y) => [
        { x: 0, y },
        { x: 1, y },
      ]),
    );
    const many = membersAt([readingOf(0, 0, 101)], 'letkf');
    expect(many.band).toEqual([{ x: 0, low: 5, high: 95 }]);
    expect(membersAt([readingOf(0, 0, 1)], 'letkf')).toEqual({ bundle: [], band: [] });
    expect(membersAt([readingOf(0, 0, 3)], 'other')).toEqual({ bundle: [], band: [] });
  });

  it('draws of members that were stored those that were kept', () => {
    const { methods, ...rest } = readingOf(0, 0, 3);
    const kept = { ...rest, methods: { letkf: { ...methods['letkf'], members: Float32Array.of(4, NaN, 6) } } };
    // The run has continued, and has all of them.
    const found = membersAt([kept, readingOf(1, 0, 3)], 'letkf').bundle.map((line) => line.map(({ y }) => y));
    expect(found).toEqual([
      [4, 0],
      [NaN, 1],
      [6, 2],
    ]);
    expect(membersAt([kept], 'letkf').bundle.map((line) => line.map(({ y }) => y))).toEqual([[4], [6]]);
    const members = Float32Array.from({ length: 202 }, (_, k) => (k % 2 === 0 ? k / 2 : NaN));
    const many = { ...kept, methods: { letkf: { ...kept.methods.letkf, members } } };
    expect(membersAt([many], 'letkf').band).toEqual([{ x: 0, low: 5, high: 95 }]);
  });

  it('prefers what was recorded to what a snapshot says', () => {
    const merged = mergeReadings([readingOf(0, 1), readingOf(1, 1)], [readingOf(1, 5), readingOf(2, 5)]);
    expect(merged.map(({ truth }) => truth)).toEqual([1, 5, 5]);
  });

  it('keeps a cell within the basin', () => {
    expect(cellAt({ x: 3.6, y: -2 }, { nx: 4, ny: 3 })).toBe(3);
    expect(cellAt({ x: 1.4, y: 2 }, { nx: 4, ny: 3 })).toBe(9);
  });
});
