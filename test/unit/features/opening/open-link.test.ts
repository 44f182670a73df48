import { beforeEach, describe, expect, it } from 'vitest';
import { packLink, writeLink, viewsNow } from '../../../../app/features/links/link.ts';
import { viewsSchema } from '../../../../engine/index.ts';
import { impactOf } from '../../../../app/features/impact/impact-state.ts';
import { linkCommands } from '../../../../app/shell/commands/file.ts';
import { createRunView } from '../../../../app/document/run-view.ts';
import type { RunView } from '../../../../app/document/run-view.ts';
import { fakeClock, fakeRuns, settle } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { openingOf } from '../../../../app/features/opening/open-scenario.ts';
import { catalogueOf } from '../../../../app/document/scenario/bundled-scenarios.ts';
import { lessonOf } from '../../../../app/features/lessons/lesson-state.ts';
import { stageOf } from '../../../../app/stage/stage-state.ts';
import { xrayOf } from '../../../../app/features/x-ray/xray-state.ts';

const VALID = '{"version": 3, "name": "mine", "methods": [{"kind": "letkf"}]}';

function surroundings(linkAddress?: string, copies = true) {
  const copied: string[] = [];
  const laboratory = laboratoryOf({
    linkAddress,
    copyText(text) {
      copied.push(text);
      return copies ? Promise.resolve() : Promise.reject(new Error('refused'));
    },
  });
  const fake = fakeRuns();
  const run = createRunView(laboratory, fake.open, { clock: fakeClock() });
  return { laboratory, run, copied, opened: fake.opened };
}

async function copyFrom({
  laboratory,
  run,
}: Pick<ReturnType<typeof surroundings>, 'laboratory' | 'run'>): Promise<void> {
  const [command] = linkCommands(laboratory, run);
  await command.run();
}

let here = surroundings();
const notices = () => here.laboratory.notices.notices.value;
const open = async (text: string): Promise<boolean> => openingOf(here.run).openLink(packLink(text));

/** Opens a link and lets it compute as far as it says. */
async function openedAt(link: string): Promise<boolean> {
  const isOpened = await openingOf(here.run).openLink(link);
  here.opened.at(-1)?.ready();
  for (let turn = 0; turn < 20; turn += 1) await settle();
  return isOpened;
}

function rearrange({ view }: RunView, evidence: { value: string }): void {
  view.setField('speed');
  view.toggleRow('error');
  view.phase.value = 'forecast';
  view.look.value = 'photoreal';
  view.exaggeration.value = 50;
  view.camerasLinked.value = false;
  view.rangeMode.value = 'locked';
  view.lockedRanges.value = { speed: [0, 1.25] };
  view.freeRunCounts.value = true;
  view.showsObservations.value = false;
  view.showsBathymetry.value = false;
  view.toggleProbe({ x: 3, y: 4 });
  view.toggleProbe({ x: 5, y: 6 });
  view.toggleProbe({ x: 3, y: 4 });
  view.crossSection.value = { from: { x: 0, y: 1 }, to: { x: 9, y: 8 } };
  view.toggleMethod('letkf');
  evidence.value = 'probes';
}

beforeEach(async () => {
  here = surroundings('https://example.org/shoal/');
  await openingOf(here.run).openFile({
    name: 'mine.json',
    bytes: new TextEncoder().encode(VALID),
    siblings: () => Promise.resolve(undefined),
  });
});

const viewsOf = (run: RunView) =>
  viewsNow(run.laboratory, { view: run.view, stage: stageOf(run), xray: xrayOf(run), impact: impactOf(run) });

describe('opening a link', () => {
  it('computes as far as it says, and stops there', async () => {
    await expect(openedAt(packLink('{"ships":"one-stone","cycle":4}'))).resolves.toBe(true);
    const { course, scenario } = here.run;
    expect(scenario.origin.value).toMatchObject({ name: 'one-stone.json', kind: 'bundled' });
    expect([course.cycle.value, course.newestCycle.value, course.playing.value]).toStrictEqual([4, 4, false]);
    expect(here.opened.at(-1)?.steps).toBe(5);
    expect(here.laboratory.progress.longWork.value).toStrictEqual([]);
  });

  it('shows how far it is, and stops where the person says so', async () => {
    await open('{"ships":"one-stone","cycle":20}');
    here.opened.at(-1)?.ready();
    await Promise.resolve();
    await Promise.resolve();
    const [work] = here.laboratory.progress.longWork.value;
    expect(work).toMatchObject({ title: 'Computing to cycle 20' });
    work.cancel?.();
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(here.run.course.newestCycle.value).toBeLessThan(5);
    expect(here.laboratory.progress.longWork.value).toStrictEqual([]);
  });

  it('gives way to a user who plays, or goes elsewhere', async () => {
    await open('{"ships":"one-stone","cycle":20}');
    here.opened.at(-1)?.ready();
    await Promise.resolve();
    here.run.controller.scrub(-2);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(here.run.course.newestCycle.value).toBeLessThan(5);
  });

  it('computes nothing for a link to the state before the first cycle', async () => {
    await openedAt(packLink('{"ships":"one-stone","cycle":-1}'));
    expect(here.opened.at(-1)?.steps).toBe(0);
    expect(here.run.course.cycle.value).toBe(-1);
  });

  it('restores views, also to what they are at first', async () => {
    rearrange(here.run, here.laboratory.evidence.evidenceTab);
    const views = viewsOf(here.run);
    const { scenario, raw } = catalogueOf(here.laboratory).bundledScenario('one-stone');
    const link = writeLink({ scenario, raw, cycle: 0, views }, catalogueOf(here.laboratory)) ?? '';
    expect(viewsSchema.parse(views).probes).toStrictEqual([{ id: 2, x: 5, y: 6 }]);
    await openedAt(packLink('{"ships":"one-stone","cycle":0}'));
    expect(viewsOf(here.run)).toStrictEqual({});
    await openedAt(link);
    expect(viewsOf(here.run)).toStrictEqual(views);
    expect(here.run.view.hiddenMethods.value).toStrictEqual(new Set(['letkf']));
  });

  it('is at the step of a lesson, with what the step changes, and continues from there', async () => {
    here.laboratory.preferences.reducedMotion.value = true;
    await openedAt(packLink('{"ships":"one-stone","cycle":2,"lesson":{"step":6},"views":{"fields":["speed"]}}'));
    const { scenario, course, view, edits } = here.run;
    const lesson = lessonOf(here.run);
    expect([lesson.at.value, course.cycle.value]).toStrictEqual([5, 2]);
    expect(view.fields.value).toStrictEqual(['speed']);
    expect(scenario.appliedScenario.value?.background.members).toBe(8);
    expect(edits.unsaved.value).toBe(false);
    await copyFrom(here);
    expect(here.copied[0].split('#')[1].length).toBeLessThan(113);
    lesson.back();
    expect(scenario.appliedScenario.value?.background.members).toBe(32);
    await openedAt(here.copied[0].slice(here.copied[0].indexOf('#')));
    expect([lesson.at.value, scenario.appliedScenario.value?.background.members]).toStrictEqual([5, 8]);
  });

  it('keeps what somebody has tried at a step', async () => {
    await openedAt(packLink('{"ships":"one-stone","cycle":0,"lesson":{"step":6}}'));
    const { scenario, controller } = here.run;
    const lesson = lessonOf(here.run);
    lesson.tryIt();
    scenario.setDraftValue('background.members', 12);
    await controller.apply();
    here.opened.at(-1)?.ready();
    await copyFrom(here);
    expect(notices().at(-1)?.lines.join(' ')).toContain('at step 6 of the lesson');
    scenario.setDraftValue('background.members', 32);
    await controller.apply();
    scenario.markSaved('own.json', here.run.edits.fileNow());
    await openedAt(here.copied[0].slice(here.copied[0].indexOf('#')));
    expect([lesson.at.value, scenario.appliedScenario.value?.background.members]).toStrictEqual([5, 12]);
  });

  it('asks first where it would replace what is not saved', async () => {
    here.run.scenario.setDraftValue('seed', 99);
    const opening = open('{"ships":"one-stone","cycle":0}');
    await settle();
    here.laboratory.questions.question.value?.answer('cancel');
    await expect(opening).resolves.toBe(false);
    expect(here.run.scenario.origin.value.name).toBe('mine.json');
    expect(here.opened).toHaveLength(1);
  });

  it.each([
    ['is damaged', '#shoal=1.%%', 'the link: it is damaged or not whole'],
    ['says too much', packLink('{"ships":"one-stone","cycle":99}'), 'the link:1:'],
    ['has a wrong scenario', packLink('{"cycle":0}\n{"version":3,"name":"x","sed":1}'), 'the scenario of the link:1:'],
    [
      'names files',
      packLink(
        '{"cycle":0}\n{"version":3,"name":"x","grid":{"nx":9,"ny":9,"dx":10,"dy":10},"model":{"scheme":"central-upwind","bathymetry":{"kind":"file","file":"bed.npy"}}}',
      ),
      'bed.npy is not beside the scenario of the link',
    ],
  ])('that %s says so, and nothing of what was running is lost', async (_what, link, said) => {
    await expect(openingOf(here.run).openLink(link)).resolves.toBe(false);
    const notice = notices().at(-1);
    expect(notice).toMatchObject({ kind: 'error', title: 'The link cannot be opened' });
    expect(notice?.lines.join('\n')).toContain(said);
    expect(notice?.lines.at(-1)).toBe('The current run continues.');
    expect(here.opened).toHaveLength(1);
    expect(here.opened[0].isDisposed).toBe(false);
  });
});

describe('copying a link', () => {
  it('gives the address of the site, which opens the same', async () => {
    await openedAt(packLink('{"ships":"one-stone","cycle":2,"views":{"fields":["speed"]}}'));
    await copyFrom(here);
    const [link] = here.copied;
    expect(link).toMatch(/^https:\/\/example\.org\/shoal\/\?view=learner#shoal=1\./);
    expect(notices().at(-1)).toMatchObject({ kind: 'information', title: 'Copied the link' });
    await openedAt(packLink('{"ships":"first-light","cycle":0}'));
    await openedAt(link.slice(link.indexOf('#')));
    expect(here.run.scenario.origin.value.name).toBe('one-stone.json');
    expect(here.run.course.cycle.value).toBe(2);
    expect(here.run.view.fields.value).toStrictEqual(['speed']);
  });

  it('holds what runs, not what waits to be applied, and says so', async () => {
    here.opened[0].ready();
    here.run.scenario.setDraftValue('seed', 99);
    await copyFrom(here);
    expect(notices().at(-1)?.lines).toContain('Changes that are not applied yet are not in it.');
    const link = here.copied[0];
    here.run.scenario.revertDraft();
    await openedAt(link.slice(link.indexOf('#')));
    expect(here.run.scenario.origin.value).toMatchObject({ name: 'mine.shoal.json', kind: 'run' });
    expect(here.run.scenario.appliedScenario.value?.seed).not.toBe(99);
  });

  it('without an address that others could open gives the link alone, and says what it is good for', async () => {
    here = surroundings();
    await openedAt(packLink('{"ships":"one-stone","cycle":0}'));
    await copyFrom(here);
    expect(here.copied[0]).toMatch(/^#shoal=1\.[\w-]+$/);
    const notice = notices().at(-1);
    expect(notice).toMatchObject({ kind: 'information', title: 'Copied the link' });
    expect(notice?.lines.join(' ')).toContain('Paste it into another Shoal window');
    expect(notice?.actions.map(({ title }) => title)).toStrictEqual(['Save scenario…']);
  });

  it('shows it where the clipboard is refused', async () => {
    here = surroundings('https://example.org/', false);
    await openedAt(packLink('{"ships":"one-stone","cycle":0}'));
    await copyFrom(here);
    expect(notices().at(-1)?.lines[0]).toBe(here.copied[0]);
  });

  it('offers the file in its place where an address cannot hold it', async () => {
    const points = Array.from({ length: 9000 }, (_, index) => [(index * 7919) % 499, (index * 6007) % 491]);
    const observations = [{ name: 'gauges', network: { kind: 'points', points }, errorStandardDeviation: 0.1 }];
    const grid = { nx: 500, ny: 500, dx: 1, dy: 1 };
    await openingOf(here.run).openFile({
      name: 'many.json',
      bytes: new TextEncoder().encode(JSON.stringify({ version: 3, name: 'many', grid, observations })),
      siblings: () => Promise.resolve(undefined),
    });
    here.opened.at(-1)?.ready();
    await copyFrom(here);
    expect(here.copied).toStrictEqual([]);
    expect(notices().at(-1)).toMatchObject({ kind: 'warning', title: 'The link would be too long' });
    expect(
      notices()
        .at(-1)
        ?.actions.map(({ title }) => title),
    ).toStrictEqual(['Save scenario…']);
  });
});
