/**
 * A process that runs cases, group by group, and writes their folders; and what it and its parent say to each other, all of it plain
 * data. It ends when whoever started it is gone, however that came; what a terminal sends to all is the parent's affair.
 */
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { BackendError, DeviceLostError, errorOf, extentOf, failedCase, runCases } from '../../../engine/index.ts';
import type {
  Backend,
  CaseOutcome,
  CaseSummary,
  PlannedCase,
  BackendName,
  NumbersOrigin,
} from '../../../engine/index.ts';
import { WriteError } from '../../files/disk.ts';
import { hdf5In } from '../thread.ts';
import { scenarioFileReader } from '../scenario-source.ts';
import { openBackend } from '../open-backend.ts';
import { writeCase } from './case-folders.ts';

/** The first message to a worker. */
export interface WorkerStart {
  readonly type: 'start';
  readonly backend: BackendName;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number | undefined;
  readonly bundleFolder: string;
  /** Where the folders of cases are. */
  readonly folder: string;
  /** The path of the scenario, beside which its files are. */
  readonly source: string;
  /** Paths of the axes. */
  readonly paths: readonly string[];
  readonly origin: NumbersOrigin;
}

/** Cases that share truth and observations, to be run now. */
interface WorkerJob {
  readonly type: 'job';
  readonly cases: readonly PlannedCase[];
}

export type ToWorker = WorkerStart | WorkerJob;

export type FromWorker =
  | { readonly type: 'ready' }
  /** What came of the cases of the job, whose folders are written. */
  | { readonly type: 'done'; readonly results: readonly CaseSummary[] }
  /** No case can be run, or none can be written, for a reason that is not the case's. */
  | { readonly type: 'broken'; readonly error: BrokenWorker };

/** Why a worker cannot continue, as the parent reports it. */
export interface BrokenWorker {
  readonly kind: 'backend' | 'write' | 'other';
  readonly message: string;
  /** Path of what could not be written. */
  readonly path?: string | undefined;
}

const say = (message: FromWorker): void => void process.send?.(message);

function brokenBy(thrown: unknown): BrokenWorker {
  const { message } = errorOf(thrown);
  if (thrown instanceof WriteError) return { kind: 'write', message, path: thrown.path };
  const isBackend = thrown instanceof BackendError || thrown instanceof DeviceLostError;
  return { kind: isBackend ? 'backend' : 'other', message };
}

/** @returns the files that a case refers to, by name, or why they are not what they were when it was planned */
async function filesOf(
  { scenario, files }: PlannedCase,
  source: string,
): Promise<Readonly<Record<string, Uint8Array>> | string> {
  const read = scenarioFileReader(scenario, source);
  const contents: Record<string, Uint8Array> = {};
  for (const [name, sha256] of Object.entries(files)) {
    const path = join(dirname(source), name);
    try {
      contents[name] = await read(name);
    } catch (error) {
      return `${path} cannot be read any more: ${errorOf(error).message}`;
    }
    if ((await extentOf(contents[name])).sha256 !== sha256) {
      return `${path} has another content than when the sweep was planned`;
    }
  }
  return contents;
}

async function outcomesOf(
  backend: Backend,
  cases: readonly PlannedCase[],
  { source, bundleFolder }: WorkerStart,
): Promise<readonly CaseOutcome[]> {
  const files = await filesOf(cases[0], source);
  if (typeof files === 'string') return cases.map((planned) => failedCase(planned, files));
  // Between cycles a worker notices that nobody waits any more.
  return runCases(backend, cases, { files, openHdf5: hdf5In(bundleFolder), yieldToEventLoop: () => turn() });
}

async function execute(
  backend: Backend,
  start: WorkerStart,
  cases: readonly PlannedCase[],
): Promise<readonly CaseSummary[]> {
  const { folder, paths, origin } = start;
  const begun = new Date();
  const outcomes = await outcomesOf(backend, cases, start);
  const end = new Date();
  for (const [index, outcome] of outcomes.entries()) {
    await writeCase(folder, cases[index], outcome, { paths, origin, start: begun, end });
  }
  return outcomes.map(({ rows: _rows, variables: _variables, ...result }) => result);
}

async function work(start: WorkerStart): Promise<void> {
  const backend = await openBackend(start.backend, start);
  process.on('message', (message: ToWorker) => {
    if (message.type !== 'job') return;
    execute(backend, start, message.cases).then(
      (results) => say({ type: 'done', results }),
      (error: unknown) => say({ type: 'broken', error: brokenBy(error) }),
    );
  });
  say({ type: 'ready' });
}

process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('disconnect', () => process.exit());
process.once('message', (message: ToWorker) => {
  if (message.type !== 'start') return;
  work(message).catch((error: unknown) => say({ type: 'broken', error: brokenBy(error) }));
});
