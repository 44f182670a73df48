import type { OpenedFolder } from '../../../../app/host/host.ts';
import { describe, expect, it } from 'vitest';
import { NO_KERNELS, NO_TRACE } from '../../../../engine/index.ts';
import { addRuns, recordRun } from '../../../../app/features/runs/add-run.ts';
import { runFolderFiles } from '../../../../app/document/run/save-run.ts';
import { infoOf, scenarioOf, diagnosticsOf, fakeClock, fakeRuns, settle } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { rowsOf } from './kept.ts';
import { runsOf, createRuns } from '../../../../app/features/runs/runs-state.ts';
import { createRunView } from '../../../../app/document/run-view.ts';

/** The files of a run folder, as the page writes them. */
async function folderOf(seed: number, cycles: number, diverged = false): Promise<Readonly<Record<string, Uint8Array>>> {
  const scenario = scenarioOf(20, { seed });
  const divergence = {
    method: 'letkf',
    cycle: cycles,
    stage: 'forecast',
    cause: 'unknown',
    message: 'it diverged',
    edits: [],
    place: undefined,
  } as const;
  return runFolderFiles({
    info: infoOf(scenario),
    diagnostics: new Map(['free-run', 'letkf'].map((label) => [label, rowsOf(label, cycles)])),
    kernels: { totals: NO_KERNELS, recent: [] },
    trace: NO_TRACE,
    ceilings: undefined,
    checkpoint: undefined,
    files: {},
    times: { start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T00:01:00.000Z', resumed: [] },
    divergences: diverged ? [divergence] : [],
    failure: undefined,
  });
}

const opened = (files: Readonly<Record<string, Uint8Array>>): OpenedFolder => ({ files, parted: {} });

describe('run folders', () => {
  it('come into the list with all that they know, and leave the run on screen where it is', async () => {
    const laboratory = laboratoryOf();
    const { notices } = laboratory;
    const runs = runsOf(laboratory);
    await addRuns(laboratory, [
      { name: 'a', content: folderOf(3, 12).then(opened) },
      { name: 'b', content: folderOf(4, 20, true).then(opened) },
    ]);
    expect(
      runs.runs.value.map(({ number, scenario, completed, cycles }) => [number, scenario.seed, completed, cycles]),
    ).toEqual([
      [1, 3, 12, 20],
      [2, 4, 20, 20],
    ]);
    const [first, second] = runs.runs.value;
    expect(first.rows.get('letkf')).toEqual(rowsOf('letkf', 12));
    expect(first.backend).toEqual({ name: 'reference', adapter: 'test' });
    expect(first.command).toEqual({
      line: 'npm run shoal -- run small.shoal.json --backend reference',
      needs: 'small.shoal.json',
    });
    expect(second.diverged).toEqual([{ method: 'letkf', cycle: 20 }]);
    expect(runs.onScreen.value).toBeUndefined();
    expect(notices.notices.value.map(({ kind, title }) => [kind, title])).toEqual([
      ['information', 'Added 2 runs to the list'],
    ]);
  });

  it('are added once, and those that cannot be read are reported, each by its name', async () => {
    const laboratory = laboratoryOf();
    const { notices } = laboratory;
    const runs = runsOf(laboratory);
    await addRuns(laboratory, [{ name: 'a', content: folderOf(3, 12).then(opened) }]);
    const { 'run.json': record, ...rest } = await folderOf(5, 12);
    const text = new TextDecoder().decode(record).replace('"seed": 5', '"seed": "five"');
    await addRuns(laboratory, [
      { name: 'again', content: folderOf(3, 12).then(opened) },
      { name: 'empty', content: Promise.resolve(opened({})) },
      { name: 'broken', content: Promise.resolve(opened({ ...rest, 'run.json': new TextEncoder().encode(text) })) },
      { name: 'refused', content: Promise.reject(new Error('the disk is gone')) },
      { name: 'unborn', content: folderOf(6, 0).then(opened) },
    ]);
    expect(runs.runs.value.length).toBe(1);
    const told = notices.notices.value.slice(1).map(({ kind, title, lines }) => [kind, title, lines[0]]);
    expect(told).toEqual([
      ['error', 'empty cannot be added to the list', expect.stringContaining('no run.json')],
      ['error', 'broken cannot be added to the list', expect.stringMatching(/run\.json: .*seed/)],
      ['error', 'refused cannot be added to the list', 'the disk is gone'],
      ['error', 'unborn cannot be added to the list', 'the run has no complete cycle'],
      ['information', 'In the list already', 'Run 1: Small'],
    ]);
  });
});

/** A page with a run that is controlled, and a timer that a test turns. */
function page() {
  const { open, opened } = fakeRuns();
  const run = createRunView(laboratoryOf(), open, { clock: fakeClock() });
  const runs = createRuns();
  let time = 0;
  let waiting: { readonly work: () => void; readonly at: number } | undefined;
  let ids = 0;
  let updates = 0;
  runs.runs.subscribe(() => {
    updates += 1;
  });
  recordRun(runs, run, {
    timer: {
      now: () => time,
      wait(work, milliseconds) {
        const entry = { work, at: time + milliseconds };
        waiting = entry;
        return () => {
          if (waiting === entry) waiting = undefined;
        };
      },
    },
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    commandOf: ({ scenario }) => ({ line: `shoal run ${scenario.name}`, needs: undefined }),
  });
  return {
    run,
    runs,
    get updates() {
      return updates;
    },
    /** Turns the clock by so many milliseconds. */
    pass(milliseconds: number) {
      time += milliseconds;
      if (!waiting || waiting.at > time) return;
      const { work } = waiting;
      waiting = undefined;
      work();
    },
    begin(seed: number, cycles = 20) {
      const scenario = scenarioOf(cycles, { seed });
      const raw = { version: 3, name: 'small', title: 'Small', seed, experiment: { cycles } };
      run.edits.beginRun(raw);
      run.controller.start(scenario, {}, { play: false });
      opened.at(-1)?.ready();
    },
    async compute(cycles: number) {
      for (let cycle = 0; cycle < cycles; cycle += 1) {
        await run.controller.stepForward();
        await settle();
      }
    },
    /** Number, seed and cycles of each entry. */
    list: () => runs.runs.value.map(({ number, scenario: { seed }, completed }) => [number, seed, completed]),
  };
}

describe('the run on screen', () => {
  it('comes into the list with its first cycle, and is brought up to date once a second', async () => {
    const laboratory = page();
    laboratory.begin(1);
    expect(laboratory.list()).toEqual([]);
    await laboratory.compute(1);
    expect(laboratory.list()).toEqual([[1, 1, 1]]);
    expect(laboratory.runs.runOnScreen.value?.command.line).toBe('shoal run small');
    const before = laboratory.updates;
    await laboratory.compute(8);
    expect(laboratory.updates).toBe(before);
    expect(laboratory.list()).toEqual([[1, 1, 1]]);
    laboratory.pass(999);
    expect(laboratory.list()).toEqual([[1, 1, 1]]);
    laboratory.pass(1);
    expect(laboratory.list()).toEqual([[1, 1, 9]]);
    expect(laboratory.updates).toBe(before + 1);
  });

  it('is whole in the list as soon as it ends', async () => {
    const laboratory = page();
    laboratory.begin(1, 5);
    await laboratory.compute(5);
    expect(laboratory.run.course.status.value).toBe('ended');
    expect(laboratory.list()).toEqual([[1, 1, 5]]);
  });

  it('stays in the list with all its cycles when another one takes its place', async () => {
    const laboratory = page();
    laboratory.begin(1);
    await laboratory.compute(6);
    laboratory.begin(2);
    expect(laboratory.list()).toEqual([[1, 1, 6]]);
    expect(laboratory.runs.onScreen.value).toBeUndefined();
    await laboratory.compute(2);
    laboratory.pass(1000);
    expect(laboratory.list()).toEqual([
      [1, 1, 6],
      [2, 2, 2],
    ]);
    expect(laboratory.runs.onScreen.value).toBe('id-2');
  });

  it('continues under the entry that it repeats, and loses nothing about it on the way', async () => {
    const laboratory = page();
    laboratory.begin(1);
    await laboratory.compute(6);
    laboratory.begin(2);
    await laboratory.compute(1);
    laboratory.runs.setNote('id-1', 'seen');
    laboratory.begin(1);
    await laboratory.compute(3);
    laboratory.pass(1000);
    expect(laboratory.list()).toEqual([
      [1, 1, 6],
      [2, 2, 1],
    ]);
    expect(laboratory.runs.onScreen.value).toBe('id-1');
    await laboratory.compute(5);
    laboratory.pass(1000);
    expect(laboratory.list()[0]).toEqual([1, 1, 8]);
    expect(laboratory.runs.runs.value[0].note).toBe('seen');
  });

  it('has the earlier rows where it continued from a checkpoint', async () => {
    const laboratory = page();
    laboratory.begin(1);
    await laboratory.compute(6);
    laboratory.begin(1);
    // As after a page broke down: the cycles before the checkpoint are not reported again.
    laboratory.run.course.addDiagnostics([5, 6, 7].map((cycle) => diagnosticsOf('letkf', cycle)));
    laboratory.pass(1000);
    const [kept] = laboratory.runs.runs.value;
    expect(kept.rows.get('letkf')?.map(({ cycle }) => cycle)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(laboratory.list()).toEqual([[1, 1, 8]]);
  });

  it('has an entry of its own from where it was gone back in and changed', async () => {
    const laboratory = page();
    const { course } = laboratory.run;
    laboratory.begin(1);
    await laboratory.compute(10);
    // Back to cycle 4, from where it continues with another inflation.
    course.forgetFrom(4);
    const info = course.info.value;
    if (!info) throw new Error('there is no run');
    const interventions = [{ kind: 'setting', cycle: 4, path: 'methods[1].inflation', value: 1.5 }] as const;
    course.info.value = { ...info, scenario: { ...info.scenario, interventions: [...interventions] } };
    course.addDiagnostics([diagnosticsOf('letkf', 4)]);
    laboratory.pass(1000);
    expect(laboratory.list()).toEqual([
      [1, 1, 10],
      [2, 1, 5],
    ]);
    expect(laboratory.runs.onScreen.value).toBe('id-2');
  });

  it('keeps its entry when it is changed on the way', async () => {
    const laboratory = page();
    const { course } = laboratory.run;
    laboratory.begin(1);
    await laboratory.compute(3);
    laboratory.pass(1000);
    const info = course.info.value;
    if (!info) throw new Error('there is no run');
    const change = { kind: 'setting', cycle: 3, path: 'methods[1].inflation', value: 1.5 } as const;
    course.info.value = { ...info, scenario: { ...info.scenario, interventions: [change] } };
    await laboratory.compute(1);
    laboratory.pass(1000);
    expect(laboratory.list()).toEqual([[1, 1, 4]]);
    expect(laboratory.runs.runs.value[0].scenario.interventions).toEqual([change]);
  });
});
