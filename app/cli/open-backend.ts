/**
 * Opens a backend in the thread at hand, with the variants of kernels that were chosen on this machine: those are in its user's cache
 * folder, a file a device, named for it.
 */
import { createHash } from 'node:crypto';
import { availableParallelism, homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import {
  createReferenceBackend,
  createWasmBackend,
  createWebGpuBackend,
  type Backend,
  type BackendName,
  type TuningRecord,
  type TuningStore,
} from '../../engine/index.ts';
import { disk } from '../files/disk.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { nodeGpu } from './adapters.ts';
import { thisMachine } from './installation.ts';
import { startKernelThread } from './thread.ts';

/** What the place depends on. */
interface CacheSystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The value of a variable, where it is an absolute path: others are to be ignored [XDG Base Directory Specification]. */
function folderIn(environment: CacheSystem['environment'], name: string): string | undefined {
  const value = environment[name];
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** @returns the folder, which need not be there */
export function cacheFolder(
  { platform, environment, home }: CacheSystem = {
    platform: process.platform,
    environment: process.env,
    home: homedir(),
  },
): string {
  if (platform === 'win32') {
    return join(folderIn(environment, 'LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'shoal', 'Cache');
  }
  const others = platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
  return join(folderIn(environment, 'XDG_CACHE_HOME') ?? others, 'shoal');
}

export interface TuningFiles extends TuningStore {
  /** Writes a record whole or not at all. @returns its path. @throws WriteError */
  readonly keep: (record: TuningRecord) => Promise<string>;
}

const LARGEST_BYTES = 2 ** 20;
const HASH_DIGITS = 12;

/** Readable as far as a file's name can be, and different for different devices. */
function fileName(device: string): string {
  const readable = device
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  const hash = createHash('sha256').update(device).digest('hex').slice(0, HASH_DIGITS);
  return `tuning-${readable === '' ? 'device' : readable}-${hash}.json`;
}

export function createTuningFiles(folder: string = cacheFolder()): TuningFiles {
  return {
    async find(device) {
      try {
        const bytes = await readRegularFile(join(folder, fileName(device)), LARGEST_BYTES);
        return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
      } catch {
        // A cache that is not there, or not what it was, is made again.
        return undefined;
      }
    },
    async keep(record) {
      const path = join(folder, fileName(record.device));
      await disk.makeFolder(folder);
      await disk.writeWhole(path, `${JSON.stringify(record, null, 2)}\n`);
      return path;
    },
  };
}

/** Where a backend of this process finds what it is made of. */
export interface BackendPlace {
  readonly bundleFolder: string;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number | undefined;
}

/** Opens a backend of this process, in this thread, with the variants that were chosen on this machine. The caller disposes it. */
export async function openBackend(
  name: BackendName,
  { bundleFolder, threads = availableParallelism() }: BackendPlace,
): Promise<Backend> {
  const { find: findTuning } = createTuningFiles();
  switch (name) {
    case 'reference':
      return createReferenceBackend();
    case 'wasm':
      return createWasmBackend({
        threads,
        startThread: () => startKernelThread(bundleFolder),
        processor: thisMachine().processor,
        findTuning,
      });
    case 'webgpu':
      return createWebGpuBackend(await nodeGpu(), findTuning);
    default:
      return name satisfies never;
  }
}
