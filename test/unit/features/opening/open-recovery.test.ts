/** A page that was loaded to continue with an interrupted run never stays empty: the run continues, or it is said why not. */
import { beforeEach, expect, it } from 'vitest';
import type { Recovery } from '../../../../app/document/recovery/recovery-store.ts';
import { openRecovery } from '../../../../app/features/opening/open-kept.ts';
import { createRunView } from '../../../../app/document/run-view.ts';
import { fakeClock, fakeRuns, scenarioOf } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { lessonOf } from '../../../../app/features/lessons/lesson-state.ts';

const laboratory = laboratoryOf();
const { notices } = laboratory.notices;
let opened: ReturnType<typeof fakeRuns>['opened'] = [];
let view: ReturnType<typeof createRunView>;
let open: (recovery: Recovery | undefined) => boolean = () => false;

beforeEach(() => {
  const fake = fakeRuns();
  opened = fake.opened;
  view = createRunView(laboratory, fake.open, { clock: fakeClock() });
  open = (recovery) => openRecovery(laboratory.notices, view, recovery);
  notices.value = [];
});

const checkpoint = { cycle: 2, arrays: { truth: new Float64Array(3) }, fingerprint: 'f' };
const kept = (): Recovery => ({ scenario: scenarioOf(4), files: {}, checkpoint });
const told = (): string => notices.value.flatMap(({ lines }) => lines).join(' ');

it('continues from the checkpoint that was kept', () => {
  expect(open(kept())).toBe(true);
  expect(opened).toHaveLength(1);
  expect(told()).toContain('from cycle 2');
});

it('continues with the gauges and the drops that were added, of which some are still to come', () => {
  const interventions = [
    { kind: 'gauges', cycle: 1, variable: 'h', errorStandardDeviation: 0.1, add: [[1, 1]], remove: [] },
    { kind: 'drop', cycle: 2, x: 2, y: 2, radius: 10, height: 0.2, volume: 'displaced', seenBy: 'all' },
  ];
  expect(open({ scenario: scenarioOf(4, { interventions }), files: {}, checkpoint })).toBe(true);
  expect(opened[0]?.scenario.interventions).toStrictEqual(interventions);
  expect(view.edits.interventions.value).toStrictEqual(interventions);
  expect(view.scenario.pendingChanges.value).toStrictEqual([]);
});

it('is at the step of the lesson that was on screen, and keeps what the step has changed the lesson’s', () => {
  const views = { fields: ['surface'], phase: 'analysis' };
  const lesson = ['One', 'Two'].map((title) => ({ title, text: 'Look.', show: { views } }));
  const base = scenarioOf(4, { lesson });
  const scenario = scenarioOf(6, { lesson });
  expect(open({ ...kept(), scenario, lesson: { step: 2, tried: false, base: { ...base } } })).toBe(true);
  expect([lessonOf(view).at.value, lessonOf(view).isTrying.value]).toEqual([1, false]);
  // A file of it is the scenario that the lesson began with.
  expect(view.edits.fileRaw.value).toMatchObject({ experiment: { cycles: 4 } });
  expect(lessonOf(view).base()).toMatchObject({ experiment: { cycles: 4 } });
});

it('leaves a lesson alone that the scenario does not have', () => {
  expect(open({ ...kept(), lesson: { step: 3, tried: false, base: {} } })).toBe(true);
  expect(lessonOf(view).at.value).toBeUndefined();
});

it.each<[string, unknown, RegExp]>([
  ['a step that is none', { ...kept(), lesson: { step: 0, tried: false, base: {} } }, /lesson/],
  ['nothing', undefined, /no checkpoint yet/],
  ['no scenario', { ...kept(), scenario: undefined }, /scenario/],
  ['a scenario that is none', { ...kept(), scenario: { name: 'x', version: 3, grid: 'large' } }, /grid/],
  ['no checkpoint', { ...kept(), checkpoint: null }, /checkpoint/],
  ['a checkpoint of text', { ...kept(), checkpoint: { ...checkpoint, arrays: { truth: 'text' } } }, /arrays/],
  ['a checkpoint beyond the end', { ...kept(), checkpoint: { ...checkpoint, cycle: 9 } }, /of cycle 9, the run has 4/],
  ['a negative cycle', { ...kept(), checkpoint: { ...checkpoint, cycle: -1 } }, /cycle/],
  ['files that are none', { ...kept(), files: { 'bed.npy': 'text' } }, /files/],
])('says why the run is lost where %s was kept', (_what, damaged, reason) => {
  expect(open(damaged as Recovery | undefined)).toBe(false);
  expect(opened).toHaveLength(0);
  expect(notices.value).toHaveLength(1);
  expect(notices.value[0].title).toBe('The run was interrupted');
  expect(told()).toMatch(reason);
});
