/** Writing the states of a run in a worker: what is called there, and that side of it. */
import { createStatesWriter, rowDifference, serveCalls } from '../../../engine/index.ts';
import type {
  CycleDiagnostics,
  FieldsGround,
  FileExtent,
  HostPort,
  RowDifference,
  Snapshot,
  StatesWriter,
} from '../../../engine/index.ts';
import type { ScratchFile } from './memory-file.ts';
import { openScratch, type ScratchRoom } from './scratch.ts';

/** Names of the files in the page's own storage. */
export interface ScratchNames {
  /** Name of what becomes `fields.nc`. */
  readonly netcdf: string;
  /** Name of what becomes `fields.bin`; undefined for a run that cannot be continued. */
  readonly records: string | undefined;
}

interface StatesToWrite {
  readonly ground: FieldsGround;
  readonly names: ScratchNames;
  readonly room: ScratchRoom['kind'];
}

/** Rows of a cycle: as the run has them, and as they came out again. */
interface RowsOfCycle {
  readonly variables: readonly string[];
  /** None where the run has lost them. */
  readonly known: readonly CycleDiagnostics[];
  readonly again: readonly CycleDiagnostics[];
}

export interface WrittenStates {
  readonly netcdf: Blob;
  readonly records: { readonly content: Blob; readonly extent: FileExtent } | undefined;
}

// A type, not an interface: it has to be a record of functions.
export type SavingCommands = {
  readonly open: (states: StatesToWrite) => void;
  readonly add: (snapshot: Snapshot) => void;
  /** Answers with where the rows differ. */
  readonly rows: (rows: RowsOfCycle) => RowDifference | undefined;
  readonly finish: (nothing: undefined) => WrittenStates;
};

interface Open {
  readonly writer: StatesWriter;
  readonly netcdf: ScratchFile;
  readonly records: ScratchFile | undefined;
}

/** Writes what comes over a port; whoever calls waits for one answer before the next call. */
export function serveSaving(port: HostPort<SavingCommands>, open: typeof openScratch = openScratch): void {
  let files: Open | undefined;
  const opened = (): Open => {
    if (!files) throw new Error('nothing is being written');
    return files;
  };
  serveCalls<SavingCommands>(port, {
    async open({ ground, names, room }) {
      const netcdf = await open(names.netcdf, room);
      const records = names.records === undefined ? undefined : await open(names.records, room);
      files = { writer: await createStatesWriter({ netcdf, records }, ground), netcdf, records };
    },
    add: (snapshot) => opened().writer.add(snapshot),
    rows({ variables, known, again }) {
      opened().writer.addDiagnostics(known.length > 0 ? known : again);
      return known.length > 0 ? rowDifference(variables, known, again) : undefined;
    },
    async finish() {
      const { writer, netcdf, records } = opened();
      const extent = writer.finish();
      const content = records && (await records.finish());
      return { netcdf: await netcdf.finish(), records: content && extent && { content, extent } };
    },
  });
}
