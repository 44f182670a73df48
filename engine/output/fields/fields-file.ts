/**
 * `fields.bin`: the states of a run's cycles while it runs, one record behind another. It only grows, so that a run that is stopped
 * at any moment loses nothing that its checkpoint counts; `fields.nc` is made of it when the run ends.
 */
import { errorOf, ScenarioError } from '../../errors.ts';
import type { Snapshot } from '../../run/index.ts';
import { createGrowingFile, createRunningChecksum, extentProblem } from '../stored-files.ts';
import type { Extent, RunningChecksum, Storage } from '../stored-files.ts';
import { decodeFrame, decodeSnapshot, encodeSnapshot, SNAPSHOT_FRAME_BYTES, layoutOf } from './snapshot-record.ts';
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { createHdf5In, type RandomAccessFile } from '../../files/hdf5.ts';
import { createFieldsWriter } from './netcdf.ts';
import { answersImpact, membersOf, methodDefinition } from '../../methods/index.ts';
import { cyclesOf, observedVariables, recordedImpact, situationOf, type Scenario } from '../../scenario/index.ts';
import type { RunRecord, FieldsGround } from '../run-record.ts';

/**
 * The states of a run as its folder keeps them, written in one go: `fields.nc`, and `fields.bin` beside it for a run that can continue.
 * Neither is ever in memory as a whole.
 *
 * Where the states are written.
 */
export interface StateFiles {
  /** `fields.nc`. */
  readonly netcdf: RandomAccessFile;
  /** `fields.bin`; not written if omitted. */
  readonly records?: RandomAccessFile | undefined;
}

/** Each of them throws what could not be written; then neither file is of any use. */
export interface StatesWriter {
  /** Adds one cycle, with planes in memory; cycles come in ascending order. */
  add(snapshot: Snapshot): void;
  /** Adds what was measured of methods in cycles; cycles come in ascending order. */
  addDiagnostics(rows: readonly CycleDiagnostics[]): void;
  /** @returns the extent of `fields.bin`; undefined where it is not written */
  finish(): Extent | undefined;
}

/** @param files empty */
export async function createStatesWriter({ netcdf, records }: StateFiles, ground: FieldsGround): Promise<StatesWriter> {
  const target = await createHdf5In(netcdf);
  const writer = target.write((file) => createFieldsWriter(file, ground));
  const checksum = createRunningChecksum();
  return {
    add(snapshot) {
      target.write(() => writer.add(snapshot));
      if (!records) return;
      const record = encodeSnapshot(snapshot);
      records.write(record, records.size);
      checksum.add(record);
    },
    addDiagnostics(rows) {
      target.write(() => {
        for (const row of rows) writer.addDiagnostics(row);
      });
    },
    finish() {
      target.write(() => writer.finish());
      target.close();
      return records && checksum.extent;
    },
  };
}

export const FIELDS_FILE = 'fields.bin';

/** Records that wait for the disk, bytes: with more of them the run waits as well. */
const MOST_WAITING_BYTES = 256 * 2 ** 20;

export interface FieldsFile {
  /** Takes a cycle; resolves at once while few wait for the disk. Rejects with what could not be written before. */
  add(snapshot: Snapshot): Promise<void>;
  /**
   * Marks what was taken until now.
   *
   * @returns resolves, when it is called, as soon as that is on the disk, with its extent; what could not be written is tried again
   */
  mark(): () => Promise<Extent>;
  /** Extent of what is on the disk. */
  readonly extent: Extent;
}

/** How many records are to be on the disk, and the extent of the file when they are. */
interface Mark {
  readonly wanted: number;
  extent: Extent | undefined;
}

/** @param kept the beginning that stays of what there is */
export function createFieldsFile(
  storage: Storage,
  kept: RunningChecksum | undefined,
  mostWaitingBytes = MOST_WAITING_BYTES,
): FieldsFile {
  const file = createGrowingFile(storage, FIELDS_FILE, kept);
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let [taken, written] = [0, 0];
  const marks = new Set<Mark>();
  let writing: Promise<void> | undefined;
  let failure: Error | undefined;
  /** Called when another record is written, or could not be. */
  let onNews: (() => void)[] = [];

  const tell = (): void => {
    const told = onNews;
    onNews = [];
    for (const each of told) each();
  };

  async function writeAll(): Promise<void> {
    for (let record = waiting.at(0); record; record = waiting.at(0)) {
      await file.append(record);
      waiting.shift();
      waitingBytes -= record.byteLength;
      written += 1;
      for (const mark of marks) {
        if (mark.wanted !== written) continue;
        mark.extent = file.extent;
        marks.delete(mark);
      }
      tell();
    }
  }

  function start(): void {
    failure = undefined;
    writing ??= writeAll()
      .catch((error: unknown) => void (failure = errorOf(error)))
      .finally(() => {
        writing = undefined;
        tell();
      });
  }

  const news = (): Promise<void> => new Promise((resolve) => onNews.push(resolve));

  /** @throws what could not be written */
  async function until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      if (failure) throw failure;
      if (!writing) start();
      await news();
    }
  }

  return {
    async add(snapshot) {
      if (failure) throw failure;
      const record = encodeSnapshot(snapshot);
      waiting.push(record);
      taken += 1;
      waitingBytes += record.byteLength;
      if (!writing) start();
      await until(() => waitingBytes <= mostWaitingBytes);
    },
    mark() {
      const wanted = taken;
      const mark: Mark = { wanted, extent: written === wanted ? file.extent : undefined };
      if (!mark.extent) marks.add(mark);
      return async () => {
        // Also without records, once: what follows the beginning belongs to no run any more.
        if (waiting.length === 0 && !writing) await file.append('');
        failure = undefined;
        await until(() => mark.extent !== undefined);
        return mark.extent ?? file.extent;
      };
    },
    get extent() {
      return file.extent;
    },
  };
}

/** @throws ScenarioError where the file ends before */
export async function readPart(storage: Storage, from: number, bytes: number): Promise<Uint8Array> {
  const part = await storage.read(FIELDS_FILE, { from, bytes });
  if (part?.byteLength === bytes) return part;
  const found = part === undefined ? 'no such file' : `${from + part.byteLength} bytes`;
  throw new ScenarioError([{ file: FIELDS_FILE, path: [], message: `found ${found}, needed: ${from + bytes} bytes` }]);
}

/** The records as bytes, with one in memory at a time. */
async function* recordsOf(storage: Storage, end: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < end;) {
    const frame = await readPart(storage, from, SNAPSHOT_FRAME_BYTES);
    const { totalBytes } = decodeFrame(frame, FIELDS_FILE);
    yield await readPart(storage, from, totalBytes);
    from += totalBytes;
  }
}

/**
 * Reads the states that were stored, by ascending cycle, with one of them in memory at a time.
 *
 * @param committed how much of the file belongs to the run
 * @throws ScenarioError where the file is shorter than that, or holds something else
 */
export async function* readFields(storage: Storage, committed: Extent): AsyncGenerator<Snapshot> {
  for await (const record of recordsOf(storage, committed.bytes)) yield decodeSnapshot(record, FIELDS_FILE);
}

/**
 * @param committed how much of the file belongs to the run
 * @param cycle that the run continues with: records of it and of later cycles are not kept
 * @returns the checksum of the records that are kept, from which the file can grow on
 * @throws ScenarioError where the file is shorter than what was committed or its content is another
 */
export async function readFieldsBefore(storage: Storage, committed: Extent, cycle: number): Promise<RunningChecksum> {
  const checksum = createRunningChecksum();
  let kept: RunningChecksum | undefined;
  for await (const record of recordsOf(storage, committed.bytes)) {
    if (!kept && decodeSnapshot(record, FIELDS_FILE).cycle >= cycle) kept = checksum.fork();
    checksum.add(record);
  }
  const problem = extentProblem(checksum.extent, committed);
  if (problem !== undefined) throw new ScenarioError([{ file: FIELDS_FILE, path: [], message: problem }]);
  return kept ?? checksum;
}

/** How large the states of a run will be, stated before it starts. */
export interface FieldsSize {
  /** Cycles whose states are kept. */
  readonly cycles: number;
  /** The most bytes of one of them in `fields.bin`. */
  readonly cycleBytes: number;
  /** Bytes of all of them. `fields.nc`, which is made of them, is compressed, and larger only by what it has beside the states. */
  readonly bytes: number;
  /** Memory that they take at most while the run continues: one that is taken, as it is and as bytes, and those that wait for the disk. */
  readonly memoryBytes: number;
}

/** Bytes of a record beside its arrays, about. */
const HEADER_BYTES = 1024;

/**
 * @param methods labels of those that run; all if omitted
 * @param from the first cycle that is run
 * @param end before which cycle it ends; the end of the scenario if omitted
 */
export function fieldsSize(
  scenario: Scenario,
  { every, members = [] }: NonNullable<RunRecord['fields']>,
  methods?: readonly string[],
  from = 0,
  end = cyclesOf(scenario),
): FieldsSize {
  const { grid, background } = scenario;
  const chosen = scenario.methods.filter(({ label }) => methods === undefined || methods.includes(label));
  const labels = chosen.map(({ label }) => label);
  const { bytes } = layoutOf({
    cycle: 0,
    timeSeconds: 0,
    cells: grid.nx * grid.ny,
    methods: chosen.map((method) => {
      const { kind, label } = method;
      const isEnsemble = membersOf(kind, background.members) > 1;
      const kept = isEnsemble ? [...members] : [];
      const findsInflation = methodDefinition(kind).localAnalyses?.(method)?.findsInflation === true;
      return {
        method: label,
        hasSpread: isEnsemble,
        hasForecastSpread: isEnsemble,
        ...(findsInflation && { inflation: 'plane' as const }),
        members: kept,
      };
    }),
    observations: {
      count: situationOf(scenario).observations,
      variables: [...observedVariables(scenario)],
      hasShare: true,
      innovations: labels,
      departures: labels,
      believed: labels,
      impacts: recordedImpact(scenario.experiment) ? chosen.filter(answersImpact).map(({ label }) => label) : [],
    },
  });
  const cycleBytes = HEADER_BYTES + bytes;
  const cycles = Math.floor(end / every) - Math.floor(from / every);
  const all = cycles * cycleBytes;
  return {
    cycles,
    cycleBytes,
    bytes: all,
    memoryBytes: 2 * cycleBytes + Math.min(all, MOST_WAITING_BYTES + cycleBytes),
  };
}
