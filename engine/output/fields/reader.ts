/**
 * The states of a run's cycles, read from its folder: from `fields.bin` while it runs or where it was left, from `fields.nc` when it
 * is complete. One plane is read at a time; neither file is ever in memory as a whole.
 */
import type { OpenHdf5 } from '../../files/hdf5-reader.ts';
import { readCheckpointGround, furthest } from '../checkpoint-files.ts';
import { validateScenario } from '../../scenario/index.ts';
import { readRunRecord, type RunRecord } from '../run-record.ts';
import type { Storage, Extent } from '../stored-files.ts';
import { FIELDS_FILE, readPart } from './fields-file.ts';
import { openNetcdf } from './netcdf-reader.ts';
import { ScenarioError } from '../../errors.ts';
import { quote } from '../../words.ts';
import { TRUTH, type FieldsReader, type FieldsSource, type StoredPlane } from './stored-plane.ts';
import {
  KINDS,
  partNames,
  decodeFrame,
  decodeHeader,
  numbersOf,
  observationsIn,
  SNAPSHOT_FRAME_BYTES,
} from './snapshot-record.ts';
import type { RecordPart, SnapshotHeader, DecodedHeader } from './snapshot-record.ts';

/** A record whose arrays are not read. */
interface IndexedRecord extends DecodedHeader {
  /** Offset of the record in the file. */
  readonly from: number;
}

/** @returns what a record has against its run, and against the cycle of the one before; undefined where it has nothing */
function headerProblem(
  { cells, cycle, methods }: SnapshotHeader,
  { scenario, cycles, methods: run }: RunRecord,
  before = -2,
): string | undefined {
  const { nx, ny } = scenario.grid;
  const where = `in the record of cycle ${cycle}`;
  if (cells !== nx * ny) return `found ${cells} cells ${where}, the run has ${nx * ny}`;
  if (cycle <= before || cycle >= cycles) {
    const allowed = `ascending cycles, up to ${cycles - 1}`;
    return `found cycle ${cycle}${before === -2 ? '' : ` after cycle ${before}`}, allowed: ${allowed}`;
  }
  const other = methods.find(({ method }) => !run.some(({ label }) => label === method));
  if (!other) return undefined;
  return `found the method ${quote(other.method)} ${where}, run.json has ${run.map(({ label }) => quote(label)).join(', ')}`;
}

async function readIndex(storage: Storage, run: RunRecord, end: number): Promise<IndexedRecord[]> {
  const found: IndexedRecord[] = [];
  for (let from = 0; from < end;) {
    const frame = decodeFrame(await readPart(storage, from, SNAPSHOT_FRAME_BYTES), FIELDS_FILE);
    const header = await readPart(storage, from + SNAPSHOT_FRAME_BYTES, frame.headerBytes);
    const record = { ...decodeHeader(header, frame, FIELDS_FILE), from };
    const message = headerProblem(record.header, run, found.at(-1)?.header.cycle);
    if (message !== undefined) throw new ScenarioError([{ file: FIELDS_FILE, path: [], message }]);
    found.push(record);
    from += frame.totalBytes;
  }
  return found;
}

/**
 * @param labels of the run's methods
 * @returns the array that a plane is; undefined where the record has none
 * @throws RangeError for another method
 */
function partOf(
  { header, layout }: IndexedRecord,
  plane: StoredPlane,
  labels: readonly string[],
): RecordPart | undefined {
  const { of, variable, when = 'analysis', member } = plane;
  const index = header.methods.findIndex(({ method }) => method === of);
  if (of === TRUTH && index < 0) return layout.parts.get(partNames.truth(variable));
  if (index < 0) {
    if (labels.includes(of)) return undefined;
    throw new RangeError(`the run has no method ${of}`);
  }
  const { divergedAt, members } = header.methods[index];
  if (divergedAt !== undefined) return undefined;
  if (member !== undefined) return layout.parts.get(partNames.member(index, members.indexOf(member), variable));
  switch (when) {
    case 'forecast':
    case 'analysis':
      return layout.parts.get(partNames.state(index, when, variable));
    case 'forecast-spread':
      return variable === 'eta' ? layout.parts.get(partNames.spread(index, 'forecast')) : undefined;
    case 'analysis-spread':
      return variable === 'eta' ? layout.parts.get(partNames.spread(index, 'analysis')) : undefined;
    case 'inflation':
      return variable === 'eta' ? layout.parts.get(partNames.inflation(index)) : undefined;
    default:
      return when satisfies never;
  }
}

/** @returns the one factor that all cells of a record's method have; undefined where it has none, or one of each cell */
function oneInflation({ header }: IndexedRecord, { of, variable, when }: StoredPlane): number | undefined {
  if (when !== 'inflation' || variable !== 'eta') return undefined;
  const found = header.methods.find(({ method, divergedAt }) => method === of && divergedAt === undefined)?.inflation;
  return typeof found === 'number' ? found : undefined;
}

/** @param committed how much of the file belongs to the run */
async function openRecords(storage: Storage, run: RunRecord, committed: Extent): Promise<FieldsSource> {
  const records = await readIndex(storage, run, committed.bytes);
  const recordOf = (cycle: number): IndexedRecord => {
    const found = records.find(({ header }) => header.cycle === cycle);
    if (!found) throw new RangeError(`the states of cycle ${cycle} are not stored`);
    return found;
  };
  const read = async ({ from, begin }: IndexedRecord, part: RecordPart) => {
    const bytes = part.length * KINDS[part.kind].BYTES_PER_ELEMENT;
    return numbersOf(part, await readPart(storage, from + begin + part.offset, bytes));
  };
  const methods = run.methods.map(({ label }) => label);
  return {
    cycles: records.map(({ header }) => header.cycle),
    timesSeconds: records.map(({ header }) => header.timeSeconds),
    methods,
    members: [...new Set(records.flatMap(({ header }) => header.methods.flatMap(({ members }) => members)))].sort(
      (a, b) => a - b,
    ),
    async readPlane(plane) {
      const record = recordOf(plane.cycle);
      const inflation = oneInflation(record, plane);
      if (inflation !== undefined) return new Float32Array(record.header.cells).fill(inflation);
      const part = partOf(record, plane, methods);
      return part && ((await read(record, part)) as Float32Array);
    },
    async observationsAt(cycle) {
      const record = recordOf(cycle);
      const columns = new Map<string, Awaited<ReturnType<typeof read>>>();
      for (const [name, part] of record.layout.parts) {
        if (name.startsWith('observations.')) columns.set(name, await read(record, part));
      }
      return observationsIn(record.header, (name) => columns.get(name) ?? new Float64Array(0));
    },
    dispose: () => undefined,
  };
}

/**
 * Opens the states of a run folder.
 *
 * @param openHdf5 reads `fields.nc` where it can be stopped
 * @returns undefined where the folder has no run, or none that kept states
 * @throws ScenarioError, CaseError naming the file that is broken, and what is wrong with it
 */
export async function openFields(storage: Storage, openHdf5: OpenHdf5): Promise<FieldsReader | undefined> {
  const found = await readRunRecord(storage);
  if (!found?.fields) return undefined;
  const record = { ...found, scenario: validateScenario(found.scenario, 'run.json').scenario };
  const { scenario } = record;
  const committed = furthest(record, await readCheckpointGround(storage), FIELDS_FILE);
  const hasRecords = (await storage.read(FIELDS_FILE, { from: 0, bytes: 1 })) !== undefined;
  const source = hasRecords
    ? await openRecords(storage, record, committed)
    : await openNetcdf(storage, record, openHdf5);
  return source && { ...source, scenario, grid: scenario.grid, variables: ['eta', 'hu', 'hv'] };
}
