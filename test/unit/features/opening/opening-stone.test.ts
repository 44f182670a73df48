/** The stone of the first launch: where it falls, and what the water does meanwhile. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '../../../../engine/index.ts';
import { calmBefore, openingStoneOf, summitOf } from '../../../../app/features/opening/opening-stone.ts';
import { createRunView, type RunView } from '../../../../app/document/run-view.ts';
import { fakeClock, fakeRuns, infoOf, scenarioOf, snapshotOf } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { FALL_MILLISECONDS } from '../../../../app/features/world/tools.ts';
import { momentOf, planesOnTheWay, truthAbout } from '../../../../app/stage/passage.ts';
import type { DrawnFrame } from '../../../../app/stage/stage-model.ts';
import { stageOf } from '../../../../app/stage/stage-state.ts';
import { TRUTH } from '../../../../app/document/views/method-style.ts';

const [nx, ny] = [3, 2];
const plane = (values: readonly number[]) => ({ kind: 'host' as const, values: Float32Array.from(values) });

const ETA = plane([0, 0.1, 0, 0, -0.5, 0.4]);
const STATE = {
  cycle: -1,
  truth: { eta: ETA, hu: plane(Array(6).fill(0) as number[]), hv: plane(Array(6).fill(0) as number[]) },
  methods: [],
} as unknown as Snapshot;

/** The truth's surface so many milliseconds after the stone began to fall. */
function surfaceAfter(milliseconds: number): unknown {
  const transit = calmBefore(STATE, { nx, ny }, 1000);
  return planesOnTheWay(transit, TRUTH, 'surface', momentOf(transit, 1000 + milliseconds))?.eta;
}

afterEach(() => {
  vi.useRealTimers();
});

/** The state before the first cycle is there. */
function begin({ course }: RunView): void {
  course.addSnapshot(snapshotOf(-1));
  course.info.value = infoOf(scenarioOf(4));
}

describe('the opening stone', () => {
  it('falls where the truth is highest', () => {
    expect(summitOf(ETA.values, { nx, ny })).toEqual({ x: 2, y: 1 });
    expect(summitOf(new Float32Array(6), { nx, ny })).toBeUndefined();
    expect(summitOf(new Float32Array(6).fill(Number.NaN), { nx, ny })).toBeUndefined();
  });

  it.each([0, 1, FALL_MILLISECONDS / 2, FALL_MILLISECONDS - 1])(
    'falls into still water: after %d ms',
    (milliseconds) => {
      expect(surfaceAfter(milliseconds)).toEqual(plane([0, 0, 0, 0, 0, 0]));
    },
  );

  it('leaves the truth’s own wave, unchanged', () => {
    expect(surfaceAfter(FALL_MILLISECONDS)).toBe(ETA);
    expect(ETA.values[5]).toBeCloseTo(0.4, 6);
  });

  it('does not begin to fall before there is a picture', () => {
    const transit = calmBefore(STATE, { nx, ny }, Number.POSITIVE_INFINITY);
    expect(momentOf(transit, 1e9)).toMatchObject({ leg: 'forecast', share: 0 });
    expect(truthAbout({ snapshot: STATE, transit }, momentOf(transit, 1e9))[0]).toEqual(plane([0, 0, 0, 0, 0, 0]));
  });

  it('waits over still water for the first picture', () => {
    const run = createRunView(laboratoryOf(), fakeRuns().open, { clock: fakeClock() });
    begin(run);
    openingStoneOf(run).prepare();
    void openingStoneOf(run).fall();
    expect(run.course.transit.value).toMatchObject({ duration: FALL_MILLISECONDS, begun: Number.POSITIVE_INFINITY });
    run.dispose();
  });

  it('does not fall if nothing is known of the water, and holds the run up for four seconds at most', async () => {
    vi.useFakeTimers();
    const run = createRunView(laboratoryOf(), fakeRuns().open, { clock: fakeClock() });
    // A device that is gone reads nothing back.
    const device = {} as GPUDevice;
    run.course.addSnapshot(snapshotOf(-1, 16, device));
    run.course.info.value = infoOf(scenarioOf(4), device);
    stageOf(run).drawnFrame.value = {} as DrawnFrame;
    openingStoneOf(run).prepare();
    const fallen = openingStoneOf(run).fall();
    await vi.advanceTimersByTimeAsync(3999);
    expect(run.course.transit.value).toBeDefined();
    await vi.advanceTimersByTimeAsync(1);
    await expect(fallen).resolves.toBe(0);
    expect(run.course.transit.value).toBeUndefined();
    run.dispose();
  });

  it.each<[string, boolean, (run: RunView) => void]>([
    ['at another launch', false, () => undefined],
    [
      'where motion is to be reduced',
      true,
      ({ laboratory: { preferences } }) => {
        preferences.reducedMotion.value = true;
      },
    ],
    [
      'once somebody has touched the window',
      true,
      ({ laboratory: { preferences } }) => {
        preferences.touched.value = true;
      },
    ],
  ])('does not fall %s, and holds nothing up', async (_, isFirst, change) => {
    const run = createRunView(laboratoryOf(), fakeRuns().open, { clock: fakeClock() });
    begin(run);
    change(run);
    if (isFirst) openingStoneOf(run).prepare();
    await expect(openingStoneOf(run).fall()).resolves.toBe(0);
    expect(run.course.transit.value).toBeUndefined();
  });
});
