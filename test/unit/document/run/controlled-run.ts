/** A run's controller in a laboratory of its own, over engine runs and a clock that tests drive. */
import { beforeEach, expect } from 'vitest';
import { createRunController } from '../../../../app/document/run/run-controller.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { fakeClock, fakeRuns, scenarioOf } from './fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

interface Running {
  readonly repeats?: boolean;
  readonly play?: boolean;
  readonly deviceOf?: Parameters<typeof fakeRuns>[0];
  readonly moves?: boolean;
  readonly opening?: () => Promise<number>;
}

/** For the tests of a file, which begin with nothing in it each. */
export function controlledRun() {
  const laboratory = laboratoryOf();
  const states = createRunStates();
  const { openScenario, markApplied, setDraftValue } = states.scenario;
  beforeEach(() => {
    states.course.clearRun();
    states.view.clearSelection();
    laboratory.notices.notices.value = [];
    states.course.playing.value = false;
    laboratory.preferences.reducedMotion.value = false;
    states.course.speed.value = 2;
    states.course.status.value = 'idle';
  });

  /** A run of so many cycles that was asked for. */
  function running(cycles: number, { repeats = false, play = true, deviceOf, moves = false, opening }: Running = {}) {
    const { open, opened } = fakeRuns(deviceOf, moves);
    const clock = fakeClock();
    const controller = createRunController(
      open,
      { ...laboratory, ...states },
      {
        clock,
        repeats: () => repeats,
        ...(opening && { opening }),
      },
    );
    controller.start(scenarioOf(cycles), {}, { play });
    return { opened, clock, controller };
  }

  /** One that has done a cycle when a setting is changed, and the change applied. */
  async function withDraft(path: string, value: unknown, deviceOf?: Running['deviceOf']) {
    const run = running(4, { play: false, ...(deviceOf && { deviceOf }) });
    run.opened[0].ready();
    const scenario = scenarioOf(4);
    openScenario({ raw: scenario }, { name: 'small.json', kind: 'file', files: {} });
    markApplied();
    states.edits.beginRun(scenario);
    await run.controller.stepForward();
    expect(setDraftValue(path, value)).toStrictEqual([]);
    await run.controller.apply();
    return run;
  }

  return { laboratory, states, running, withDraft };
}
