/**
 * Draws the states that a run begins with on threads beside it: several at once, and none if the user waits. A thread is
 * asked for its next state when the one before it has been taken, so that there are never more of them than threads.
 */
import { createStateDraw, type Drawable, type DrawnState, type StateDraw } from '../experiment/index.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import { fileReferences, readScenarioFiles, type Scenario, type ReadFile } from '../scenario/index.ts';
import { Given, memoryOf, serveCalls, startService, type HostPort, type ServicePort } from './calls.ts';
import type { RunJob } from './run.ts';

/** @param files contents by name; a name that is not among them is reported as a missing file */
export function fileReader(files: Readonly<Record<string, Uint8Array>>): ReadFile {
  return (name) => {
    if (Object.hasOwn(files, name)) return Promise.resolve(files[name]);
    return Promise.reject(Object.assign(new Error(`${name} was not opened`), { code: 'ENOENT' }));
  };
}

/** Whose states are drawn. */
export type DrawJob = Pick<RunJob, 'scenario' | 'files' | 'source'>;

// A type, not an interface: it has to be a record of functions.
type DrawCommands = {
  readonly open: (job: DrawJob) => void;
  readonly draw: (which: Drawable) => DrawnState;
};

export type DrawStarterPort = ServicePort<DrawCommands>;
export type DrawHostPort = HostPort<DrawCommands>;

/** Threads that a place has for drawing. */
export interface DrawThreads {
  /** How many pay at most: one for each core. */
  readonly most: number;
  /** Starts one, at whose other end `serveDraws` waits. */
  start(): DrawStarterPort;
}

/** Cells of all states together from which on threads are quicker than it takes to start them. */
const LEAST_CELLS = 2 ** 18;
/** Memory of all threads together, bytes. */
const MEMORY_BYTES = 640 * 2 ** 20;
/**
 * What a thread holds while it draws, in numbers a cell: the state as drawn and as taken, its perturbation and tables are 15,
 * and what is not freed yet of the states before it makes up the rest.
 */
const NUMBERS_OF_A_CELL = 20;

/** @returns how many threads draw a scenario's states; 0 where they are drawn in the run's own */
export function drawThreadsFor(scenario: Scenario, most: number): number {
  const { grid, background } = scenario;
  const cells = grid.nx * grid.ny;
  const states = 1 + background.members;
  // States in a file are here, and would have to be copied to every thread.
  const areRead = fileReferences(scenario).some(({ role }) => role === 'background');
  if (areRead || cells * states < LEAST_CELLS) return 0;
  const affordable = Math.max(1, Math.floor(MEMORY_BYTES / (NUMBERS_OF_A_CELL * 8 * cells)));
  return Math.min(most, states, affordable);
}

async function openHere({ scenario, files, source }: DrawJob, openHdf5: OpenHdf5 | undefined): Promise<StateDraw> {
  return createStateDraw(scenario, await readScenarioFiles(scenario, fileReader(files), source, openHdf5));
}

/**
 * Serves one scenario's states on a port.
 *
 * @param openHdf5 reads the NetCDF-4 files that a scenario names where it can be stopped
 */
export function serveDraws(port: DrawHostPort, openHdf5?: OpenHdf5): void {
  let opened: Promise<StateDraw> = Promise.reject(new Error('nothing is opened yet'));
  opened.catch(() => undefined);
  serveCalls<DrawCommands>(port, {
    async open(job) {
      opened = openHere(job, openHdf5);
      await opened;
    },
    async draw(which) {
      const drawn = await (await opened).draw(which);
      return new Given(drawn, memoryOf([drawn.state]));
    },
  });
}

/**
 * Starts threads that draw a scenario's states.
 *
 * @param signal ends them, with its reason
 * @returns draws on them, and ends them when it is disposed of, whatever they are doing; what is still waited for rejects then.
 *   Undefined where the run's own thread does as well
 */
export function startDrawing(
  threads: DrawThreads | undefined,
  { scenario, files, source }: DrawJob,
  signal?: AbortSignal,
): StateDraw | undefined {
  const count = threads ? drawThreadsFor(scenario, threads.most) : 0;
  if (!threads || count === 0) return undefined;
  const drawers = Array.from({ length: count }, () => {
    const service = startService<DrawCommands>(threads.start());
    const opened = service.call('open', { scenario, files, source });
    // Whoever draws receives the error.
    opened.catch(() => undefined);
    return { service, opened };
  });
  const idle = [...drawers];
  const close = (reason: Error): void => {
    for (const { service } of drawers) service.end(reason);
  };
  const stop = (): void => {
    const reason: unknown = signal?.reason;
    close(reason instanceof Error ? reason : new Error(String(reason)));
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    atOnce: count,
    async draw(which) {
      const drawer = idle.pop();
      if (!drawer) throw new RangeError(`${count} states are drawn at once, and another was asked for`);
      try {
        await drawer.opened;
        return await drawer.service.call('draw', which);
      } finally {
        idle.push(drawer);
      }
    },
    dispose() {
      signal?.removeEventListener('abort', stop);
      close(new Error('the drawing of states was ended'));
    },
  };
}
