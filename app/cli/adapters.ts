/** Which WebGPU adapter this machine has, found out in a process of its own. */
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
