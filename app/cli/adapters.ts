/**
 * WebGPU under Node: which adapter this machine has, found out in a process of its own, and the `webgpu` package (Dawn), loaded when
 * first asked for.
 */
import { spawn } from 'node:child_process';
import { join, dirname } from 'node:path';
import type { AdapterSummary } from '../../engine/index.ts';
import type { Installation } from './context.ts';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync } from 'node:zlib';

const DRIVER = 'vk_swiftshader_icd.json';

/** The folder of the installed package that carries SwiftShader, or undefined. It exports no package.json, so its path is walked. */
function carrierFolder(): string | undefined {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths('@sparticuz/chromium') ?? []) {
    const archive = join(folder, '@sparticuz', 'chromium', 'bin', 'swiftshader.tar.br');
    if (existsSync(archive)) return dirname(archive);
  }
  return undefined;
}

/**
 * Finds SwiftShader, the Vulkan driver that runs on the CPU, in the development dependency that carries it, and unpacks it
 * beside the packages. It is used by tests and if a user asks for WebGPU on a machine without a GPU.
 *
 * @returns environment variables with which a process that is started again finds SwiftShader, or undefined if it is not available
 *   (another platform than Linux on x64, or a production install)
 */
export async function swiftShaderEnvironment(): Promise<Record<string, string> | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const carrier = carrierFolder();
  if (!carrier) return undefined;
  const folder = join(carrier, '..', '..', '..', '.cache', 'shoal', 'swiftshader');
  if (!existsSync(join(folder, DRIVER))) await unpack(join(carrier, 'swiftshader.tar.br'), folder);
  const inherited = process.env['LD_LIBRARY_PATH'];
  return {
    VK_ICD_FILENAMES: join(folder, DRIVER),
    LD_LIBRARY_PATH: inherited ? `${folder}:${inherited}` : folder,
  };
}

/** Unpacks whole or not at all: into a folder of its own that is renamed at the end. */
async function unpack(archive: string, folder: string): Promise<void> {
  const { extract } = await import('tar-fs');
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  await pipeline(Readable.from([brotliDecompressSync(readFileSync(archive))]), extract(fresh));
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(folder, DRIVER))) throw error;
  }
}

const LONGEST_PROBE_MILLISECONDS = 20_000;

/**
 * @param environment variables beside those of this process, such as those by which SwiftShader is found
 * @returns the adapter that a backend would get, or undefined if there is none or its driver does not work
 */
export function findAdapter(
  installation: Installation,
  environment: Readonly<Record<string, string>> = {},
): Promise<AdapterSummary | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(installation.bundleFolder, 'adapter-probe.js')], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: LONGEST_PROBE_MILLISECONDS,
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? parseSummary(said) : undefined));
  });
}

function parseSummary(text: string): AdapterSummary | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Turns without a rest when a wait begins, about a tenth of a millisecond: what is ready at once arrives at once. */
const EAGER_TURNS = 10;
/** Then a rest of so long before each, milliseconds: the shortest that Node knows. */
const REST = 1;

/** Dawn's callbacks are functions of the addon: without a name, and without arguments given. */
function isOfAddon(callback: (...given: never[]) => void, given: readonly unknown[]): boolean {
  return (
    callback.name === '' && given.length === 0 && Function.prototype.toString.call(callback).endsWith('[native code] }')
  );
}

/**
 * While results are awaited, Dawn asks the device under Node whether they have come, in every turn of the event loop: a thread
 * that never rests. Beside a GPU nobody misses it; SwiftShader computes on the same processor, and loses up to a core to it.
 *
 * Lets Dawn's polling rest between turns. Dawn looks `setImmediate` up again in each turn, by the global object, so a stand-in
 * there is what it calls; the callbacks of all others are passed on to Node's own.
 *
 * @param scope the global object
 * @returns what puts Node's own back
 */
export function pollPatiently(scope: Pick<typeof globalThis, 'setImmediate'> = globalThis): () => void {
  const own = scope.setImmediate;
  const { setTimeout } = globalThis;
  let turns = 0;
  let inTurn = false;

  function turnOf(callback: () => void): () => void {
    return () => {
      inTurn = true;
      try {
        callback();
      } finally {
        inTurn = false;
      }
    };
  }
  const standIn = (callback: (...given: unknown[]) => void, ...given: unknown[]): unknown => {
    if (!isOfAddon(callback, given)) return own(callback, ...given);
    // A turn that asks for the next continues with the same wait.
    turns = inTurn ? turns + 1 : 0;
    return turns < EAGER_TURNS ? own(turnOf(callback)) : setTimeout(turnOf(callback), REST);
  };
  // With what `promisify` finds on it.
  Object.defineProperties(standIn, Object.getOwnPropertyDescriptors(own));
  scope.setImmediate = standIn as typeof setImmediate;
  return () => {
    scope.setImmediate = own;
  };
}

let instance: Promise<GPU> | undefined;

/**
 * What Dawn does for pages and not for us. It rounds timestamps to 65 µs, longer than most kernels take, so that no page
 * learns a secret from them. And it clears workgroup memory before every workgroup: on SwiftShader that takes most of the
 * time of kernels with large tiles (seconds to compile, milliseconds a workgroup), and none of the kernels reads what it has
 * not written.
 */
function dawnFeatures(software: boolean): string[] {
  return [
    'disable-dawn-features=timestamp_quantization',
    ...(software ? ['enable-dawn-features=disable_workgroup_init'] : []),
  ];
}

/**
 * @returns the GPU object, one for the process (Dawn crashes when an instance is collected while its devices live), with
 *   WebGPU's constants made global as they are in a browser
 * @throws Error when the package has no build for this platform
 */
export function nodeGpu(): Promise<GPU> {
  instance ??= import('webgpu').then(({ create, globals }) => {
    Object.assign(globalThis, globals);
    const software = process.env['VK_ICD_FILENAMES']?.includes('swiftshader') ?? false;
    if (software) pollPatiently();
    return create(dawnFeatures(software));
  });
  return instance;
}
