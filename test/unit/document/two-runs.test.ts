/** Two runs side by side in one page, each computed on its own: nothing of one is seen in the other. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Scenario, Snapshot } from '../../../engine/index.ts';
import type { OpenRun } from '../../../app/document/run/page-run.ts';
import { createRunView } from '../../../app/document/run-view.ts';
import type { RunView } from '../../../app/document/run-view.ts';
import { tinyScenario } from './run/tiny-scenario.ts';
import { laboratoryOf } from '../page/laboratory.ts';
import { realRuns } from './run/real-runs.ts';
import type { RealWorker } from './run/real-runs.ts';
import { soon } from '../../setup/soon.ts';

const POND = tinyScenario();
const LAKE = tinyScenario({
  name: 'lake',
  seed: 8,
  grid: { nx: 16, ny: 8 },
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 3 }, inflation: 1.2 }],
  experiment: { cycles: 6, window: 0.5 },
});
const INFLATION = { pond: 'methods[2].inflation', lake: 'methods[1].inflation' };

let workers: RealWorker[] = [];
let runs: RunView[] = [];
let openRun: OpenRun = () => {
  throw new Error('no page is open');
};
let laboratory = laboratoryOf();

beforeEach(() => {
  runs = [];
  laboratory = laboratoryOf();
  ({ openRun, workers } = realRuns());
});
afterEach(() => {
  for (const run of runs) run.dispose();
});

/** A run of a scenario that is open and waits for its first step. */
async function open(scenario: Scenario, page = laboratory): Promise<RunView> {
  // Nobody sees the water on its way from cycle to cycle.
  page.preferences.reducedMotion.value = true;
  const run = createRunView(page, openRun);
  runs.push(run);
  const name = `${scenario.name}.json`;
  run.scenario.openScenario({ raw: scenario }, { name, kind: 'file', files: {} });
  run.controller.start(scenario, {}, { play: false });
  await soon(() => expect(run.course.status.value).toBe('ready'));
  return run;
}

async function step(...stepped: readonly RunView[]): Promise<void> {
  await Promise.all(stepped.map(({ controller }) => controller.stepForward()));
}

function storedIn({ course }: RunView): readonly number[] {
  return course.history.value.snapshots.map(({ cycle }) => cycle);
}

function truthOf(snapshot: Snapshot | undefined): Float32Array {
  const plane = snapshot?.truth.eta;
  if (plane?.kind !== 'host') throw new Error('the truth is not in memory');
  return plane.values;
}

/** What a cycle's scores are of, without the times that it took. */
function scoresOf({ course }: RunView): unknown {
  return course.diagnostics.value.get('letkf')?.map(({ cycle, rmse, spread }) => ({ cycle, rmse, spread }));
}

it('each store their own cycles, with the numbers that they have alone', async () => {
  const [pond, lake] = [await open(POND), await open(LAKE)];
  await step(pond, lake);
  await step(pond, lake);
  await step(lake);
  expect([storedIn(pond), storedIn(lake)]).toEqual([
    [-1, 0, 1],
    [-1, 0, 1, 2],
  ]);
  expect([pond, lake].map(({ course }) => [...course.diagnostics.value.keys()])).toEqual([
    ['free-run', '3dvar', 'letkf'],
    ['free-run', 'letkf'],
  ]);
  expect([pond, lake].map(({ course }) => course.info.value?.basin.nx)).toEqual([12, 16]);
  const alone = await open(LAKE, laboratoryOf());
  for (let each = 0; each < 3; each++) await step(alone);
  expect(truthOf(lake.course.currentSnapshot.value)).toEqual(truthOf(alone.course.currentSnapshot.value));
  expect(scoresOf(lake)).toEqual(scoresOf(alone));
});

it('are at cycles of their own, and what is selected in one is not in the other', async () => {
  const [pond, lake] = [await open(POND), await open(LAKE)];
  await step(pond, lake);
  await step(pond, lake);
  pond.controller.scrub(0);
  pond.view.toggleProbe({ x: 1, y: 2 });
  pond.view.phase.value = 'forecast';
  pond.view.toggleMethod('3dvar');
  await step(pond, lake);
  expect([pond.course.cycle.value, lake.course.cycle.value]).toEqual([1, 2]);
  expect([pond.view.selectedMethods.value, lake.view.selectedMethods.value]).toEqual([
    ['free-run', 'letkf'],
    ['free-run', 'letkf'],
  ]);
  expect(lake.view.hiddenMethods.value.size).toBe(0);
  expect([pond.view.phase.value, lake.view.phase.value]).toEqual(['forecast', 'analysis']);
  expect([pond.view.probes.value.length, lake.view.probes.value.length]).toEqual([1, 0]);
  lake.controller.restart();
  await soon(() => expect(lake.course.status.value).toBe('ready'));
  expect([storedIn(pond), storedIn(lake)]).toEqual([[-1, 0, 1], [-1]]);
});

it('have settings and steps to undo of their own, and a change takes effect in one alone', async () => {
  const [pond, lake] = [await open(POND), await open(LAKE)];
  await step(pond, lake);
  pond.scenario.setDraftValue(INFLATION.pond, 1.5);
  lake.scenario.setDraftValue(INFLATION.lake, 1.05, 'deflate');
  expect([pond, lake].map(({ scenario }) => scenario.undoTitle.value)).toEqual([`set ${INFLATION.pond}`, 'deflate']);
  lake.scenario.undo();
  expect([pond, lake].map(({ scenario }) => scenario.pendingChanges.value.length)).toEqual([1, 0]);
  await pond.controller.apply();
  const edit = { kind: 'setting', cycle: 1, path: INFLATION.pond, value: 1.5 };
  expect([pond, lake].map(({ edits }) => edits.interventions.value)).toEqual([[edit], []]);
  expect([pond, lake].map(({ course }) => course.info.value?.scenario.interventions)).toEqual([[edit], []]);
  expect([pond, lake].map(({ edits }) => edits.unsaved.value)).toEqual([true, false]);
  await step(pond, lake);
  // It continued in the worker that it was in, as a run that has the change in its file.
  expect(workers).toHaveLength(2);
  const planned = await open(tinyScenario({ interventions: [edit] }), laboratoryOf());
  await step(planned);
  await step(planned);
  expect(scoresOf(pond)).toEqual(scoresOf(planned));
});

it('of two pages distinguish their notices; of one page, each notice continues with its own run', async () => {
  const elsewhere = laboratoryOf();
  const [pond, lake] = [await open(POND), await open(LAKE)];
  const stranger = await open(POND, elsewhere);
  await step(pond, lake, stranger);
  workers[0].breakDown('out of memory');
  const [notice, ...others] = laboratory.notices.notices.value;
  expect([notice.title, notice.lines]).toEqual([
    'The computation was lost; the run continues from the start',
    ['out of memory'],
  ]);
  expect([others, elsewhere.notices.notices.value]).toEqual([[], []]);
  await soon(() => expect(pond.course.status.value).toBe('ready'));
  expect([storedIn(pond), storedIn(lake), storedIn(stranger)]).toEqual([[-1], [-1, 0], [-1, 0]]);
  expect(workers.map(({ isClosed }) => isClosed)).toEqual([true, false, false, false]);
});

it('end one by one: the other continues', async () => {
  const [pond, lake] = [await open(POND), await open(LAKE)];
  await step(pond, lake);
  pond.dispose();
  await step(pond, lake);
  expect([storedIn(pond), storedIn(lake)]).toEqual([[], [-1, 0, 1]]);
  expect([pond.course.status.value, lake.course.status.value]).toEqual(['idle', 'ready']);
  expect(workers.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  for (let each = 0; each < 4; each++) await step(lake);
  expect([lake.course.status.value, lake.course.newestCycle.value]).toEqual(['ended', 5]);
});
