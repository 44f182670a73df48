/** Readings at a point and along a cut: what they ask for, and that it is enough. */
import { describe, expect, test } from 'vitest';
import type { BasinInfo, Plane, Snapshot } from '../../../engine/index.ts';
import { cutCurves, cutRequests } from '../../../app/stage/overlays/cut-strip.tsx';
import type { CutPlace } from '../../../app/stage/overlays/cut-strip.tsx';

import { readingRequests, readingsAt } from '../../../app/stage/overlays/readout.tsx';
import type { ReadingPlace } from '../../../app/stage/overlays/readout.tsx';
import { fieldOfShown } from '../../../app/document/views/shown-planes.ts';
import { FIELDS, fieldOf } from '../../../app/fields/fields.ts';
import { TRUTH } from '../../../app/document/views/method-style.ts';
import type { Numbers, PlaneRequest } from '../../../app/document/values/plane-reader.ts';
import { shownOf } from './shown-of.ts';

const [NX, NY] = [7, 5];
const basin: BasinInfo = {
  nx: NX,
  ny: NY,
  dx: 2,
  dy: 3,
  periodicX: true,
  periodicY: false,
  bed: new Float32Array(NX * NY).fill(-10),
  gravity: 9.81,
  coriolis: 0,
};

/** Other numbers in each plane and each cell. */
let planes = 0;
function plane(): Plane {
  planes += 1;
  return { kind: 'host', values: Float32Array.from({ length: NX * NY }, (_, cell) => Math.sin(planes + 1.7 * cell)) };
}

function state(): Snapshot['truth'] {
  return { eta: plane(), hu: plane(), hv: plane() };
}

const none = new Float64Array(0);
const snapshot: Snapshot = {
  cycle: 3,
  timeSeconds: 4,
  truth: state(),
  methods: [
    {
      method: 'a',
      analysis: state(),
      forecast: state(),
      spread: plane(),
      volumes: { nx: NX, ny: NY, periodicX: false, periodicY: false, aspect: 1, halfWidthCells: 2, every: 1 },
      inflation: 1.2,
    },
    { method: 'b', analysis: state(), forecast: state(), spread: undefined },
  ],
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

const whole: Numbers = (wanted) => (wanted?.kind === 'host' ? wanted.values : undefined);

/** Knows what was asked for and nothing else. */
function only(requests: readonly PlaneRequest[]): Numbers {
  return (wanted) => {
    const found = requests.find((request) => request.plane === wanted);
    const all = whole(wanted);
    if (!found || !all) return undefined;
    const cells = found.cells ?? [];
    return { length: all.length, ...Object.fromEntries(cells.map((cell) => [cell, all[cell]])) };
  };
}

function place(changes: Partial<ReadingPlace> = {}): ReadingPlace {
  return { basin, snapshot, subjects: [TRUTH, 'a', 'b'], field: 'surface', cell: { x: 0, y: 4 }, ...changes };
}

function cut(changes: Partial<CutPlace> = {}): CutPlace {
  const ends = { from: { x: 0, y: 0 }, to: { x: 6, y: 4 } };
  return { basin, snapshot, subjects: ['a', 'b'], field: 'surface', phase: 'analysis', cut: ends, ...changes };
}

test('readings give every subject at a point, its forecast and its spread', () => {
  const at = (wanted: Plane | undefined): number => whole(wanted)?.[4 * NX] ?? Number.NaN;
  const [a, b] = snapshot.methods;
  const shown = Number.NaN;
  expect(readingsAt(place(), whole)).toEqual([
    { subject: TRUTH, analysis: at(snapshot.truth.eta), forecast: Number.NaN, spread: Number.NaN, shown },
    { subject: 'a', analysis: at(a.analysis.eta), forecast: at(a.forecast.eta), spread: at(a.spread), shown },
    { subject: 'b', analysis: at(b.analysis.eta), forecast: at(b.forecast.eta), spread: Number.NaN, shown },
  ]);
});

test('what is shown in place of a field is read with it, and cut in its place', () => {
  const values = Float32Array.from({ length: NX * NY }, (_, cell) => cell);
  const instead = shownOf(new Map([['a', values]]));
  expect(readingsAt(place({ instead }), whole).map(({ shown }) => shown)).toEqual([Number.NaN, 4 * NX, Number.NaN]);
  const along = cut({ instead, field: fieldOfShown(instead), subjects: ['a'] });
  const numbers = (plane: Plane | undefined): ArrayLike<number> | undefined =>
    plane?.kind === 'host' && plane.values === values ? values : whole(plane);
  const [curve] = cutCurves(along, numbers).curves;
  expect([curve.values[0], curve.values.at(-1)]).toEqual([0, 4 * NX + 6]);
});

test('an error is against the truth, an increment against the forecast', () => {
  const at = (wanted: Plane): number => whole(wanted)?.[4 * NX] ?? Number.NaN;
  const { analysis, forecast } = snapshot.methods[0];
  const [, error] = readingsAt(place({ field: 'error' }), whole);
  const [, increment] = readingsAt(place({ field: 'increment' }), whole);
  expect(error.analysis).toBe(at(analysis.eta) - at(snapshot.truth.eta));
  expect(increment.analysis).toBe(at(analysis.eta) - at(forecast.eta));
});

test('numbers that are not here are not made up', () => {
  for (const { analysis, forecast, spread } of readingsAt(place(), () => undefined)) {
    expect([analysis, forecast, spread]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  }
  expect(cutCurves(cut(), () => undefined).curves).toEqual([]);
});

describe.each(FIELDS.map(({ id }) => id))('%s', (field) => {
  test('at a point asks for a few cells of each plane, once, and needs no more', () => {
    const requests = readingRequests(place({ field }));
    expect(new Set(requests.map((request) => request.plane)).size).toBe(requests.length);
    // The vorticity's at the wall: the cell, and its neighbours on three sides.
    const needed = field === 'vorticity' ? 4 : 1;
    for (const { cells } of requests) expect(cells).toHaveLength(needed);
    expect(readingsAt(place({ field }), only(requests))).toEqual(readingsAt(place({ field }), whole));
  });

  test('along a cut asks for the cells beside it, and needs no more', () => {
    const requests = cutRequests(cut({ field }));
    // Beside a diagonal are fewer cells than the basin has; vorticity needs their neighbours, too.
    const most = field === 'vorticity' ? NX * NY : 22;
    expect(new Set(requests.map((request) => request.plane)).size).toBe(requests.length);
    for (const { cells } of requests) {
      expect(cells?.length).toBe(new Set(cells).size);
      expect(cells?.length).toBeLessThanOrEqual(most);
      // Planes that are cut together share their cells, so that these go to the GPU once.
      expect(cells).toBe(requests[0].cells);
    }
    const found = cutCurves(cut({ field }), only(requests));
    expect(found).toEqual(cutCurves(cut({ field }), whole));
    expect(found.curves.length).toBe(field === 'spread' || fieldOf(field).ofAnalyses ? 1 : 2);
  });
});
