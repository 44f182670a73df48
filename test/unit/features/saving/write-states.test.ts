/** A run of the page saved with its states: computed again, held against what it gave, and readable as what the command line writes. */
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createHostPlanes,
  createMemoryStorage,
  createReferenceBackend,
  openFields,
  openRunHere,
  readHdf5Here,
  readRun,
  readRunToContinue,
  type CycleDiagnostics,
  type RunHost,
  type Scenario,
  type ServicePort,
  type Snapshot,
} from '../../../../engine/index.ts';
import { MessageChannel } from 'node:worker_threads';
import type { Host, NamedFolder } from '../../../../app/host/host.ts';
import { createMemoryFile } from '../../../../app/features/saving/memory-file.ts';
import { serveSaving, type SavingCommands } from '../../../../app/features/saving/saving-service.ts';
import {
  saveWithStates,
  type SavingParts,
  type OpenHeadless,
  createSavingOf,
} from '../../../../app/features/saving/write-states.ts';
import { readerHere } from '../reading/reader-here.ts';
import { createLaboratory, given } from '../../../../app/page/laboratory.ts';
import { createRunView } from '../../../../app/document/run-view.ts';
import { soon } from '../../../setup/soon.ts';
import { portOf } from '../../run/hold.ts';
import { tinyScenario } from '../../document/run/tiny-scenario.ts';
import { realRuns } from '../../document/run/real-runs.ts';
import { createReaderOf } from '../../../../app/features/reading/worker-reader.ts';

const scenario = tinyScenario({ experiment: { cycles: 5, window: 0.5 } });
const MEMBERS = { every: 1, members: [0, 2] };

function host(): RunHost {
  const backend = createReferenceBackend();
  return { backend, planes: createHostPlanes(backend), yieldToEventLoop: () => turn() };
}

const openHeadless: OpenHeadless = (_backend, job, options) => openRunHere(host, job, options);

/** What the run gives of a cycle where its states are recorded from the beginning. */
async function recorded(of: Scenario, cycle: number): Promise<Snapshot> {
  let found: Snapshot | undefined;
  const run = openHeadless(
    'reference',
    { scenario: of, files: {}, source: 'tiny', misfit: 'refuse' },
    {
      observers: [
        {
          states: true,
          event: (event) =>
            void (event.type === 'states' && event.snapshot.cycle === cycle && (found = event.snapshot)),
        },
      ],
    },
  );
  await run.play(cycle + 1);
  run.dispose();
  if (!found) throw new Error('there is no such cycle');
  return found;
}

function surroundings(most = 2 ** 24) {
  const written: Readonly<Record<string, Uint8Array | Blob>>[] = [];
  /** What is shown of long work while the folder is written: its title, and whether it can be given up. */
  const shown: (readonly [title: string, canCancel: boolean])[] = [];
  let abandoned = 0;
  const removed: string[] = [];
  const folder: NamedFolder = {
    name: 'tiny-7',
    write(files, large) {
      written.push({ ...files, ...large });
      for (const { title, cancel } of laboratory.progress.longWork.value) shown.push([title, cancel !== undefined]);
      return Promise.resolve('written');
    },
    abandon: () => Promise.resolve(void (abandoned += 1)),
  };
  const startWorker = (): ServicePort<SavingCommands> => {
    const { port1, port2 } = new MessageChannel();
    serveSaving(portOf(port2), () => Promise.resolve(createMemoryFile(most)));
    return { ...portOf(port1), onFailure: () => undefined, close: () => port1.close() };
  };
  const saving: SavingParts = {
    openHeadless,
    startWorker,
    room: () => Promise.resolve({ kind: 'memory', free: most }),
    remove: (names) => Promise.resolve(void removed.push(...names)),
    sweep: () => Promise.resolve(),
  };
  const page = { forgetLink: () => undefined, nameFolder: () => Promise.resolve(folder) } as Partial<Host> as Host;
  const laboratory = createLaboratory({
    host: page,
    given: [given(createReaderOf, readerHere), given(createSavingOf, saving)],
  });
  // Nobody sees the water on its way from cycle to cycle.
  laboratory.preferences.reducedMotion.value = true;
  const run = createRunView(laboratory, realRuns().openRun);
  const notices = () => laboratory.notices.notices.value.map(({ title, lines }) => [title, ...lines].join(' | '));
  return { laboratory, run, folder, written, shown, removed, notices, abandoned: () => abandoned };
}

type Surroundings = ReturnType<typeof surroundings>;

async function runTo({ run }: Surroundings, cycles: number): Promise<void> {
  const file = { name: 'tiny.json', kind: 'file', files: {} } as const;
  run.scenario.openScenario({ raw: scenario }, file);
  run.controller.start(scenario, {}, { play: false });
  await soon(() => expect(run.course.status.value).toBe('ready'));
  for (let each = 0; each < cycles; each++) await run.controller.stepForward();
  expect(run.course.newestCycle.value).toBe(cycles - 1);
}

async function storageOf(files: Readonly<Record<string, Uint8Array | Blob>>) {
  const storage = createMemoryStorage();
  for (const [path, content] of Object.entries(files)) {
    const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
    await storage.writeWhole(path, bytes);
  }
  return storage;
}

describe('a run that is saved with its states', () => {
  let here: Surroundings;
  beforeEach(() => {
    here = surroundings();
    return () => here.run.dispose();
  });

  it('has those of each cycle, to the bits that it computed, and its numbers', async () => {
    await runTo(here, 5);
    await saveWithStates(here.laboratory, here.run, MEMBERS);
    expect(here.notices()).toEqual([
      expect.stringMatching(/^Saved the run as tiny-7 \| With the states of 5 cycles in fields\.nc, [\d.]+ [KM]iB\.$/),
    ]);
    const [files] = here.written;
    expect(Object.keys(files)).toContain('fields.nc');
    // Nothing continues from a run at its end.
    expect(Object.keys(files)).not.toContain('fields.bin');
    const storage = await storageOf(files);
    const fields = await openFields(storage, readHdf5Here);
    expect(fields).toMatchObject({ cycles: [0, 1, 2, 3, 4], members: [0, 2] });
    const known = await recorded(scenario, 3);
    for (const { method, analysis } of known.methods) {
      const plane = await fields?.readPlane({ cycle: 3, of: method, variable: 'eta' });
      expect([method, plane]).toEqual([method, analysis.eta.kind === 'host' ? analysis.eta.values : undefined]);
    }
    expect(await fields?.readPlane({ cycle: 3, of: 'letkf', variable: 'hu', member: 2 })).toBeDefined();
    expect((await readRun(storage))?.record).toMatchObject({ state: 'complete', fields: MEMBERS });
    expect(here.removed).toHaveLength(1);
    // What would have no effect any more is not offered.
    expect(here.shown).toEqual([['Writing the folder', false]]);
  });

  it('can be continued with where it is not at its end', async () => {
    await runTo(here, 1);
    // What was changed on the way is part of what is computed again.
    const drop = { kind: 'drop', x: 4, y: 4, radius: 2, height: 0.2, volume: 'displaced', seenBy: 'truth' } as const;
    await here.run.controller.changeInterventions((before, cycle) => [...before, { ...drop, cycle }]);
    for (const _ of [1, 2]) await here.run.controller.stepForward();
    await saveWithStates(here.laboratory, here.run, { every: 2 });
    const storage = await storageOf(here.written[0]);
    const kept = await readRunToContinue(storage, here.run.course.info.value?.scenario ?? scenario);
    expect(kept?.record.scenario.interventions).toEqual([{ ...drop, cycle: 1 }]);
    expect(kept?.record).toMatchObject({ state: 'stopped', completedCycles: 3, fields: { every: 2 } });
    expect(kept?.fields?.extent).toEqual(kept?.record.files?.['fields.bin']);
    expect(kept?.fields?.extent.bytes).toBeGreaterThan(0);
    expect((await openFields(storage, readHdf5Here))?.cycles).toEqual([1]);
    expect(here.removed).toHaveLength(2);
  });

  it('is not saved where it comes out otherwise, and says where', async () => {
    await runTo(here, 3);
    const { addDiagnostics, diagnostics } = here.run.course;
    const rows: readonly CycleDiagnostics[] = diagnostics.value.get('letkf') ?? [];
    const { rmse } = rows[1];
    const wrong = { ...rows[1], rmse: { ...rmse, analysis: { ...rmse.analysis, h: 0.5 } } };
    const all = [...diagnostics.value.values()].flat();
    addDiagnostics(all.map((row) => (row === rows[1] ? wrong : row)));
    await saveWithStates(here.laboratory, here.run, { every: 1 });
    expect(here.notices()).toEqual([
      expect.stringMatching(
        /^Saving the run with its states failed \| Computed again, the run is another one from cycle 1 on: letkf rmse_analysis_h was 0\.5 and is 0\.\d+\./,
      ),
    ]);
    expect([here.written.length, here.abandoned(), here.removed.length]).toEqual([0, 1, 2]);
  });

  it('can be given up, and leaves nothing', async () => {
    await runTo(here, 3);
    const saving = saveWithStates(here.laboratory, here.run, { every: 1 });
    const { longWork } = here.laboratory.progress;
    await soon(() => expect(longWork.value.at(-1)?.cancel).toBeDefined());
    longWork.value.at(-1)?.cancel?.();
    await saving;
    expect(here.notices()).toEqual(['Saving was cancelled | Nothing was written.']);
    expect([here.written.length, here.abandoned(), here.removed.length, longWork.value.length]).toEqual([0, 1, 2, 0]);
  });
});

it('says what there was no room for, and leaves nothing', async () => {
  const here = surroundings(30_000);
  await runTo(here, 3);
  await saveWithStates(here.laboratory, here.run, { every: 1 });
  expect(here.notices()).toEqual([
    'Saving the run with its states failed | more than 30000 bytes of memory would be needed',
  ]);
  expect([here.written.length, here.abandoned()]).toEqual([0, 1]);
  here.run.dispose();
});

it('says what went wrong first where the folder cannot be put away either', async () => {
  const here = surroundings(30_000);
  here.folder.abandon = () => Promise.reject(new Error('it is gone'));
  await runTo(here, 3);
  await saveWithStates(here.laboratory, here.run, { every: 1 });
  expect(here.notices()).toEqual([expect.stringContaining('more than 30000 bytes of memory would be needed')]);
  here.run.dispose();
});
