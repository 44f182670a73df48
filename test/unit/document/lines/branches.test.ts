/** A run and its branches, each computed by a run of its own, with real numbers from the reference backend. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LimitError,
  ScenarioError,
  branchScenario,
  estimateMemory,
  validateScenario,
} from '../../../../engine/index.ts';
import type { Intervention, Plane, Scenario, Snapshot } from '../../../../engine/index.ts';
import type { BranchEntry } from '../../../../app/document/lines/branch-list.ts';
import type { Line } from '../../../../app/document/lines/line.ts';
import { branchOf, branchSubject } from '../../../../app/document/lines/shown.ts';
import { snapshotBytes } from '../../../../app/document/run/history.ts';
import { createRunView } from '../../../../app/document/run-view.ts';
import type { RunView, RunViewOptions } from '../../../../app/document/run-view.ts';
import { TRUTH } from '../../../../app/document/views/method-style.ts';
import type { RunCourse } from '../../../../app/document/run/run-course.ts';
import { tinyScenario } from '../run/tiny-scenario.ts';
import type { Laboratory } from '../../../../app/page/laboratory.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { realRuns } from '../run/real-runs.ts';
import type { RealWorker } from '../run/real-runs.ts';
import { worldOf } from '../../../../app/features/world/world-state.ts';

const CYCLES = 6;
const POND = tinyScenario({ experiment: { cycles: CYCLES, window: 0.5 } });
const INFLATION = 'methods[2].inflation';
/** Many times what an idle machine needs. */
const PATIENCE = { timeout: 20_000 };

function inflation(cycle: number, value: number): Intervention {
  return { kind: 'setting', cycle, path: INFLATION, value };
}

/** A page in which cycles follow each other by cuts: nothing waits for water to move. */
function still(): Laboratory {
  const page = laboratoryOf();
  page.preferences.reducedMotion.value = true;
  return page;
}

let laboratory = still();
let runs: RunView[] = [];
let workers: RealWorker[] = [];

beforeEach(() => {
  laboratory = still();
  workers = [];
});
afterEach(() => {
  for (const run of runs) run.dispose();
  runs = [];
});

/** A run that is open and waits for its first step. */
async function open(scenario: Scenario, options: RunViewOptions = {}, page = laboratory): Promise<RunView> {
  const real = realRuns();
  ({ workers } = real);
  const run = createRunView(page, real.openRun, options);
  runs.push(run);
  run.scenario.openScenario({ raw: scenario }, { name: 'pond.json', kind: 'file', files: {} });
  run.scenario.markApplied();
  run.edits.beginRun(scenario);
  run.controller.start(scenario, {}, { play: false });
  await vi.waitFor(() => expect(run.course.status.value).toBe('ready'), PATIENCE);
  return run;
}

async function steps(run: RunView, count: number): Promise<void> {
  for (let each = 0; each < count; each++) await run.controller.stepForward();
}

function entryOf({ branches }: RunView, index = 0): BranchEntry {
  return branches.entries.value[index];
}

function lineOf(run: RunView, index = 0): Line {
  const { line } = entryOf(run, index);
  if (!line) throw new Error('the branch waits');
  return line;
}

function storedIn({ history }: RunCourse): readonly number[] {
  return history.value.snapshots.map(({ cycle }) => cycle);
}

async function reached(run: RunView, cycle: number, index = 0): Promise<Line> {
  await vi.waitFor(() => expect(lineOf(run, index).course.newestCycle.value).toBe(cycle), PATIENCE);
  return lineOf(run, index);
}

/** What the cycles' scores are of from one on, without the times that they took. */
function scoresOf({ diagnostics }: RunCourse, first: number): unknown {
  return ['3dvar', 'letkf'].map((label) =>
    (diagnostics.value.get(label) ?? [])
      .filter(({ cycle }) => cycle >= first)
      .map(({ cycle, rmse, spread }) => ({ cycle, rmse, spread })),
  );
}

/** The analysis of the LETKF in the newest cycle. */
function analysisOf({ history }: RunCourse): Float32Array {
  const plane = history.value.snapshots.at(-1)?.methods.find(({ method }) => method === 'letkf')?.analysis.eta;
  if (plane?.kind !== 'host') throw new Error('the analysis is not in memory');
  return plane.values;
}

function planeOf(shown: Snapshot | undefined, label: string): Plane | undefined {
  return shown?.methods.find(({ method }) => method === label)?.analysis.eta;
}

/** A run of a scenario alone, after so many cycles. */
async function alone(scenario: Scenario, count: number): Promise<RunCourse> {
  const own = workers;
  const run = await open(scenario, {}, still());
  workers = own;
  await steps(run, count);
  return run.course;
}

/** What is in a run's file, branch by branch as the command line computes them. */
function branchAlone({ edits }: RunView, index = 0): Scenario {
  return branchScenario(validateScenario(edits.runFile.value, 'the file').scenario, index);
}

describe('a branch that is painted into', () => {
  it('has the gauges from its next cycle on, which the run does not have, and its numbers are those of its file', async () => {
    const run = await open(POND);
    const { branches } = run;
    const world = worldOf(run);
    await steps(run, 2);
    branches.add({ cycle: 2, interventions: [inflation(2, 1.6)] });
    await steps(run, 1);
    const column = branches.subjects.value.find(({ label }) => branchOf(label) !== undefined)?.label;
    world.hold('gauges');
    world.gauges.brush.value = 0;
    world.gauges.spacing.value = 1;
    const before = world.gauges.standing.value.length;
    const taken = new Set(world.gauges.standing.value.map(({ x, y }) => `${x} ${y}`));
    const cell = [4, 5, 6].map((x) => ({ x, y: 5 })).find(({ x, y }) => !taken.has(`${x} ${y}`)) ?? { x: 0, y: 0 };
    // Where a hand comes down says whose world it is.
    world.use({ kind: 'down', cell, erases: false, subject: column });
    expect(world.targets.now.value.branch).toBe(entryOf(run).id);
    world.use({ kind: 'up' });
    await vi.waitFor(() => expect(entryOf(run).branch.interventions).toHaveLength(2), PATIENCE);
    expect(entryOf(run).branch.interventions[1]).toMatchObject({ kind: 'gauges', cycle: 3, add: [[cell.x, cell.y]] });
    expect(run.edits.interventions.value).toEqual([]);
    expect(world.gauges.standing.value).toHaveLength(before + 1);
    await vi.waitFor(
      () => expect(world.said.value).toMatch(/^paint 1 gauge in “.*inflation.*”: from cycle 3 on\.$/),
      PATIENCE,
    );
    await steps(run, 2);
    const { course } = lineOf(run);
    expect(analysisOf(course)).toEqual(analysisOf(await alone(branchAlone(run), 5)));
    expect(scoresOf(run.course, 0)).toEqual(scoresOf(await alone(POND, 5), 0));
    // In the run's own columns there is nothing about it.
    world.targets.choose(undefined);
    expect(world.gauges.standing.value).toHaveLength(before);
  });

  it('takes a drop back by going back itself, while the run stays where it is', async () => {
    const run = await open(POND);
    await steps(run, 2);
    run.branches.add({ cycle: 2, interventions: [] });
    await steps(run, 1);
    const { branches } = run;
    const world = worldOf(run);
    const { id } = entryOf(run);
    world.targets.choose(id);
    world.hold('drop');
    expect(branches.isTruthShown(entryOf(run))).toBe(false);
    world.use({ kind: 'press', cell: { x: 5, y: 4 } });
    await vi.waitFor(() => expect(entryOf(run).branch.interventions).toHaveLength(1), PATIENCE);
    await steps(run, 2);
    // It has another truth than the run, with a column of its own.
    const truth = branchSubject(id, TRUTH);
    expect(branches.subjects.value[0].label).toBe(truth);
    const shown = branches.snapshot.value;
    expect(planeOf(shown, truth)).toBe(lineOf(run).course.history.value.snapshots.at(-1)?.truth.eta);
    expect(branches.styleOf(truth)?.title).toMatch(/^Truth, drop of/);
    const newest = run.course.newestCycle.value;
    run.scenario.undo();
    await vi.waitFor(() => expect(entryOf(run).branch.interventions).toEqual([]), PATIENCE);
    await reached(run, newest);
    expect(run.course.newestCycle.value).toBe(newest);
    expect(analysisOf(lineOf(run).course)).toEqual(analysisOf(run.course));
    expect(branches.subjects.value.map(({ label }) => label)).not.toContain(truth);
    expect(world.refusalOf('island')).toContain('raise it in the run');
  });
});

describe('a branch', () => {
  it('leaves the run at its cycle, continues in step with it, and has the numbers that it has alone', async () => {
    const run = await open(POND);
    await steps(run, 3);
    run.branches.add({ cycle: 3, interventions: [inflation(3, 1.6)] });
    await vi.waitFor(() => expect(lineOf(run).course.status.value).toBe('ready'), PATIENCE);
    await steps(run, 2);
    const { course } = lineOf(run);
    expect([run.course.newestCycle.value, course.newestCycle.value]).toEqual([4, 4]);
    const [branch, main] = [await alone(branchAlone(run), 5), await alone(POND, 5)];
    expect(analysisOf(course)).toEqual(analysisOf(branch));
    expect(scoresOf(course, 3)).toEqual(scoresOf(branch, 3));
    expect(scoresOf(run.course, 0)).toEqual(scoresOf(main, 0));
    expect(analysisOf(course)).not.toEqual(analysisOf(run.course));
  });

  it('from a cycle that is past catches up with the run, and steps with it from there', async () => {
    const run = await open(POND);
    await steps(run, 4);
    run.controller.scrub(0);
    run.branches.add({ cycle: 1, interventions: [inflation(1, 1.6)] });
    const { course } = await reached(run, 3);
    expect(run.course.cycle.value).toBe(0);
    run.controller.scrub(3);
    await steps(run, 1);
    expect(course.newestCycle.value).toBe(4);
    expect(scoresOf(course, 1)).toEqual(scoresOf(await alone(branchAlone(run), 5), 1));
  });

  it('in a file waits until the run comes to its cycle', async () => {
    const run = await open(tinyScenario({ ...POND, branches: [{ cycle: 2, interventions: [inflation(2, 1.6)] }] }));
    await steps(run, 2);
    expect([entryOf(run).line, workers.length]).toEqual([undefined, 1]);
    await steps(run, 2);
    expect([lineOf(run).course.newestCycle.value, workers.length]).toEqual([3, 2]);
    expect(run.branches.titleOf(entryOf(run).id)).toContain('1.1 → 1.6');
    run.controller.restart();
    await vi.waitFor(() => expect(run.course.status.value).toBe('ready'), PATIENCE);
    expect([entryOf(run).line, workers.map(({ isClosed }) => isClosed)]).toEqual([undefined, [true, true, false]]);
  });

  it('ends with the run, and where it fails the run continues', async () => {
    const run = await open(POND);
    run.branches.add({ cycle: 0, interventions: [inflation(0, 1.6)] });
    await steps(run, 2);
    workers[1].breakDown('out of memory');
    expect(laboratory.notices.notices.value.at(-1)?.title).toMatch(
      /^The computation was lost; the branch “.*” continues from/,
    );
    await steps(run, CYCLES - 2);
    expect([run.course.status.value, run.course.newestCycle.value]).toEqual(['ended', CYCLES - 1]);
    expect([lineOf(run).course.status.value, lineOf(run).course.newestCycle.value]).toEqual(['ended', CYCLES - 1]);
  });

  it('is taken away with all that it holds, and brought back with the same numbers', async () => {
    const run = await open(POND);
    await steps(run, 2);
    const whole = run.course.history.value.limitBytes;
    run.branches.add({ cycle: 1, interventions: [inflation(1, 1.6)] });
    const { course } = await reached(run, 1);
    const scores = scoresOf(course, 1);
    expect(run.course.history.value.limitBytes).toBe(whole / 2);
    run.branches.remove(entryOf(run).id);
    expect(storedIn(course)).toEqual([]);
    await vi.waitFor(() => expect(workers[1].isClosed).toBe(true), PATIENCE);
    expect(run.course.history.value.limitBytes).toBe(whole);
    expect([run.branches.entries.value, run.edits.branches.value]).toEqual([[], []]);
    run.scenario.undo();
    expect(scoresOf((await reached(run, 1)).course, 1)).toEqual(scores);
    expect(run.edits.branches.value).toHaveLength(1);
    run.scenario.undo();
    expect([run.branches.entries.value, run.edits.branches.value]).toEqual([[], []]);
  });

  it('goes back with the run; one that left it later waits, and sets out again', async () => {
    const run = await open(POND);
    await steps(run, 4);
    run.branches.add({ cycle: 1, interventions: [inflation(1, 1.6)] });
    run.branches.add({ cycle: 3, interventions: [inflation(3, 1.4)] });
    await reached(run, 3, 0);
    await reached(run, 3, 1);
    const scores = [0, 1].map((index) => scoresOf(lineOf(run, index).course, 3));
    run.controller.goBack(2, false);
    await vi.waitFor(() => expect(run.course.status.value).toBe('ready'), PATIENCE);
    expect(lineOf(run, 0).course.newestCycle.value).toBe(1);
    expect(entryOf(run, 1).line).toBeUndefined();
    await steps(run, 2);
    expect([0, 1].map((index) => scoresOf(lineOf(run, index).course, 3))).toEqual(scores);
  });

  it('becomes the run, and the run a branch, with the numbers that both had', async () => {
    const run = await open(POND);
    await steps(run, 1);
    run.scenario.setDraftValue(INFLATION, 1.3);
    await run.controller.apply();
    await steps(run, 2);
    run.branches.add({ cycle: 1, interventions: [inflation(2, 1.6)] });
    const { course } = await reached(run, 2);
    const [ofRun, ofBranch] = [scoresOf(run.course, 1), scoresOf(course, 1)];
    await run.branches.makeMain(entryOf(run).id);
    expect(run.edits.interventions.value).toEqual([inflation(2, 1.6)]);
    expect(run.edits.branches.value).toEqual([{ cycle: 1, interventions: [inflation(1, 1.3)] }]);
    expect(run.course.newestCycle.value).toBe(2);
    expect(scoresOf(run.course, 1)).toEqual(ofBranch);
    expect(scoresOf((await reached(run, 2)).course, 1)).toEqual(ofRun);
  });
});

describe('together', () => {
  it('store the same cycles within one bound', async () => {
    const first = (await open(POND)).course.history.value.snapshots[0];
    // Room for three cycles of each of two lines; none for what moves between them.
    const run = await open(POND, { historyBytes: 2 * 3.5 * snapshotBytes(first) });
    run.branches.add({ cycle: 0, interventions: [inflation(0, 1.6)] });
    await steps(run, CYCLES);
    const [ofRun, ofBranch] = [storedIn(run.course), storedIn(lineOf(run).course)];
    expect(ofRun.length).toBeLessThan(CYCLES);
    expect(ofBranch).toEqual(ofRun.filter((cycle) => cycle >= 0));
  });

  it('are refused with numbers, before anything is opened, where they need too much memory', async () => {
    const each = estimateMemory(POND, 8);
    const run = await open(POND, { memoryLimitBytes: 2.5 * each });
    run.branches.add({ cycle: 0, interventions: [] });
    expect(() => run.branches.add({ cycle: 0, interventions: [inflation(0, 1.6)] })).toThrow(LimitError);
    expect(() => run.branches.add({ cycle: 0, interventions: [] })).toThrow(/2 branches needs about .* allowed:/);
    expect([run.branches.entries.value.length, run.edits.branches.value.length]).toEqual([1, 1]);
  });

  it('refuse what cannot change on the way, and stay as they were', async () => {
    const run = await open(POND);
    const seed: Intervention = { kind: 'setting', cycle: 0, path: 'seed', value: 9 };
    expect(() => run.branches.add({ cycle: 0, interventions: [seed] })).toThrow(ScenarioError);
    expect([run.branches.entries.value, run.edits.branches.value, workers.length]).toEqual([[], [], 1]);
  });

  it('are beside each other in one snapshot, the branch from its cycle on with its own water', async () => {
    const run = await open(POND);
    await steps(run, 2);
    run.branches.add({ cycle: 1, interventions: [inflation(1, 1.6)] });
    const { course } = await reached(run, 1);
    expect(run.branches.subjects.value.map(({ members }) => members)).toEqual([4, 1, 4, 4]);
    const subject = run.branches.subjects.value.at(-1)?.label ?? '';
    const [own] = course.history.value.snapshots.slice(-1);
    const shown = run.branches.snapshot.value;
    expect(planeOf(shown, subject)).toBe(planeOf(own, 'letkf'));
    expect(run.branches.snapshot.value).toBe(shown);
    run.controller.scrub(0);
    const before = run.branches.snapshot.value;
    expect(planeOf(before, subject)).toBe(planeOf(run.course.currentSnapshot.value, 'letkf'));
    expect(run.branches.styleOf(subject)?.title).toMatch(/^LETKF, .*1\.1 → 1\.6$/);
    run.branches.hide(entryOf(run).id, true);
    expect(run.branches.snapshot.value).toBe(run.course.currentSnapshot.value);
  });
});

describe('a fork', () => {
  it('takes what waits in the settings, and leaves the run with what it has', async () => {
    const run = await open(POND);
    await steps(run, 2);
    run.scenario.setDraftValue(INFLATION, 1.6);
    run.branches.forking.begin();
    const { draft } = run.branches.forking;
    expect([draft.value?.cycle, draft.value?.scenario.pendingChanges.value.map(({ after }) => after)]).toEqual([
      2,
      [1.6],
    ]);
    expect(run.branches.forking.confirm()).toBe(true);
    expect(run.edits.branches.value).toEqual([{ cycle: 2, interventions: [inflation(2, 1.6)] }]);
    expect([run.scenario.pendingChanges.value, run.edits.interventions.value]).toEqual([[], []]);
    expect(run.edits.unsaved.value).toBe(true);
  });

  it('is not made where the run ends, nor beside three others', async () => {
    const run = await open(POND);
    for (const value of [1.2, 1.3, 1.4]) run.branches.add({ cycle: 0, interventions: [inflation(0, value)] });
    expect(run.branches.forking.obstacle()).toMatch(/^There are 3 branches/);
    run.branches.remove(entryOf(run).id);
    expect(run.branches.forking.obstacle()).toBeUndefined();
    await steps(run, CYCLES);
    expect(run.branches.forking.obstacle()).toMatch(/^The run ends here/);
  });
});
