/** Settings that are changed while a run continues, and the planes that it has on a GPU meanwhile. */
import { describe, expect, it } from 'vitest';
import { RunLostError, isSetting } from '../../../../engine/index.ts';
import { controlledRun } from './controlled-run.ts';
import { scenarioOf } from './fake-run.ts';

const { running, states, withDraft } = controlledRun();
const { openScenario, appliedScenario, pendingChanges, setDraftValue } = states.scenario;
const { cycle, diagnostics, info, newestCycle, oldestCycle, status } = states.course;

describe('changed settings', () => {
  it('take effect at the next cycle of the same run where the method alone is concerned', async () => {
    const { opened, controller } = await withDraft('methods[1].inflation', 1.3);
    expect(opened).toHaveLength(1);
    const edit = { kind: 'setting', cycle: 1, path: 'methods[1].inflation', value: 1.3 };
    expect(opened[0].scenario).toStrictEqual({ ...scenarioOf(4), interventions: [edit] });
    expect([info.value?.scenario.interventions, status.value]).toStrictEqual([[edit], 'ready']);
    expect(newestCycle.value).toBe(0);
    await controller.stepForward();
    expect(cycle.value).toBe(1);
    expect(diagnostics.value.get('letkf')?.map((row) => row.cycle)).toStrictEqual([0, 1]);
  });

  it('wait for the cycle that is being computed, and the next one for them', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    const step = controller.stepForward();
    setDraftValue('methods[1].inflation', 1.3);
    const applying = controller.apply();
    await Promise.all([step, applying, controller.stepForward()]);
    expect(opened[0].scenario.interventions).toMatchObject([{ cycle: 2, value: 1.3 }]);
    await controller.stepForward();
    expect([opened.length, newestCycle.value]).toStrictEqual([1, 2]);
  });

  it('take effect one after the other where two are applied at once', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    setDraftValue('methods[1].inflation', 1.3);
    const first = controller.apply();
    setDraftValue('observations[0].errorStandardDeviation', 0.2);
    await Promise.all([first, controller.apply()]);
    expect(
      opened[0].scenario.interventions
        .filter(isSetting)
        .map(({ path }) => path)
        .sort(),
    ).toStrictEqual(['methods[1].inflation', 'observations[0].errorStandardDeviation']);
    expect(pendingChanges.value).toStrictEqual([]);
  });

  it('wait for a cycle that waits for an earlier one', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    setDraftValue('methods[1].inflation', 1.3);
    const first = controller.apply();
    const step = controller.stepForward();
    setDraftValue('methods[1].inflation', 1.5);
    await Promise.all([first, step, controller.apply()]);
    expect(opened[0].scenario.interventions).toMatchObject([
      { cycle: 1, value: 1.3 },
      { cycle: 2, value: 1.5 },
    ]);
    expect([newestCycle.value, pendingChanges.value]).toStrictEqual([1, []]);
  });

  it('begin the run again where its first cycle is still to come', async () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    const scenario = scenarioOf(4);
    const name = 'small.json';
    openScenario({ raw: scenario }, { name, kind: 'file', files: {} });
    setDraftValue('methods[1].inflation', 1.3);
    await controller.apply();
    expect(opened.map((course) => course.scenario.interventions)).toStrictEqual([[], []]);
    expect(opened[1].scenario.methods[1]).toMatchObject({ inflation: 1.3 });
  });

  it('make a run longer that has ended, and it continues', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    for (let each = 0; each < 3; each++) await controller.stepForward();
    expect(status.value).toBe('ended');
    setDraftValue('experiment.cycles', 6);
    await controller.apply();
    expect([status.value, info.value?.cycles]).toStrictEqual(['ready', 6]);
    await controller.stepForward();
    expect([opened.length, newestCycle.value]).toStrictEqual([1, 4]);
  });

  it('continue with a run that was lost since', async () => {
    const { opened } = await withDraft('methods[1].inflation', 1.3);
    opened[0].keep(1);
    opened[0].say({ type: 'failed', error: new RunLostError('device lost') });
    expect(opened[1].checkpointGiven?.cycle).toBe(1);
    expect(opened[1].scenario.interventions).toMatchObject([{ cycle: 1, value: 1.3 }]);
  });

  it('continue from the last checkpoint of a run that has failed', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    opened[0].say({ type: 'failed', error: new Error('h became NaN') });
    setDraftValue('methods[1].inflation', 1.3);
    await controller.apply();
    expect(opened).toHaveLength(2);
    expect(opened[1].checkpointGiven?.cycle).toBe(1);
    expect(opened[1].scenario.interventions).toMatchObject([{ cycle: 1, value: 1.3 }]);
  });

  it('begin a new run where the truth is concerned', async () => {
    const { opened } = await withDraft('grid.nx', 8);
    expect(opened).toHaveLength(2);
    expect(opened[1].checkpointGiven).toBeUndefined();
    expect(newestCycle.value).toBe(-1);
  });

  it('leave the run alone where only words are concerned', async () => {
    const { opened } = await withDraft('title', 'Another title');
    expect(opened).toHaveLength(1);
  });
});

it('says of a draft that continued while it was applied that its latest change still waits', async () => {
  const { opened, controller } = await withDraft('title', 'Another title');
  setDraftValue('methods[1].inflation', 1.3);
  const applying = controller.apply();
  setDraftValue('methods[1].inflation', 1.5);
  await applying;
  expect(opened[0].scenario.interventions).toMatchObject([{ value: 1.3 }]);
  expect(appliedScenario.value?.methods[1]).toMatchObject({ inflation: 1.3 });
  expect(pendingChanges.value.map(({ path }) => path)).toStrictEqual(['methods[1].inflation']);
});

/** As far as a device is distinguished from another. */
const [GPU, OTHER_GPU] = [{} as GPUDevice, {} as GPUDevice];

describe('planes on a GPU', () => {
  it('outlive the run that made them where the run continues, and are released to it', async () => {
    const { opened, controller } = await withDraft('methods[1].inflation', 1.3, () => GPU);
    controller.goBack(1, false);
    expect(oldestCycle.value).toBe(-1);
    opened[1].ready();
    await controller.stepForward();
    expect([oldestCycle.value, newestCycle.value]).toStrictEqual([-1, 1]);
    // The state that the second run began from was stored by the first.
    expect(opened[1].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0]);
    expect(opened[0].released).toStrictEqual([]);
    controller.start(scenarioOf(4), {});
    expect(opened[0].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0, -1]);
    expect(opened[1].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0, 1]);
  });

  it('are gone where the run continues elsewhere', async () => {
    const { opened, controller } = await withDraft('methods[1].inflation', 1.3, (n) => (n === 0 ? GPU : OTHER_GPU));
    controller.goBack(1, false);
    opened[1].ready();
    expect([oldestCycle.value, newestCycle.value]).toStrictEqual([0, 0]);
    expect(opened[0].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0, -1]);
    expect(opened[1].released).toStrictEqual([]);
  });

  it('are gone when it is lost, and what is in memory is not', async () => {
    for (const device of [GPU, undefined]) {
      const { opened, controller } = running(4, { play: false, deviceOf: () => device });
      opened[0].ready();
      await controller.stepForward();
      opened[0].keep(1);
      opened[0].say({ type: 'failed', error: new RunLostError('lost') });
      expect(newestCycle.value).toBe(device ? -1 : 0);
      expect(opened[0].released).toHaveLength(device ? 2 : 0);
      controller.dispose();
    }
  });
});
