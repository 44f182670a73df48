import { describe, expect, test } from 'vitest';
import { NO_ROOM } from '../../../app/stage/framing.ts';
import type { BasinInfo, Plane, Snapshot } from '../../../engine/index.ts';
import { barredViews } from '../../../app/stage/view-words.ts';
import { createSnapshotNumbers, subjectPlanes } from '../../../app/stage/snapshot-numbers.ts';
import type { StageModel } from '../../../app/stage/stage-model.ts';
import { layViews, SINGLE } from '../../../app/stage/view-grid.ts';
import { fieldOf } from '../../../app/fields/fields.ts';
import { TRUTH } from '../../../app/document/views/method-style.ts';
import type { Numbers } from '../../../app/document/values/plane-reader.ts';

const basin: BasinInfo = {
  nx: 4,
  ny: 3,
  dx: 1,
  dy: 1,
  periodicX: false,
  periodicY: false,
  bed: new Float32Array(12).fill(-1),
  gravity: 9.81,
  coriolis: 0,
};

function plane(value: number): Plane {
  return { kind: 'host', values: new Float32Array(12).fill(value) };
}

function state(eta: number): Snapshot['truth'] {
  return { eta: plane(eta), hu: plane(0), hv: plane(0) };
}

function model(truth: number, analysis: number, forecast: number, changes: Partial<StageModel> = {}): StageModel {
  return {
    run: 1,
    basin,
    isRunning: false,
    transit: undefined,
    freeRunCounts: false,
    snapshot: {
      cycle: 0,
      timeSeconds: 0,
      truth: state(truth),
      methods: [{ method: 'a', analysis: state(analysis), forecast: state(forecast), spread: plane(0.25) }],
      observations: {
        x: new Float64Array(0),
        y: new Float64Array(0),
        variable: [],
        network: new Uint16Array(0),
        values: new Float64Array(0),
        inverseErrorStd: new Float64Array(0),
        innovations: {},
      },
    },
    subjects: [
      { label: TRUTH, members: 1, isFreeRun: false },
      { label: 'a', members: 8, isFreeRun: false },
    ],
    fields: ['surface'],
    phase: 'analysis',
    look: 'colour-mapped',
    exaggeration: 'auto',
    rangeMode: 'shared',
    lockedRanges: {},
    camerasLinked: true,
    followsWave: false,
    showsObservations: true,
    showsBathymetry: true,
    theme: 'dark',
    reducedMotion: false,
    room: NO_ROOM,
    ...changes,
  };
}

const numbers: Numbers = (found) => (found?.kind === 'host' ? found.values : undefined);
const views = layViews(['surface'], [TRUTH, 'a'], () => SINGLE, 800, 400);
const [ofTruth, ofMethod] = [`surface/${TRUTH}`, 'surface/a'];

describe('ranges of views', () => {
  test('shared from the truth, own and locked', () => {
    const known = createSnapshotNumbers(basin);
    const shared = known.ranges(model(0.1, 0.2, 0), views, numbers);
    expect(shared.get(ofTruth)?.range).toEqual({ from: -0.1, to: 0.1 });
    expect(shared.get(ofMethod)).toEqual(shared.get(ofTruth));
    const own = known.ranges(model(0.1, 0.2, 0, { rangeMode: 'auto' }), views, numbers);
    expect(own.get(ofMethod)?.range.to).toBeCloseTo(0.2, 6);
    const locked = model(0.1, 0.2, 0, { rangeMode: 'locked', lockedRanges: { surface: [-3, 3] } });
    expect(known.ranges(locked, views, numbers).get(ofMethod)?.range).toEqual({ from: -3, to: 3 });
  });

  test('are those of the run: smaller waves change nothing, higher ones let it grow and say when', () => {
    const known = createSnapshotNumbers(basin);
    const at = (cycle: number, truth: number) => {
      const { snapshot, ...rest } = model(truth, 0, 0);
      return known.ranges({ ...rest, snapshot: { ...snapshot, cycle } }, views, numbers).get(ofTruth);
    };
    const first = at(0, 0.4);
    expect(at(3, 0.01)).toBe(first);
    expect(at(12, 0.8)).toEqual({ range: { from: -1, to: 1 }, grownAt: 12 });
    expect(at(4, 0.4)?.range.to).toBe(1);
  });

  test('of errors leave the free run out unless it is asked for', () => {
    const known = createSnapshotNumbers(basin);
    const places = layViews(['error'], [TRUTH, 'free', 'a'], () => SINGLE, 800, 400);
    const of = (freeRunCounts: boolean) => {
      const { snapshot, subjects, ...rest } = model(0, 0.01, 0, { freeRunCounts, fields: ['error'] });
      const free = { ...snapshot.methods[0], method: 'free', analysis: state(0.4) };
      return known
        .ranges(
          {
            ...rest,
            subjects: [...subjects, { label: 'free', members: 8, isFreeRun: true }],
            snapshot: { ...snapshot, methods: [...snapshot.methods, free] },
          },
          places,
          numbers,
        )
        .get('error/free')?.range.to;
    };
    expect(of(false)).toBeCloseTo(0.01, 6);
    expect(of(true)).toBeCloseTo(0.5, 6);
    expect(of(false)).toBeCloseTo(0.01, 6);
  });

  test('water at rest leaves no range behind', () => {
    const known = createSnapshotNumbers(basin);
    known.ranges(model(0, 0, 0), views, numbers);
    expect(known.ranges(model(0.01, 0, 0), views, numbers).get(ofTruth)?.range.to).toBeCloseTo(0.01, 6);
  });

  test('there are none before the first numbers are here, nor of water at rest', () => {
    const known = createSnapshotNumbers(basin);
    expect(known.ranges(model(5, 5, 5), views, () => undefined).size).toBe(0);
    expect(known.ranges(model(0, 0, 0), views, numbers).size).toBe(0);
  });

  test('numbers on their way change nothing', () => {
    const known = createSnapshotNumbers(basin);
    const before = known.ranges(model(0.1, 0.2, 0), views, numbers);
    expect(known.ranges(model(5, 5, 5), views, () => undefined)).toEqual(before);
  });
});

describe('the height of the waves', () => {
  test('is that of the truth, whatever a method makes of it, and holds', () => {
    const known = createSnapshotNumbers(basin);
    expect(known.amplitude(model(0, 9, 9), numbers)).toBeUndefined();
    expect(known.amplitude(model(0.1, 9, 9), numbers)?.range.to).toBeCloseTo(0.1, 6);
    expect(known.amplitude(model(0.02, 9, 9), numbers)?.range.to).toBeCloseTo(0.1, 6);
  });
});

test('a method that the snapshot does not have has no planes', () => {
  expect(subjectPlanes(model(0, 0, 0).snapshot, 'b', 'analysis', 'surface')).toBeUndefined();
});

test('one bar serves views of one quantity and one range', () => {
  const range = { from: 0, to: 1 };
  const drawn = [
    { field: 'speed', words: fieldOf('speed'), range },
    { field: 'speed', words: fieldOf('speed'), range },
    { field: 'error', words: fieldOf('error'), range },
    { field: 'speed', words: fieldOf('speed'), range: { from: 0, to: 2 } },
    // What is shown in place of a field shares the bar of one that is the same quantity.
    { field: 'shown-lifted', words: fieldOf('increment'), range },
    { field: 'increment', words: fieldOf('increment'), range },
  ] as const;
  expect(barredViews(drawn)).toEqual([drawn[1], drawn[2], drawn[3], drawn[5]]);
});
