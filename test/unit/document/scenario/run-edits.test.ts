/** Edits are part of the run: kept when they are applied, saved with it, dropped when it goes back to before them. */
import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { setPath, validateScenario } from '../../../../engine/index.ts';
import type { MethodDivergence } from '../../../../engine/index.ts';
import { commandLine } from '../../../../app/document/run/command-line.ts';
import { createRunController } from '../../../../app/document/run/run-controller.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { fakeClock, fakeRuns, scenarioOf, settle } from '../run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

const laboratory = laboratoryOf();
const { notices } = laboratory.notices;
const states = createRunStates();
const { fileRaw, interventions, runMarks, unsaved } = states.edits;
const { openScenario, appliedScenario, draft, pendingChanges, setDraftValue } = states.scenario;
const { clearRun, cycle, diagnostics, divergences, failure, newestCycle, playing, status } = states.course;

const INFLATION = 'methods[1].inflation';

beforeEach(() => {
  clearRun();
  notices.value = [];
  playing.value = false;
  status.value = 'idle';
});

/** A run of a file, some cycles on. */
async function runOf(changes: Readonly<Record<string, unknown>> = {}, cycles = 3) {
  const scenario = scenarioOf(9, changes);
  const { open, opened } = fakeRuns();
  const controller = createRunController(open, { ...laboratory, ...states }, { clock: fakeClock() });
  openScenario({ raw: scenario }, { name: 'small.json', kind: 'file', files: {} });
  controller.start(scenario, {}, { play: false });
  opened[0]?.ready();
  for (let each = 0; each < cycles; each++) await controller.stepForward();
  const apply = async (path: string, value: unknown): Promise<void> => {
    expect(setDraftValue(path, value)).toStrictEqual([]);
    const before = opened.length;
    await controller.apply();
    if (opened.length > before) opened.at(-1)?.ready();
  };
  return { opened, controller, scenario, apply };
}

const inflationNow = (): unknown => {
  const method = appliedScenario.value?.methods[1];
  return method?.kind === 'letkf' ? method.inflation : undefined;
};

describe('an edit that is applied', () => {
  it('is an intervention of the run, of the cycle that comes next, and is marked there', async () => {
    const { opened, apply, scenario } = await runOf();
    await apply(INFLATION, 1.3);
    expect(interventions.value).toStrictEqual([{ kind: 'setting', cycle: 3, path: INFLATION, value: 1.3 }]);
    expect(opened.map((course) => course.scenario)).toStrictEqual([
      { ...scenario, interventions: interventions.value },
    ]);
    expect(runMarks.value).toStrictEqual([
      { kind: 'edit', cycle: 3, text: 'letkf: inflation 1.1 → 1.3', method: undefined },
    ]);
    expect([inflationNow(), pendingChanges.value]).toStrictEqual([1.3, []]);
  });

  it('is what a file holds beside the settings that the run began with, and is not saved yet', async () => {
    const { apply, controller, scenario } = await runOf();
    expect(unsaved.value).toBe(false);
    await apply(INFLATION, 1.3);
    await controller.stepForward();
    await apply('experiment.cycles', 12);
    expect(unsaved.value).toBe(true);
    const edits = [
      { kind: 'setting', cycle: 3, path: INFLATION, value: 1.3 },
      { kind: 'setting', cycle: 4, path: 'experiment.cycles', value: 12 },
    ];
    expect(fileRaw.value).toStrictEqual({ ...scenario, interventions: edits });
    // One that waits is in it as it would take effect now.
    setDraftValue(INFLATION, 1.5);
    expect(fileRaw.value).toMatchObject({ interventions: [...edits, { cycle: 4, path: INFLATION, value: 1.5 }] });
  });

  it('is in the command that repeats the run, which bash takes as it is meant', async () => {
    const { apply, opened, scenario } = await runOf();
    await apply('methods[1].relaxation', { kind: 'spread', factor: 0.4 });
    const running = opened[0]?.scenario ?? scenario;
    const line = commandLine({
      origin: { name: "it's.json", kind: 'file' },
      original: scenario,
      running,
      backend: undefined,
    });
    const words = execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' }).split('\0');
    expect(words.slice(0, 6)).toStrictEqual(['npm', 'run', 'shoal', '--', 'run', "it's.json"]);
    const [path, value] = (words[7] ?? '').split(/=(.*)/s);
    const repeated = validateScenario(setPath(scenario, path ?? '', value), 'repeated').scenario;
    expect(repeated).toStrictEqual(running);
  });

  it('replaces one of the same cycle', async () => {
    const { apply } = await runOf();
    await apply(INFLATION, 1.3);
    await apply(INFLATION, 1.4);
    expect(interventions.value).toMatchObject([{ cycle: 3, value: 1.4 }]);
  });

  it('is the setting itself before the first cycle', async () => {
    const { apply, opened } = await runOf({}, 0);
    await apply(INFLATION, 1.3);
    expect(opened[1]?.scenario).toMatchObject({ interventions: [], methods: [{}, { inflation: 1.3 }] });
  });
});

describe('going back', () => {
  it('drops the edits and the cycles from there on, and computes again up to it', async () => {
    const { apply, controller, opened } = await runOf();
    await apply(INFLATION, 1.3);
    await controller.stepForward();
    await apply(INFLATION, 1.5);
    await controller.stepForward();
    expect(newestCycle.value).toBe(4);
    controller.goBack(4, false);
    const [last] = opened.slice(-1);
    expect([newestCycle.value, cycle.value, status.value]).toStrictEqual([3, 3, 'opening']);
    expect(diagnostics.value.get('letkf')?.map((row) => row.cycle)).toStrictEqual([0, 1, 2, 3]);
    expect(last?.checkpointGiven?.cycle).toBe(4);
    expect(last?.scenario.interventions).toMatchObject([{ cycle: 3, value: 1.3 }]);
    expect([inflationNow(), interventions.value.length]).toStrictEqual([1.3, 1]);
    last?.ready();
    await settle();
    expect(status.value).toBe('ready');
  });

  it('goes by the nearest checkpoint before, and stays where it went meanwhile', async () => {
    const { apply, controller, opened } = await runOf();
    await apply(INFLATION, 1.3);
    for (let each = 0; each < 3; each++) await controller.stepForward();
    controller.goBack(5, false);
    const [last] = opened.slice(-1);
    expect(last?.checkpointGiven?.cycle).toBe(3);
    last?.ready();
    await settle();
    expect([last?.steps, newestCycle.value, cycle.value, status.value]).toStrictEqual([2, 4, 4, 'ready']);
    await controller.stepForward();
    expect([last?.steps, newestCycle.value]).toStrictEqual([3, 5]);
  });

  it('fails in words where the way back cannot be computed', async () => {
    const { controller, opened } = await runOf();
    controller.goBack(2, false);
    Object.assign(opened[1], { step: () => Promise.reject(new Error('the worker is gone')) });
    opened[1]?.ready();
    await settle();
    expect([status.value, failure.value?.message]).toStrictEqual(['failed', 'the worker is gone']);
  });

  it('takes the start of the run if there is no checkpoint', async () => {
    const { controller, opened } = await runOf();
    controller.goBack(2, false);
    expect(opened[1]?.checkpointGiven).toBeUndefined();
    opened[1]?.ready();
    await settle();
    expect([opened[1]?.steps, newestCycle.value, status.value]).toStrictEqual([2, 1, 'ready']);
  });

  it('is offered where a method diverges, with the previous value', async () => {
    const { apply, controller, opened } = await runOf();
    await apply(INFLATION, 30);
    await controller.stepForward();
    const divergence: MethodDivergence = {
      method: 'letkf',
      cycle: 4,
      stage: 'forecast',
      cause: 'inflation',
      message: 'letkf diverged',
      edits: [{ kind: 'setting', cycle: 3, path: INFLATION, value: 30 }],
      place: undefined,
    };
    opened[0]?.say({ type: 'diverged', ...divergence });
    expect(divergences.value).toStrictEqual([divergence]);
    expect(runMarks.value.map(({ kind, cycle: at }) => [kind, at])).toStrictEqual([
      ['edit', 3],
      ['divergence', 4],
    ]);
    const [notice] = notices.value;
    expect(notice?.title).toBe('LETKF diverged in cycle 4');
    expect(notice?.actions.map(({ title }) => title)).toStrictEqual(['Back to cycle 3 with inflation 1.1']);
    notice?.actions[0]?.run();
    expect(opened[1]?.checkpointGiven?.cycle).toBe(3);
    opened[1]?.ready();
    await settle();
    expect([inflationNow(), interventions.value, divergences.value]).toStrictEqual([1.1, [], []]);
    expect(playing.value).toBe(true);
    controller.pause();
  });
});

describe('a run whose file has interventions', () => {
  const edits = [{ kind: 'setting', cycle: 2, path: INFLATION, value: 1.4 }];

  it('shows the settings of the cycle that it has come to, and is saved as it was', async () => {
    const { controller, scenario } = await runOf({ interventions: edits }, 2);
    expect([inflationNow(), unsaved.value]).toStrictEqual([1.1, false]);
    await controller.stepForward();
    expect([inflationNow(), pendingChanges.value, unsaved.value]).toStrictEqual([1.4, [], false]);
    expect(fileRaw.value).toStrictEqual(scenario);
  });

  it('repeats them when it starts again, and begins with what is shown where that is asked for', async () => {
    const { controller, opened } = await runOf({ interventions: edits }, 3);
    controller.restart();
    expect(opened[1]?.scenario.interventions).toStrictEqual(edits);
    expect([inflationNow(), (draft.value as { methods: unknown[] }).methods[1]]).toMatchObject([
      1.1,
      { inflation: 1.1 },
    ]);
    opened[1]?.ready();
    for (let each = 0; each < 3; each++) await controller.stepForward();
    controller.restartAsNow();
    expect(opened[2]?.scenario).toMatchObject({ interventions: [], methods: [{}, { inflation: 1.4 }] });
  });
});
