/** What stored cycles have of a point, asked for once, in parts, in both kinds of run. */
import { describe, expect, it } from 'vitest';
import { openStoredReadings } from '../../../app/figures/stored-readings.ts';
import type { Plane, Snapshot } from '../../../engine/index.ts';
import { createReader } from '../../../app/document/values/enquiries.ts';
import { hostReader } from '../../../app/document/values/plane-reader.ts';
import type { PlaneRequest } from '../../../app/document/values/plane-reader.ts';

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
