/** The lesson of a run: what each of its steps brings on screen, and what a user may do in between. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createRunView } from '../../../../app/document/run-view.ts';
import { fakeClock, fakeRuns, settle } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { openingOf } from '../../../../app/features/opening/open-scenario.ts';
import { lessonOf } from '../../../../app/features/lessons/lesson-state.ts';
import { xrayOf } from '../../../../app/features/x-ray/xray-state.ts';

const LESSON = [
  { title: 'Before all', text: 'Nothing has happened yet.', show: { cycle: -1, pointsAt: ['truth', 'letkf'] } },
  {
    title: 'An error',
    text: 'Look at the error.',
    show: { cycle: 3, views: { fields: ['error'], probes: [{ id: 1, x: 1, y: 2 }], evidence: 'probes' } },
    question: { text: 'Why?', choices: ['This', 'That'], answer: 1, why: 'So it is.' },
  },
  { title: 'Play', text: 'Watch.', show: { playTo: 5 } },
  {
    title: 'Another inflation',
    text: 'It is larger now.',
    show: { cycle: 2, settings: [{ path: 'methods[1].inflation', value: 1.5 }] },
  },
  { title: 'The end', text: 'With the same inflation.', show: { cycle: 2, views: { fields: ['spread'] } } },
];

function fileOf(lesson: unknown = LESSON): string {
  return JSON.stringify({
    version: 3,
    name: 'taught',
    grid: { nx: 4, ny: 4, dx: 10, dy: 10 },
    methods: [{ kind: 'free-run' }, { kind: 'letkf', inflation: 1.1 }],
    experiment: { cycles: 8 },
    lesson,
  });
}

async function surroundings(text = fileOf()) {
  const laboratory = laboratoryOf();
  const runs = fakeRuns();
  const clock = fakeClock();
  const run = createRunView(laboratory, runs.open, { clock });
  await openingOf(run).openFile({
    name: 'taught.json',
    bytes: new TextEncoder().encode(text),
    siblings: () => Promise.resolve(undefined),
  });
  const { opened } = runs;
  opened[0].ready();
  run.controller.pause();
  return { laboratory, run, clock, opened };
}

/** Lets all that was begun come to its end, playing aside. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await settle();
}

let here: Awaited<ReturnType<typeof surroundings>>;

beforeEach(async () => {
  here = await surroundings();
  here.laboratory.preferences.reducedMotion.value = true;
});

async function at(step: number): Promise<void> {
  lessonOf(here.run).open(step - 1);
  await rest();
  here.opened.at(-1)?.ready();
  await rest();
}

describe('a step', () => {
  it('brings its cycle and its views on screen, and those that it does not speak of as they are at first', async () => {
    const { run, laboratory } = here;
    await at(2);
    expect(lessonOf(run).at.value).toBe(1);
    expect(run.course.cycle.value).toBe(3);
    expect(run.view.fields.value).toStrictEqual(['error']);
    expect(run.view.probes.value).toMatchObject([{ x: 1, y: 2 }]);
    expect(laboratory.evidence.evidenceTab.value).toBe('probes');
    lessonOf(run).next();
    await rest();
    expect(run.view.fields.value).toStrictEqual(['surface']);
    expect(run.view.probes.value).toStrictEqual([]);
    expect(laboratory.evidence.evidenceTab.value).toBe('errors');
  });

  it('goes back to a cycle that is stored without computing it again', async () => {
    const { run, opened } = here;
    await at(2);
    const { steps } = opened[0];
    lessonOf(run).back();
    await rest();
    expect(run.course.cycle.value).toBe(-1);
    lessonOf(run).next();
    await rest();
    expect(run.course.cycle.value).toBe(3);
    expect(opened).toHaveLength(1);
    expect(opened[0].steps).toBe(steps);
  });

  it('plays to its cycle and stops there, or is skipped to its end', async () => {
    const { run, laboratory, clock } = here;
    laboratory.preferences.reducedMotion.value = false;
    lessonOf(run).open(2);
    await rest();
    expect(run.course.playing.value).toBe(true);
    expect(lessonOf(run).isOnTheWay.value).toBe(true);
    for (let turn = 0; turn < 20 && run.course.playing.value; turn += 1) await clock.tick();
    await rest();
    expect([run.course.cycle.value, run.course.playing.value]).toStrictEqual([5, false]);
    expect(lessonOf(run).isOnTheWay.value).toBe(false);

    lessonOf(run).open(0);
    lessonOf(run).open(2);
    lessonOf(run).skip();
    await rest();
    expect([run.course.cycle.value, run.course.playing.value]).toStrictEqual([5, false]);
  });

  it('does not play where motion is to be reduced', async () => {
    const { run } = here;
    lessonOf(run).open(2);
    await rest();
    expect([run.course.cycle.value, run.course.playing.value]).toStrictEqual([5, false]);
  });

  it('lets a user who pauses on the way stay where they are', async () => {
    const { run, laboratory, clock } = here;
    laboratory.preferences.reducedMotion.value = false;
    lessonOf(run).open(2);
    await rest();
    await clock.tick();
    run.controller.pause();
    for (let turn = 0; turn < 5; turn += 1) await clock.tick();
    expect(run.course.cycle.value).toBeLessThan(5);
    expect(lessonOf(run).isOnTheWay.value).toBe(true);
  });
});

describe('what a step changes of the settings', () => {
  it('runs from the start, for the steps after it too, and no more for those before it', async () => {
    const { run, opened } = here;
    await at(4);
    expect(opened).toHaveLength(2);
    expect(opened[1].scenario.methods[1]).toMatchObject({ inflation: 1.5 });
    expect(run.course.cycle.value).toBe(2);
    await at(5);
    expect(opened).toHaveLength(2);
    await at(3);
    expect(opened).toHaveLength(3);
    expect(opened[2].scenario.methods[1]).toMatchObject({ inflation: 1.1 });
  });

  it('is nothing that a user has to save, and no part of the file that they save', async () => {
    const { run } = here;
    await at(4);
    expect(run.edits.unsaved.value).toBe(false);
    expect(run.edits.fileRaw.value).toStrictEqual(JSON.parse(fileOf()));
    lessonOf(run).close();
    // What is on screen is theirs now: they may save it, and lose nothing that they have made.
    expect(run.edits.unsaved.value).toBe(false);
    expect(run.edits.fileRaw.value).toMatchObject({ methods: [{}, { inflation: 1.5 }] });
  });

  it('can be taken back, and tried with other values without an end of the lesson', async () => {
    const { run, opened } = here;
    await at(4);
    lessonOf(run).tryIt();
    expect(lessonOf(run).isTrying.value).toBe(true);
    run.scenario.setDraftValue('methods[1].inflation', 3);
    expect(run.edits.unsaved.value).toBe(true);
    await run.controller.apply();
    lessonOf(run).goOn();
    await rest();
    opened.at(-1)?.ready();
    await rest();
    expect(lessonOf(run).isTrying.value).toBe(false);
    expect(opened.at(-1)?.scenario.methods[1]).toMatchObject({ inflation: 1.5 });
    expect(opened.at(-1)?.scenario.interventions).toStrictEqual([]);
    run.scenario.undo();
    expect(run.scenario.draft.value).toMatchObject({ methods: [{}, { inflation: 3 }] });
  });

  it('is reported where it does not fit the scenario, and the step before stays', async () => {
    const settings = [{ path: 'methods[5].inflation', value: 2 }];
    here = await surroundings(fileOf([...LESSON.slice(0, 2), { title: 'Wrong', text: 'Wrong.', show: { settings } }]));
    here.laboratory.preferences.reducedMotion.value = true;
    await at(2);
    lessonOf(here.run).next();
    expect(lessonOf(here.run).at.value).toBe(1);
    expect(here.laboratory.notices.notices.value.at(-1)).toMatchObject({
      title: 'The step cannot be shown',
      lines: [expect.stringContaining('methods[5]')],
    });
  });
});

describe('the end of a lesson', () => {
  it('restores the settings and leaves the X-ray that its steps began', async () => {
    const { run, laboratory, opened } = here;
    await at(5);
    xrayOf(run).choose({ kind: 'point', x: 1, y: 1, variable: 'h' });
    laboratory.evidence.evidenceTab.value = 'xray';
    lessonOf(run).finish();
    await rest();
    expect(lessonOf(run).at.value).toBeUndefined();
    expect(opened.at(-1)?.scenario.methods[1]).toMatchObject({ inflation: 1.1 });
    expect(run.scenario.draft.value).toMatchObject({ methods: [{}, { inflation: 1.1 }] });
    expect(run.edits.unsaved.value).toBe(false);
    expect(xrayOf(run).isOn.value).toBe(false);
    expect(laboratory.evidence.evidenceTab.value).toBe('errors');
  });

  it('shows what was on screen before it', async () => {
    const { run, laboratory } = here;
    run.view.setField('speed');
    run.view.toggleMethod('letkf');
    run.view.moveCameras('top');
    laboratory.evidence.evidenceTab.value = 'speed';
    laboratory.frame.showOrHidePanel('evidence');
    await at(2);
    expect([laboratory.evidence.evidenceTab.value, run.view.camera.value]).toEqual(['probes', 'perspective']);
    lessonOf(run).finish();
    expect([run.view.fields.value, run.view.camera.value]).toEqual([['speed'], 'top']);
    expect([...run.view.hiddenMethods.value]).toEqual(['letkf']);
    expect(laboratory.evidence.evidenceTab.value).toBe('speed');
    expect(laboratory.frame.isPanelShown('evidence')).toBe(false);
  });

  it('leaves the views of a lesson that a link continues, whatever was on screen before another lesson', async () => {
    const { run } = here;
    run.view.setField('speed');
    await at(2);
    lessonOf(run).close();
    run.view.setField('spread');
    lessonOf(run).stand({ step: 2, tried: true });
    lessonOf(run).finish();
    expect(run.view.fields.value).toEqual(['spread']);
  });

  it('keeps what somebody has changed', async () => {
    const { run, opened } = here;
    await at(5);
    const runs = opened.length;
    run.scenario.setDraftValue('methods[1].inflation', 3);
    lessonOf(run).finish();
    await rest();
    expect(opened).toHaveLength(runs);
    expect(run.scenario.draft.value).toMatchObject({ methods: [{}, { inflation: 3 }] });
  });
});

describe('a lesson', () => {
  it('hides the analysis while a step that shows the forecast asks where it will be', async () => {
    const { run } = here;
    await at(2);
    expect(xrayOf(run).isWithheld.value).toBe(false);
    run.view.phase.value = 'forecast';
    expect(xrayOf(run).isWithheld.value).toBe(true);
    lessonOf(run).choose(0);
    expect(xrayOf(run).isWithheld.value).toBe(false);
  });

  it('hides what its question asks about until it is answered, and while nobody tries anything', async () => {
    const { run, laboratory } = here;
    const { withheld } = run.view;
    await at(1);
    expect(withheld.value).toBe('nothing');
    // The step shows a part of the evidence: only what comes later is hidden.
    lessonOf(run).next();
    expect(withheld.value).toBe('later');
    lessonOf(run).tryIt();
    expect(withheld.value).toBe('nothing');
    lessonOf(run).goOn();
    lessonOf(run).choose(1);
    expect(withheld.value).toBe('nothing');
    lessonOf(run).close();
    // A question says itself what it hides.
    await openingOf(run).openBundled('speed-not-direction');
    await at(7);
    expect(withheld.value).toBe('results');
    lessonOf(run).close();
    laboratory.notices.notices.value = [];
    await openingOf(run).openBundled('dam-break');
    await at(4);
    expect(withheld.value).toBe('results');
    lessonOf(run).close();
    expect(withheld.value).toBe('nothing');
  });

  it('points at what a step is about, and at the evidence that it shows', async () => {
    const { run } = here;
    await at(2);
    expect(run.view.pointsAt.value).toEqual(['evidence']);
    lessonOf(run).back();
    expect(run.view.pointsAt.value).toEqual(['truth', 'letkf']);
    lessonOf(run).tryIt();
    expect(run.view.pointsAt.value).toEqual([]);
  });

  it('shows no empty X-ray tab in a step without an X-ray', async () => {
    const { run, laboratory } = here;
    await at(2);
    laboratory.evidence.evidenceTab.value = 'xray';
    lessonOf(run).next();
    expect(laboratory.evidence.evidenceTab.value).toBe('errors');
  });

  it('ends with its scenario, and has no steps beyond its ends', async () => {
    const { run } = here;
    await at(1);
    lessonOf(run).back();
    expect(lessonOf(run).at.value).toBe(0);
    lessonOf(run).open(99);
    await rest();
    expect(lessonOf(run).at.value).toBe(4);
    await openingOf(run).openBundled('one-stone');
    expect(lessonOf(run).at.value).toBeUndefined();
  });

  it('keeps what was answered to the question of each step', async () => {
    const { run } = here;
    await at(2);
    lessonOf(run).choose(0);
    lessonOf(run).next();
    expect(lessonOf(run).chosen.value.get(1)).toBe(0);
    lessonOf(run).close();
    lessonOf(run).open();
    expect(lessonOf(run).chosen.value.size).toBe(0);
  });
});
