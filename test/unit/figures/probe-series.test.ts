import { describe, expect, it } from 'vitest';
import { membersAt, mergeReadings, observationsAt, openStoredReadings } from '../../../app/figures/probe-series.ts';
import type { ProbeReading, Snapshot, Plane } from '../../../engine/index.ts';
import { cellAt } from '../../../app/document/run/stored-cells.ts';
import { createReader } from '../../../app/document/values/plane-readers.ts';
import { hostReader, type PlaneRequest } from '../../../app/document/values/plane-reader.ts';

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

const CELL = 5;

function plane(value: number): Plane {
  return { kind: 'host', values: Float32Array.from({ length: 12 }, (_, cell) => value + cell / 16) };
}

function state(value: number): Snapshot['truth'] {
  return { eta: plane(value), hu: plane(-1), hv: plane(-1) };
}

function snapshot(cycle: number): Snapshot {
  const none = new Float64Array(0);
  return {
    cycle,
    timeSeconds: 2 * (cycle + 1),
    truth: state(cycle),
    methods: [{ method: 'a', forecast: state(cycle + 0.5), analysis: state(cycle + 0.25), spread: undefined }],
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

function reading(cycle: number) {
  const there = cycle + CELL / 16;
  const a = { forecast: there + 0.5, analysis: there + 0.25, members: new Float32Array() };
  return { cycle, timeSeconds: 2 * (cycle + 1), truth: there, methods: { a } };
}

const cyclesOf = (from: number, count: number): number[] => Array.from({ length: count }, (_, k) => from + k);
const stored = cyclesOf(-1, 200).map(snapshot);
const none: ReadonlySet<number> = new Set();

/** Answers on request. */
function late() {
  const asked: (readonly PlaneRequest[])[] = [];
  const answers: (() => void)[] = [];
  const reader = createReader(
    (requests) =>
      new Promise((resolve) => {
        asked.push(requests);
        answers.push(() => resolve(requests.map(({ plane }) => (plane.kind === 'host' ? plane.values : []))));
      }),
  );
  return { reader, asked, answer: () => answers.shift()?.() };
}

describe('readings of stored cycles', () => {
  it('are there at once where planes are in memory', () => {
    const readings = openStoredReadings(hostReader, CELL, () => expect.unreachable());
    expect(readings.at(stored, none)).toEqual(cyclesOf(-1, 200).map(reading));
  });

  it('arrive in parts, the newest first, and are never asked for twice', async () => {
    const { reader, asked, answer } = late();
    let known = 0;
    const readings = openStoredReadings(reader, CELL, () => {
      known = readings.at(stored, none).length;
    });
    expect(readings.at(stored, none)).toEqual([]);
    for (let turn = 0; turn < 10 && known < stored.length; turn++) {
      const before = known;
      answer();
      await expect.poll(() => known).toBeGreaterThan(before);
    }
    const found = readings.at(stored, none);
    expect(found).toEqual(cyclesOf(-1, 200).map(reading));
    const planes = asked.flat().map((request) => request.plane);
    // Truth, forecast and analysis of each cycle.
    expect(planes).toHaveLength(3 * stored.length);
    expect(new Set(planes).size).toBe(planes.length);
    expect(asked.flat().every(({ cells }) => cells?.length === 1 && cells[0] === CELL)).toBe(true);
    expect(asked[0].map((request) => request.plane)).toContain(stored.at(-1)?.truth.eta);
  });

  it('omit cycles that were recorded, and forget those that are stored no more', () => {
    const readings = openStoredReadings(hostReader, CELL, () => expect.unreachable());
    expect(readings.at(stored.slice(0, 4), new Set([1, 2])).map(({ cycle }) => cycle)).toEqual([-1, 0]);
    expect(readings.at(stored.slice(1, 5), none).map(({ cycle }) => cycle)).toEqual([0, 1, 2, 3]);
  });

  it('are those of the snapshot that is stored, where a cycle was computed again', () => {
    const readings = openStoredReadings(hostReader, CELL, () => expect.unreachable());
    readings.at([snapshot(0)], none);
    const again = { ...snapshot(0), truth: snapshot(9).truth };
    expect(readings.at([again], none)[0].truth).toBe(reading(9).truth);
  });
});
