/**
 * Chooses where the numbers are computed, and says which and why in one line. A GPU that is simulated on the CPU (SwiftShader) is used
 * when it is asked for by `--backend webgpu`, never by itself. It loads little: a command begins with it.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import {
  BackendError,
  chooseBackend,
  type AdapterSummary,
  type BackendChoice,
  type BackendName,
} from '../../engine/index.ts';
import { findAdapter, swiftShaderEnvironment } from './adapters.ts';
import { runInItsPlace } from './bootstrap/in-its-place.mjs';
import { STANDARD_INPUT, type Context, type ExitCode } from './context.ts';
import { webGpuRemedy } from './installation.ts';

/**
 * How many addresses this process may reserve, which `ulimit -v` limits, and how many a backend needs. JavaScript engines reserve
 * far more than they use, and end the process if a thread's code finds no room, so that this is looked at before.
 */
interface AddressSpace {
  /** Bytes that may be reserved, and those that are. */
  readonly limit: number;
  readonly reserved: number;
}

const GIBIBYTE = 2 ** 30;
/** Address space of a thread that runs JavaScript: heap, code and stack. */
const EACH_THREAD = 0.5 * GIBIBYTE;
/** A memory of WebAssembly: 8 GiB that 32-bit addresses with an offset reach, and 2 GiB before them. */
const EACH_MEMORY = 10 * GIBIBYTE;
/** Threads that a run has beside those of kernels: for the run itself, for writing and for files. */
const OTHER_THREADS = 3;
/** One here, which is asked what it is, and one in the thread that computes. */
const MEMORIES = 2;

/** @returns undefined if there is no limit, or the system does not say */
async function addressSpace(): Promise<AddressSpace | undefined> {
  try {
    const [limits, status] = await Promise.all(
      ['limits', 'status'].map((name) => readFile(`/proc/self/${name}`, 'latin1')),
    );
    const limit = Number(/^Max address space +(\d+)/m.exec(limits)?.[1]);
    const reserved = 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(status)?.[1]);
    return Number.isFinite(limit) && Number.isFinite(reserved) ? { limit, reserved } : undefined;
  } catch {
    return undefined;
  }
}

function gibibytes(bytes: number): string {
  return `${(bytes / GIBIBYTE).toFixed(1)} GiB`;
}

/**
 * @param threads that compute
 * @returns why a backend cannot run within the limit, with the next step; undefined if it can
 */
export function addressProblem(
  name: BackendName,
  space: AddressSpace | undefined,
  threads: number,
): string | undefined {
  if (!space) return undefined;
  const kernels = name === 'wasm' ? threads * EACH_THREAD + MEMORIES * EACH_MEMORY : 0;
  const needed = space.reserved + OTHER_THREADS * EACH_THREAD + kernels;
  if (needed <= space.limit) return undefined;
  const other = name === 'reference' ? '' : ', or use --backend reference';
  return (
    `addresses of this process are limited to ${gibibytes(space.limit)} (ulimit -v), ` +
    `the ${name} backend needs ${gibibytes(needed)}: raise the limit (ulimit -v unlimited)${other}`
  );
}

export type Selection =
  /** `why` is undefined if it was said before. */
  | { readonly kind: 'here'; readonly name: BackendName; readonly why: string | undefined }
  /** The driver has to be in the environment before the process starts. */
  | { readonly kind: 'restart'; readonly environment: Readonly<Record<string, string>>; readonly why: string };

/** What the choice depends on, apart from the machine it is made on. */
export interface Surroundings {
  findAdapter(environment?: Readonly<Record<string, string>>): Promise<AdapterSummary | undefined>;
  findSoftwareDriver(): Promise<Readonly<Record<string, string>> | undefined>;
  /** The command that installs the package that carries WebGPU; undefined if it is installed. */
  readonly webGpuRemedy?: string | undefined;
  /** @returns why a backend cannot run within the limits of this process; undefined if it can */
  readonly limitOf: (name: BackendName) => Promise<string | undefined>;
}

/** A backend that fits the limits of this process. @throws BackendError if the one that was asked for does not, or none does */
async function withinLimits(
  chosen: Extract<Selection, { kind: 'here' }>,
  asked: BackendChoice,
  { limitOf }: Surroundings,
): Promise<Selection> {
  const problem = await limitOf(chosen.name);
  if (problem === undefined) return chosen;
  const isFree = asked === 'auto' && chosen.name !== 'reference';
  const last = isFree ? await limitOf('reference') : problem;
  if (last !== undefined) throw new BackendError(last);
  return { kind: 'here', name: 'reference', why: `slow; ${problem}` };
}

/** @throws BackendError if WebGPU is requested and not available, with what would add it */
export async function selectBackend(asked: BackendChoice, surroundings: Surroundings): Promise<Selection> {
  const wantsGpu = asked === 'webgpu' || asked === 'auto';
  const remedy = wantsGpu ? surroundings.webGpuRemedy : undefined;
  if (remedy !== undefined && asked === 'webgpu') {
    throw new BackendError(`--backend webgpu needs the package webgpu, which is not installed: ${remedy}`);
  }
  const adapter = wantsGpu && remedy === undefined ? await surroundings.findAdapter() : undefined;
  const chosen = chooseBackend(asked, adapter);
  if (chosen) {
    const { name } = chosen;
    const reason = remedy === undefined ? chosen.reason : `to use a GPU: ${remedy}`;
    const device = adapter?.software ? `${adapter.description}, which is software: slow` : adapter?.description;
    const why = name === 'webgpu' ? (device ?? reason) : reason;
    return withinLimits({ kind: 'here', name, why }, asked, surroundings);
  }
  const environment = await surroundings.findSoftwareDriver();
  const software = environment && (await surroundings.findAdapter(environment));
  if (!software) {
    throw new BackendError(
      'no WebGPU adapter was found on this machine, and no SwiftShader to replace one; use --backend wasm, or see shoal doctor',
    );
  }
  return {
    kind: 'restart',
    environment,
    why: `no GPU was found, so ${software.description} is used instead, which is software: slow`,
  };
}

function surroundingsOf({ installation }: Context): Surroundings {
  return {
    findAdapter: (environment) => findAdapter(installation, environment),
    findSoftwareDriver: swiftShaderEnvironment,
    webGpuRemedy: webGpuRemedy(installation),
    limitOf: async (name) => addressProblem(name, await addressSpace(), availableParallelism()),
  };
}

/** Set in the process that was started again: its backend has been chosen and reported. */
const STARTED_ANEW = 'SHOAL_STARTED_ANEW';

/** Whether a scenario is read from standard input: after `--json` the same sign is standard output. */
function readsStandardInput(argv: readonly string[]): boolean {
  return argv.some((word, index) => word === STANDARD_INPUT && argv[index - 1] !== '--json');
}

/** Runs this program again with more in its environment; returns its exit code. */
async function runAnew({ installation, argv }: Context, more: Readonly<Record<string, string>>): Promise<ExitCode> {
  if (readsStandardInput(argv)) {
    throw new BackendError(
      'without a GPU the program is started again, which reads standard input a second time; name a file in place of -',
    );
  }
  const environment = { ...process.env, ...more, [STARTED_ANEW]: '1' };
  const args = [...process.execArgv, installation.launcher, ...argv];
  return (await runInItsPlace(process.execPath, args, { environment })).code as ExitCode;
}

type Backing =
  | { readonly kind: 'name'; readonly name: BackendName }
  /** A second process has done the work. */
  | { readonly kind: 'done'; readonly exitCode: ExitCode };

/** Begins what `decideBackend` waits for, while other things are done. */
export function beginSelection(choice: BackendChoice, context: Context): Promise<Selection> {
  const isChosen = choice === 'webgpu' && process.env[STARTED_ANEW] !== undefined;
  const selecting: Promise<Selection> = isChosen
    ? Promise.resolve({ kind: 'here', name: 'webgpu', why: undefined })
    : selectBackend(choice, surroundingsOf(context));
  // Whoever decides receives the error.
  selecting.catch(() => undefined);
  return selecting;
}

/** Decides by `selectBackend`, says so, and starts the program again where that is needed. */
export async function decideBackend(
  choice: BackendChoice,
  context: Context,
  selecting = beginSelection(choice, context),
): Promise<Backing> {
  const selection = await selecting;
  switch (selection.kind) {
    case 'here':
      if (selection.why !== undefined) context.terminal.note(`backend: ${selection.name} (${selection.why})`);
      return { kind: 'name', name: selection.name };
    case 'restart':
      context.terminal.note(`backend: webgpu (${selection.why})`);
      return { kind: 'done', exitCode: await runAnew(context, selection.environment) };
    default:
      return selection satisfies never;
  }
}
