/** Stored states read beside the page: what is asked of the file, what a broken one says, and a reader that comes to no end. */
import { describe, expect, it, vi } from 'vitest';
import {
  CaseError,
  createMemoryStorage,
  FileLostError,
  HDF5_PATIENCE,
  readHdf5Here,
} from '../../../../engine/index.ts';
import { createLocalPorts } from '../../../../engine/run/calls.ts';
import { createFieldsFile, FIELDS_FILE } from '../../../../engine/output/fields/fields-file.ts';
import { NETCDF_FILE } from '../../../../engine/output/fields/netcdf-parts.ts';
import { writeRunRecord } from '../../../../engine/output/run-record.ts';
import type { OpenHdf5, RunRecord, ServicePort } from '../../../../engine/index.ts';
import { partedFile } from '../../../../app/host/files.ts';
import { openPlayback, playbackFolder, playFolder } from '../../../../app/features/playback/play-folder.ts';
import type { OpenPlayback } from '../../../../app/features/playback/play-folder.ts';
import { servePlayback } from '../../../../app/features/playback/playback-service.ts';
import type { PlaybackCommands, PlaybackEvent } from '../../../../app/features/playback/playback-service.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { scenarioOf, settle, snapshotOf } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { CYCLES, storedRun } from '../../../setup/stored-run.ts';
import { PlaybackEnded } from '../../../../app/document/run/recorded-cycles.ts';

function serve(openHdf5: OpenHdf5 = readHdf5Here): ServicePort<PlaybackCommands, PlaybackEvent> {
  const { starter, host } = createLocalPorts<never, never>();
  servePlayback(host, openHdf5);
  return starter;
}

const NONE = new Map<string, number>();

/** A run folder whose cycles 0 and 2 are stored. */
async function folderOf() {
  const storage = createMemoryStorage();
  const file = createFieldsFile(storage, undefined);
  for (const cycle of [0, 2]) await file.add(snapshotOf(cycle));
  await file.mark()();
  await writeRunRecord(storage, {
    format: 2,
    state: 'stopped',
    scenario: scenarioOf(4),
    seed: 1,
    backend: { name: 'reference', adapter: 'host' },
    versions: {},
    methods: [{ label: 'letkf', kind: 'letkf', members: 4 }],
    variables: ['h'],
    cycles: 4,
    completedCycles: 3,
    start: '',
    end: '',
    resumed: [],
    warnings: [],
    fields: { every: 2 },
    files: { [FIELDS_FILE]: file.extent },
  } as unknown as RunRecord);
  const { [FIELDS_FILE]: states, ...files } = Object.fromEntries(storage.files);
  return { files, states };
}

async function opened(change: (states: Uint8Array) => Uint8Array = (states) => states) {
  const { files, states } = await folderOf();
  const blob = new Blob([change(states) as Uint8Array<ArrayBuffer>]);
  const folder = playbackFolder({ files, parted: { [FIELDS_FILE]: partedFile(blob) } });
  if (!folder) throw new Error('there are no states');
  return folder;
}

/** Stored states of NetCDF whose water levels of the forecasts are refused. */
async function refusing(refusal: Error) {
  const { [NETCDF_FILE]: states, ...files } = Object.fromEntries((await storedRun('netcdf')).files);
  const folder = { files, parted: { [NETCDF_FILE]: partedFile(new Blob([states as Uint8Array<ArrayBuffer>])) } };
  const open = (openHdf5: OpenHdf5) => openPlayback(folder, NONE, { start: () => serve(openHdf5) });
  const playback = await open(async (...given) => {
    const file = await readHdf5Here(...given);
    const numbers: typeof file.numbers = (path, ranges) =>
      path === 'eta_forecast' ? Promise.reject(refusal) : file.numbers(path, ranges);
    return { ...file, numbers };
  });
  return { open, playback };
}

describe('stored states', () => {
  it('are read cycle by cycle, in parts of their file', async () => {
    const playback = await openPlayback(await opened(), NONE, { start: () => serve() });
    expect(playback).toMatchObject({ cycles: [0, 2], file: FIELDS_FILE });
    const { departures: _departures, ...observations } = (await playback?.read(2))?.observations ?? {};
    expect(await playback?.read(2)).toMatchObject({ cycle: 2, timeSeconds: 3, truth: snapshotOf(2).truth });
    expect(observations).toMatchObject({ variable: ['h'] });
    await expect(playback?.read(1)).rejects.toThrow('the states of cycle 1 are not stored');
    const [cell] = (await playback?.readCells(2, [5])) ?? [];
    expect(cell.reading).toEqual({
      cycle: 2,
      timeSeconds: 3,
      truth: 0,
      methods: { letkf: { forecast: 0, analysis: 0, members: new Float32Array() } },
    });
    await expect(playback?.readCells(1, [5])).rejects.toThrow('the states of cycle 1 are not stored');
    playback?.close();
    await expect(playback?.read(0)).rejects.toThrow('the run is on screen no more');
  });

  it('are none of a folder without their file', async () => {
    const { files } = await folderOf();
    expect(playbackFolder({ files, parted: {} })).toBeUndefined();
  });

  it('that are cut off are refused with file and place', async () => {
    const folder = await opened((states) => states.subarray(0, 40));
    await expect(openPlayback(folder, NONE, { start: () => serve() })).rejects.toThrow(
      /^fields\.bin: found 40 bytes, needed/,
    );
  });

  it('of NetCDF are read by the door that is given, and what it says is reported', async () => {
    const refusal = new CaseError('fields.nc: eta_forecast: found another type of numbers than this program writes');
    const { open, playback } = await refusing(refusal);
    expect(playback?.cycles).toEqual(CYCLES);
    for (const cycle of CYCLES.slice(0, 2)) await expect(playback?.read(cycle)).rejects.toEqual(refusal);
    await expect(open(() => Promise.reject(refusal))).rejects.toEqual(refusal);
  });

  it('of which HDF5 comes to no end are read no more', async () => {
    const { playback } = await refusing(new FileLostError('fields.nc: eta_forecast: found no answer of HDF5'));
    const ended = new PlaybackEnded('fields.nc: eta_forecast: found no answer of HDF5');
    for (const cycle of CYCLES.slice(0, 2)) await expect(playback?.read(cycle)).rejects.toEqual(ended);
    await expect(playback?.readCells(CYCLES[0], [0])).rejects.toEqual(ended);
  });

  it('are given up where their reader makes no progress', async () => {
    vi.useFakeTimers();
    try {
      let isClosed = false;
      const silent: ServicePort<PlaybackCommands, PlaybackEvent> = {
        post: () => undefined,
        listen: () => undefined,
        onFailure: () => undefined,
        close() {
          isClosed = true;
        },
      };
      const opening = openPlayback(await opened(), NONE, { start: () => silent, patienceSeconds: 5 });
      const refusal = opening.catch((error: unknown) => error);
      // Not before HDF5 would be given up.
      const seconds = HDF5_PATIENCE.seconds + 5;
      await vi.advanceTimersByTimeAsync(1000 * (seconds - 0.5));
      expect(isClosed).toBe(false);
      await vi.advanceTimersByTimeAsync(1000);
      expect(await refusal).toEqual(
        new PlaybackEnded(
          `fields.bin: reading it made no progress for ${seconds} s and was ended; the file may be damaged`,
        ),
      );
      expect(isClosed).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

const open: OpenPlayback = (folder, divergedAt) => openPlayback(folder, divergedAt, { start: () => serve() });
const lost: OpenPlayback = async () => ({
  cycles: [0, 2],
  members: [],
  file: FIELDS_FILE,
  read: () => Promise.reject(new PlaybackEnded('the worker broke down')),
  readCells: () => Promise.reject(new PlaybackEnded('the worker broke down')),
  close: () => undefined,
});

describe('a run folder on screen', () => {
  const run = { fields: { every: 2 }, divergences: [], checkpoint: { cycle: 3 } };

  it('has its stored cycles up to its checkpoint, and lists them', async () => {
    const laboratory = laboratoryOf();
    const { course } = createRunStates();
    const folder = await opened();
    await playFolder(folder, run, course, laboratory.notices, open);
    expect(course.recorded.cycles.value).toEqual([0, 2]);
    expect(laboratory.notices.notices.value).toMatchObject([{ title: '2 stored cycles can be played' }]);
    await playFolder(folder, { ...run, checkpoint: { cycle: 2 } }, course, laboratory.notices, open);
    expect(course.recorded.cycles.value).toEqual([0]);
    // Nothing continues there: what was last is shown.
    await playFolder(folder, { ...run, checkpoint: undefined }, course, laboratory.notices, open);
    course.addSnapshot(snapshotOf(-1));
    await vi.waitFor(() => expect(course.cycle.value).toBe(2), 10_000);
  });

  it('keeps what it has where its states are missing, broken, or their reader is lost', async () => {
    const { notices } = laboratoryOf();
    const { course } = createRunStates();
    const lines = () => notices.notices.value.map(({ title, lines: [line] }) => `${title}: ${line}`);
    await playFolder(undefined, run, course, notices, open);
    expect(lines()).toEqual([
      'The stored cycles cannot be shown: fields.nc: there is no such file, though run.json says that the states of cycles were kept.',
    ]);
    await playFolder(await opened((states) => states.fill(7, 0, 9)), run, course, notices, open);
    expect(lines()).toEqual([expect.stringMatching(/^The stored cycles cannot be shown: fields\.bin/)]);
    await playFolder(await opened(), run, course, notices, lost);
    await settle();
    expect(lines()).toContain('The stored cycles cannot be shown: the worker broke down');
    expect(course.recorded.source.value).toBeUndefined();
    const broken: OpenPlayback = async (...given) => {
      const playback = await open(...given);
      return playback && { ...playback, read: () => Promise.reject(new Error('fields.bin: damaged')) };
    };
    await playFolder(await opened(), run, course, notices, broken);
    await settle();
    expect(notices.notices.value.at(-1)).toMatchObject({
      title: 'Stored cycles cannot be read',
      lines: ['Cycle 0: fields.bin: damaged', 'Cycle 2: fields.bin: damaged', 'Playing and steps pass over them.'],
    });
  });

  it('of a run that has no stored states says nothing', async () => {
    const { notices } = laboratoryOf();
    await playFolder(undefined, { ...run, fields: undefined }, createRunStates().course, notices, open);
    expect(notices.notices.value).toEqual([]);
  });
});
