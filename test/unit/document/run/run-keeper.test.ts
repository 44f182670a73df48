/** What a real run says, as it is found in its course. */
import { afterEach, describe, expect, it } from 'vitest';
import { AllDivergedError, DeviceLostError, RunLostError } from '../../../../engine/index.ts';
import { createRunKeeper, failureOf } from '../../../../app/document/run/run-keeper.ts';
import type { KeeperOptions } from '../../../../app/document/run/keeper-contract.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { prepared } from '../../../../app/document/run/player.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { realRuns } from './real-runs.ts';
import { tinyScenario } from './tiny-scenario.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const free of cleanUp.splice(0)) free();
});

function nothing(): void {
  // There is no transport.
}

async function kept(options: Partial<KeeperOptions> = {}, scenario = tinyScenario()) {
  const states = createRunStates();
  const laboratory = laboratoryOf();
  const { openRun, workers } = realRuns();
  const keeper = createRunKeeper(
    openRun,
    { ...laboratory, ...states },
    {
      backend: 'auto',
      onOpening: nothing,
      onReady: nothing,
      onDiverged: nothing,
      onCycle: nothing,
      restart: nothing,
      ...options,
    },
  );
  cleanUp.push(() => keeper.dispose());
  keeper.open(scenario, {});
  await prepared(states.course.status);
  return { keeper, workers, ...states };
}

/** Index of the cell x = 1, y = 0. */
const CELL = 1;

describe('a cycle', () => {
  it('brings its snapshot, its rows, what its probes saw and its kernels', async () => {
    const cycles: number[] = [];
    const { keeper, course, view } = await kept({ onCycle: (cycle) => cycles.push(cycle) });
    expect(course.info.value).toMatchObject({
      backend: { name: 'reference', reason: 'no GPU was found' },
      device: undefined,
    });
    view.probes.value = [{ id: 1, x: CELL, y: 0 }];
    while (await keeper.compute()) nothing();
    expect([cycles, course.status.value]).toEqual([[0, 1, 2, 3], 'ended']);
    expect(course.snapshots.value.map(({ cycle }) => cycle)).toEqual([-1, 0, 1, 2, 3]);
    for (const label of ['free-run', '3dvar', 'letkf']) {
      expect(course.diagnostics.value.get(label)?.map(({ cycle }) => cycle)).toEqual([0, 1, 2, 3]);
    }
    expect(course.probeReadings.value.get(CELL)?.map(({ cycle }) => cycle)).toEqual([0, 1, 2, 3]);
    // Those of the first cycle are timed whatever it costs, of the others as many as cost little.
    expect(course.kernels.value.recent[0]?.cycle).toBe(0);
    expect(course.kernels.value.recent.every(({ timings }) => timings.length > 0)).toBe(true);
    expect(course.work.value.map(({ cycle }) => cycle)).toEqual([0, 1, 2, 3]);
  });

  it('brings nothing of a probe that was removed, and of one that was set again what it saw since', async () => {
    const { keeper, course, view } = await kept();
    const seen = (): number[] | undefined => course.probeReadings.value.get(CELL)?.map(({ cycle }) => cycle);
    view.probes.value = [{ id: 1, x: CELL, y: 0 }];
    await keeper.compute();
    await keeper.compute();
    expect(seen()).toEqual([0, 1]);
    view.probes.value = [];
    await keeper.compute();
    expect(seen()).toBeUndefined();
    view.probes.value = [{ id: 1, x: CELL, y: 0 }];
    await keeper.compute();
    expect(seen()).toEqual([3]);
  });
});

it('continues where the worker broke down, from what was kept last', async () => {
  const { keeper, course, workers } = await kept();
  await keeper.compute();
  const step = keeper.compute();
  workers[0]?.breakDown('out of memory');
  expect(await step).toBe(false);
  expect(workers).toHaveLength(2);
  expect(await prepared(course.status)).toBe('ready');
  while (await keeper.compute()) nothing();
  expect(course.status.value).toBe('ended');
});

it('says why a run cannot be opened', async () => {
  const scenario = { ...tinyScenario(), background: { ...tinyScenario().background, members: 1e9 } };
  const { keeper, course } = await kept({}, scenario);
  expect(course.status.value).toBe('failed');
  expect(course.failure.value).toEqual({ message: expect.stringContaining('needs about'), recoverable: false });
  await expect(keeper.current?.run.ask({ kind: 'checkpoint' })).rejects.toThrow('needs about');
});

it.each([
  [new DeviceLostError('gone'), { message: 'gone', recoverable: true }],
  [new RunLostError('gone'), { message: 'gone', recoverable: true }],
  [new Error('a bit fell over'), { message: 'a bit fell over', recoverable: false }],
  [new AllDivergedError('all'), { message: 'all', recoverable: false, diverged: true }],
])('says of %s whether continuing from a checkpoint may help', (error, failure) => {
  expect(failureOf(error)).toEqual(failure);
});
