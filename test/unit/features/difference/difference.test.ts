/** Differences between methods on the stage, of a run that really computes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRunView, type RunView } from '../../../../app/document/run-view.ts';
import { fieldValues } from '../../../../app/document/views/field-values.ts';
import { differenceCommands, differenceOf } from '../../../../app/features/difference/index.ts';
import { impactOf } from '../../../../app/features/impact/impact-state.ts';
import { showViews, viewsNow } from '../../../../app/features/links/link.ts';
import { xrayOf } from '../../../../app/features/x-ray/xray-state.ts';
import { FIELDS } from '../../../../app/fields/fields.ts';
import { numbersOf, subjectPlanes } from '../../../../app/stage/snapshot-numbers.ts';
import { stageOf } from '../../../../app/stage/stage-state.ts';
import { viewsSchema } from '../../../../engine/index.ts';
import { soon } from '../../../setup/soon.ts';
import { realRuns } from '../../document/run/real-runs.ts';
import { tinyScenario } from '../../document/run/tiny-scenario.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

let run: RunView;

beforeEach(async () => {
  const laboratory = laboratoryOf();
  laboratory.preferences.reducedMotion.value = true;
  run = createRunView(laboratory, realRuns().openRun);
  const scenario = tinyScenario();
  run.scenario.openScenario({ raw: scenario }, { name: 'tiny.json', kind: 'file', files: {} });
  run.controller.start(scenario, {}, { play: false });
  await soon(() => {
    if (run.course.status.value !== 'ready') throw new Error('the run is not ready yet');
  });
  await run.controller.stepForward();
  differenceOf(run);
});
afterEach(() => run.dispose());

/** A field of a method by cell, from its planes in memory. */
function fieldBy(label: string, id: (typeof FIELDS)[number]['id']): (i: number, j: number) => number {
  const snapshot = run.course.currentSnapshot.value;
  const basin = run.course.info.value?.basin;
  if (!snapshot || !basin) throw new Error('there is no snapshot');
  const planes = subjectPlanes(snapshot, label, 'analysis', id);
  const numbers = numbersOf((plane) => (plane?.kind === 'host' ? plane.values : undefined), planes, id);
  return fieldValues(id, numbers, basin, 1e-4);
}

describe('differences between methods', () => {
  it('are what the fields differ by, of any field, beside the method that keeps its own', () => {
    run.view.difference.value = '3dvar';
    const { nx } = run.course.info.value?.basin ?? { nx: 0 };
    for (const { id, title } of FIELDS.filter(({ ofEnsemble, ofAnalyses }) => !ofEnsemble && !ofAnalyses)) {
      run.view.setField(id);
      const { shown } = run;
      expect([...(shown.value?.planes.keys() ?? [])]).toStrictEqual(['free-run', 'letkf']);
      expect(shown.value).toMatchObject({ minus: '3D-Var', scale: 'diverging' });
      expect(shown.value?.title.toLowerCase()).toContain(title.toLowerCase());
      const [of, from] = [fieldBy('letkf', id), fieldBy('3dvar', id)];
      const plane = shown.value?.planes.get('letkf');
      for (const [i, j] of [
        [0, 0],
        [5, 3],
        [9, 6],
      ]) {
        // Stored as float32: half a unit in its last place.
        const wanted = of(i, j) - from(i, j);
        expect(Math.abs((plane?.[j * nx + i] ?? Number.NaN) - wanted)).toBeLessThanOrEqual(2 ** -24 * Math.abs(wanted));
      }
    }
  });

  it('follow the cycle, have a range that is held and a number for each view, and end with the choice', async () => {
    run.view.difference.value = 'free-run';
    const before = run.shown.value;
    expect(before?.scores?.get('letkf')).toMatchObject({ title: 'RMS', text: expect.stringMatching(/\d.m$/) });
    await run.controller.stepForward();
    const after = run.shown.value;
    expect(after?.planes.get('letkf')).not.toStrictEqual(before?.planes.get('letkf'));
    expect(after?.range?.[1]).toBeGreaterThanOrEqual(before?.range?.[1] ?? Number.NaN);
    run.view.difference.value = undefined;
    expect(run.shown.value).toBeUndefined();
  });

  it('have nothing of a field that one of both lacks', () => {
    run.view.difference.value = '3dvar';
    run.view.setField('spread');
    expect(run.shown.value).toBeUndefined();
  });

  it('leave the stage to an X-ray', () => {
    run.view.difference.value = '3dvar';
    xrayOf(run).choose({ kind: 'point', x: 4, y: 3, variable: 'h' });
    expect(run.shown.value?.minus).toBeUndefined();
    xrayOf(run).leave();
    expect(run.shown.value?.minus).toBe('3D-Var');
  });

  it('compare a branch with its run, wherever they differ', async () => {
    run.edits.beginRun(tinyScenario());
    run.scenario.setDraftValue('methods[2].inflation', 3);
    run.branches.forking.begin();
    expect(run.branches.forking.confirm()).toBe(true);
    await run.controller.stepForward();
    const inBranch = (): string | undefined =>
      run.branches.shownLabels.value.find((label) => label !== 'letkf' && label.endsWith('letkf'));
    await soon(() => {
      if (inBranch() === undefined) throw new Error('the branch is not on the stage yet');
    });
    run.view.difference.value = 'letkf';
    const shown = run.shown.value;
    expect(shown?.minus).toBe('LETKF');
    const plane = shown?.planes.get(inBranch() ?? '');
    const { truth, methods } = run.branches.snapshot.value ?? { truth: undefined, methods: [] };
    const [own, branch] = ['letkf', inBranch()].map((label) => methods.find(({ method }) => method === label));
    const values = (eta: typeof own): Float32Array =>
      eta?.analysis.eta.kind === 'host' ? eta.analysis.eta.values : new Float32Array(0);
    expect(truth).toBeDefined();
    expect(plane?.some((value) => value !== 0)).toBe(true);
    expect(plane).toStrictEqual(values(branch).map((value, cell) => value - values(own)[cell]));
    // No other page knows a branch by a name: a link has fields then.
    run.view.difference.value = inBranch();
    expect(run.shown.value?.planes.get('letkf')).toStrictEqual(plane?.map((value) => -value || 0));
    expect(
      viewsNow(run.laboratory, { view: run.view, xray: xrayOf(run), impact: impactOf(run), stage: stageOf(run) }),
    ).toStrictEqual({});
  });

  it('have a command for each method, and are in links', () => {
    const [, command] = differenceCommands(run);
    expect(command.title).toBe('Show differences from 3D-Var');
    void command.run();
    expect([run.view.difference.value, command.checked?.()]).toStrictEqual(['3dvar', true]);
    const shown = { view: run.view, xray: xrayOf(run), impact: impactOf(run) };
    const written = viewsNow(run.laboratory, { ...shown, stage: stageOf(run) });
    expect(written).toStrictEqual({ difference: '3dvar' });
    showViews(shown, viewsSchema.parse({}));
    expect(run.view.difference.value).toBeUndefined();
    showViews(shown, viewsSchema.parse(written));
    expect(run.view.difference.value).toBe('3dvar');
  });
});
