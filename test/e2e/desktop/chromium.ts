/**
 * A Chromium for machines that have none: the development dependency that carries one, with its few system libraries and
 * SwiftShader, is unpacked beside the packages. Linux on x64 only.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { extract } from 'tar-fs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CARRIER = join(ROOT, 'node_modules', '@sparticuz', 'chromium', 'bin');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'shoal', 'chromium');
/** The browser of this checkout, when it is unpacked. */
export const EXECUTABLE = join(FOLDER, 'chromium');

/** Draws on the CPU; with fewer of these a WebGPU canvas stays blank in screenshots. */
export const DRAW_ON_CPU = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  // Emulated OpenGL draws charts slower than Skia does by itself, and its process keeps some memory of each: any page of SVG paths
  // that change grows there.
  '--disable-gpu-rasterization',
];

export const COMMON_FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether this machine can run it. */
export const hasChromium =
  process.platform === 'linux' && process.arch === 'x64' && existsSync(join(CARRIER, 'chromium.br'));

/**
 * Whether journeys draw and compute on a GPU of this machine: `test/gpu` asks for that. The browser is then that of
 * `../../gpu/hardware-chromium.ts`.
 */
export const onHardware = process.env['SHOAL_TEST_GPU'] === 'hardware';
/** Whether SwiftShader is taken for a GPU there. */
export const takesSoftware = process.env['SHOAL_GPU_ANY'] === 'true';

/** Unpacks an archive of the package that carries the browser. */
export async function unpackArchive(name: string, folder: string): Promise<void> {
  const bytes = brotliDecompressSync(readFileSync(join(CARRIER, name)));
  await pipeline(Readable.from([bytes]), extract(folder));
}

/** Unpacks whole or not at all: into a folder of its own that is renamed at the end. */
async function unpack(): Promise<void> {
  const fresh = `${FOLDER}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const executable = join(fresh, 'chromium');
  writeFileSync(executable, brotliDecompressSync(readFileSync(join(CARRIER, 'chromium.br'))));
  chmodSync(executable, 0o755);
  await unpackArchive('swiftshader.tar.br', fresh);
  await unpackArchive('al2023.tar.br', fresh);
  try {
    renameSync(fresh, FOLDER);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(EXECUTABLE)) throw error;
  }
}

/** @returns the folder of the browser, unpacked */
export async function unpackedChromium(): Promise<string> {
  if (!existsSync(EXECUTABLE)) await unpack();
  return FOLDER;
}

/** @returns the environment of a browser whose libraries lie in these folders */
export function withLibraries(folders: readonly string[]): Record<string, string | undefined> {
  const inherited = process.env['LD_LIBRARY_PATH'];
  return { ...process.env, LD_LIBRARY_PATH: [...folders, ...(inherited ? [inherited] : [])].join(':') };
}

export async function launchChromium(): Promise<Browser> {
  const own = await unpackedChromium();
  return chromium.launch({
    headless: true,
    executablePath: EXECUTABLE,
    args: [...COMMON_FLAGS, ...DRAW_ON_CPU],
    env: withLibraries([own, join(own, 'lib')]),
    timeout: 120_000,
  });
}

let shared: Promise<Browser> | undefined;

/**
 * The browser of this worker, for all files of journeys that it runs: each journey has a context of its own, and nothing of
 * another's. It ends with the worker.
 */
export async function sharedChromium(): Promise<Browser> {
  const found = await shared;
  if (found?.isConnected()) return found;
  shared = onHardware
    ? import('../../gpu/hardware-chromium.ts').then(({ launchOnHardware }) => launchOnHardware())
    : launchChromium();
  return shared;
}

/** Brings the built application up to date, as `npm start` does. @returns the folder of the page */
export function buildApplication(): string {
  const script = "import('./app/cli/bootstrap/desktop.mjs').then(({ freshDesktop }) => freshDesktop(process.cwd()))";
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the application was not built:\n${stderr}`);
  return join(ROOT, 'out', 'renderer');
}
