/**
 * Finds SwiftShader, the Vulkan driver that runs on the CPU, in the development dependency that carries it, and unpacks it
 * beside the packages. It is used by tests and if a user asks for WebGPU on a machine without a GPU.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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
