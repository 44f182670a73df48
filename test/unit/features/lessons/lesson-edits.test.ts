/** A lesson written in the window: steps recorded from what is on screen, changed, moved, taken away, undone and saved. */
import { beforeEach, describe, expect, it } from 'vitest';
import { validateScenario } from '../../../../engine/index.ts';
import type { WrittenLessonStep } from '../../../../engine/index.ts';
import { changedSettings, shownInWords, lessonEditsOf } from '../../../../app/features/lessons/lesson-edits.ts';
import { createRunView } from '../../../../app/document/run-view.ts';
import { fakeClock, fakeRuns, scenarioOf, settle } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { openingOf } from '../../../../app/features/opening/open-scenario.ts';
import { xrayOf } from '../../../../app/features/x-ray/xray-state.ts';
import { lessonOf } from '../../../../app/features/lessons/lesson-state.ts';

const FILE = {
  version: 3,
  name: 'own',
  grid: { nx: 4, ny: 4, dx: 10, dy: 10 },
  methods: [{ kind: 'free-run' }, { kind: 'letkf', inflation: 1.1 }],
  experiment: { cycles: 8 },
};

async function surroundings() {
  const laboratory = laboratoryOf();
  laboratory.preferences.reducedMotion.value = true;
  const { open, opened } = fakeRuns();
  const run = createRunView(laboratory, open, { clock: fakeClock() });
  await openingOf(run).openFile({
    name: 'own.json',
    bytes: new TextEncoder().encode(JSON.stringify(FILE)),
    siblings: () => Promise.resolve(undefined),
  });
  opened[0].ready();
  run.controller.pause();
  await run.controller.goForward(3);
  return { laboratory, run, opened };
}

let here: Awaited<ReturnType<typeof surroundings>>;
beforeEach(async () => {
  here = await surroundings();
});

/** Records what is on screen under a title. */
function record(title: string, more: Partial<WrittenLessonStep> = {}): boolean {
  const { record: take, edited, keep } = lessonEditsOf(here.run);
  take();
  const step = edited.value?.step;
  if (!step) throw new Error('nothing was recorded');
  return keep({ ...step, title, text: 'Look.', ...more });
}

const stepsOf = (raw: unknown) => validateScenario(raw, 'test').scenario.lesson;

describe('recording', () => {
  it('takes the cycle, the views, the part of the evidence and the X-ray that are on screen', () => {
    const { run, laboratory } = here;
    run.view.setField('error');
    run.view.toggleProbe({ x: 1, y: 2 });
    laboratory.evidence.evidenceTab.value = 'probes';
    xrayOf(run).choose({ kind: 'point', x: 2, y: 3, variable: 'h' });
    expect(record('A point')).toBe(true);
    expect(lessonEditsOf(here.run).written.value).toStrictEqual([
      {
        title: 'A point',
        text: 'Look.',
        show: {
          cycle: 3,
          views: {
            fields: ['error'],
            probes: [{ id: 1, x: 1, y: 2 }],
            xray: { kind: 'point', x: 2, y: 3, variable: 'h' },
            evidence: 'probes',
          },
        },
      },
    ]);
    expect(lessonOf(run).at.value).toBe(0);
    expect(run.course.cycle.value).toBe(3);
  });

  it('takes what was changed as the step’s own, and leaves the scenario of the file as it was', async () => {
    const { run, opened } = here;
    record('As it is');
    lessonOf(run).close();
    run.scenario.setDraftValue('background.members', 5);
    await run.controller.apply();
    opened.at(-1)?.ready();
    await settle();
    record('Five members');
    expect(lessonEditsOf(run).written.value[1].show?.settings).toStrictEqual([
      { path: 'background.members', value: 5 },
    ]);
    expect(run.edits.fileRaw.value).toMatchObject(FILE);
    expect(stepsOf(run.edits.fileRaw.value)).toHaveLength(2);
    expect(run.edits.unsaved.value).toBe(true);
  });

  it('comes after the step on screen, and is one edit that can be taken back', () => {
    const { run } = here;
    record('First');
    record('Last');
    lessonOf(run).open(0);
    record('Between');
    const titles = () => lessonEditsOf(run).written.value.map(({ title }) => title);
    expect(titles()).toStrictEqual(['First', 'Between', 'Last']);
    run.scenario.undo();
    expect(titles()).toStrictEqual(['First', 'Last']);
    run.scenario.redo();
    expect(titles()).toStrictEqual(['First', 'Between', 'Last']);
  });

  it('refuses what is no step, says why, and changes nothing', () => {
    expect(record('', {})).toBe(false);
    expect(lessonEditsOf(here.run).problems.value.join('\n')).toContain('lesson[0].title: found ""');
    expect(lessonEditsOf(here.run).written.value).toStrictEqual([]);
    expect(here.run.edits.unsaved.value).toBe(false);
  });
});

describe('a written lesson', () => {
  it('has its steps moved, changed and taken away', () => {
    const { run } = here;
    const { move, remove, choose, keep, written, edited } = lessonEditsOf(run);
    for (const title of ['One', 'Two', 'Three']) record(title);
    const titles = () => written.value.map(({ title }) => title);
    move(2, -1);
    expect(titles()).toStrictEqual(['One', 'Three', 'Two']);
    move(0, -1);
    expect(titles()).toStrictEqual(['One', 'Three', 'Two']);
    choose(1);
    keep({ ...(edited.value?.step ?? { title: '', text: '' }), title: 'Other' });
    expect(titles()).toStrictEqual(['One', 'Other', 'Two']);
    for (const left of [2, 1, 0]) {
      remove(0);
      expect(titles()).toHaveLength(left);
    }
    expect(lessonOf(run).at.value).toBeUndefined();
    expect(lessonEditsOf(run).edited.value).toBeUndefined();
  });
});

describe('the words of a step', () => {
  it('say what it shows', () => {
    expect(shownInWords({ cycle: 5, views: { fields: ['surface', 'error'], evidence: 'errors' } })).toBe(
      'cycle 5 · Surface height, Error · evidence: errors',
    );
    expect(shownInWords({ playTo: 7, views: { xray: { kind: 'observation', index: 4 } } })).toContain(
      'plays to cycle 7 · Surface height · X-ray of observation 4',
    );
  });

  it('name settings alone, not words nor what was done to the water', () => {
    const before = scenarioOf(8);
    const after = scenarioOf(8, { title: 'Another', seed: 2 });
    expect(changedSettings(before, after)).toStrictEqual([{ path: 'seed', value: 2 }]);
  });
});
