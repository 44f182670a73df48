/** The stored states of a run in a worker: what is called there, what it asks the page for, and that side of it. */
import { Given, memoryOf, openFields, readStoredCells, readStoredSnapshot, serveCalls } from '../../../engine/index.ts';
import type { FieldsReader, HostPort, OpenHdf5, Snapshot, StoredCell } from '../../../engine/index.ts';
import { createPartAsker, folderStorage, type PartAnswer, type PartQuestion } from '../reading/parts.ts';

/** What of a folder is needed to read its states. */
export interface PlaybackSource {
  /** `run.json` and `checkpoint.json`, by these names. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Bytes of the files that are read in parts, by their names. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Cycles in which methods diverged, by their labels. */
  readonly divergedAt: ReadonlyMap<string, number>;
}

/** What is stored. */
export interface StoredStates {
  /** Ascending. */
  readonly cycles: readonly number[];
  readonly members: readonly number[];
}

/** A few cells of a cycle, index y·nx + x. */
interface CellsQuestion {
  readonly cycle: number;
  readonly cells: readonly number[];
}

// A type, not an interface: it has to be a record of functions.
export type PlaybackCommands = {
  /** Undefined where the run kept no states. */
  readonly open: (source: PlaybackSource) => StoredStates | undefined;
  readonly snapshot: (cycle: number) => Snapshot;
  readonly cells: (question: CellsQuestion) => readonly StoredCell[];
  readonly part: (answer: PartAnswer) => void;
};

/** A question for a part of a file; or another plane has been read, which is no more than a sign of life. */
export type PlaybackEvent = PartQuestion | 'alive';

/** Numbers of a snapshot, whose planes are all in memory. */
function arraysOf({ truth, methods, observations }: Snapshot): ArrayBufferView[] {
  const states = [truth, ...methods.flatMap(({ forecast, analysis }) => [forecast, analysis])];
  const planes = states.flatMap(({ eta, hu, hv }) => [eta, hu, hv]);
  const spreads = methods.flatMap(({ spread }) => (spread ? [spread] : []));
  const inflations = methods.flatMap(({ inflation }) => (typeof inflation === 'object' ? [inflation] : []));
  const { x, y, network, values, inverseErrorStd, innovations, departures = {}, believed = {} } = observations;
  return [
    ...[...planes, ...spreads, ...inflations].flatMap((plane) => (plane.kind === 'host' ? [plane.values] : [])),
    x,
    y,
    network,
    values,
    inverseErrorStd,
    ...[innovations, departures, believed].flatMap((each) => Object.values(each)),
  ];
}

/**
 * Reads what is asked for over a port, one thing after the other. What is read is given away.
 *
 * @param openHdf5 reads NetCDF-4 files where it can be stopped
 */
export function servePlayback(port: HostPort<PlaybackCommands, PlaybackEvent>, openHdf5: OpenHdf5): void {
  let fields: FieldsReader | undefined;
  let divergedAt: ReadonlyMap<string, number> = new Map();
  let turn: Promise<unknown> = Promise.resolve();
  const asker = createPartAsker((question) => tell(question));
  /** Reads when what was asked for before has been. */
  function inTurn<Result>(read: (fields: FieldsReader) => Promise<Result>): Promise<Result> {
    const reading = turn.then(() => {
      const open = fields;
      if (!open) throw new Error('no stored states are open');
      return read({
        ...open,
        async readPlane(plane) {
          const found = await open.readPlane(plane);
          tell('alive');
          return found;
        },
      });
    });
    turn = reading.catch(() => undefined);
    return reading;
  }
  const tell = serveCalls<PlaybackCommands, PlaybackEvent>(port, {
    async open(source) {
      const storage = await folderStorage(source.files, source.sizes, asker.read);
      fields = await openFields(storage, openHdf5);
      ({ divergedAt } = source);
      return fields && { cycles: fields.cycles, members: fields.members };
    },
    async snapshot(cycle) {
      const snapshot = await inTurn((heard) => readStoredSnapshot(heard, cycle, divergedAt));
      return new Given(snapshot, memoryOf(arraysOf(snapshot)));
    },
    cells: ({ cycle, cells }) => inTurn((heard) => readStoredCells(heard, cycle, cells, divergedAt)),
    part: (answer) => asker.answer(answer),
  });
}
