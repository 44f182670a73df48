/**
 * The Chromium of the journeys on a GPU of this machine, without a display: it draws by ANGLE on Vulkan, and computes by WebGPU.
 * It loads the Vulkan loader from its own folder alone, so that it gets a folder of its own, with `vulkan-shim.c` as that loader.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import {
  COMMON_FLAGS,
  launchChromium,
  takesSoftware,
  unpackArchive,
  unpackedChromium,
  withLibraries,
} from '../e2e/desktop/chromium.ts';

const DRAW_ON_GPU = [
  '--disable-gpu-sandbox',
  '--disable-dev-shm-usage',
  '--ignore-gpu-blocklist',
  '--enable-gpu',
  '--enable-unsafe-webgpu',
  '--use-gl=angle',
  '--use-angle=vulkan',
  '--enable-features=Vulkan,VulkanFromANGLE,DefaultANGLEVulkan',
  '--use-vulkan=native',
  '--disable-vulkan-surface',
];
/** Playwright's own flags that keep a GPU away. */
const NOT_ON_GPU = ['--disable-gpu', '--enable-unsafe-swiftshader'];

/** Chromium ends without a font; the package brings one. */
function fontsIn(folder: string): string {
  const file = join(folder, 'fonts.conf');
  const text = `<?xml version="1.0"?><fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>`;
  writeFileSync(file, text);
  return file;
}

/** @throws Error if gcc is missing */
function compileShim(folder: string): void {
  const target = join(folder, 'libvulkan.so.1');
  if (existsSync(target)) return;
  const source = join(import.meta.dirname, 'vulkan-shim.c');
  const { error, status, stderr } = spawnSync('gcc', ['-O2', '-fPIC', '-shared', '-o', target, source, '-ldl'], {
    encoding: 'utf8',
  });
  if (error) throw new Error('there is no gcc, which compiles test/gpu/vulkan-shim.c');
  if (status !== 0) throw new Error(`gcc refuses test/gpu/vulkan-shim.c: ${stderr}`);
}

/** @returns the folder of the browser, beside that of the journeys on the processor: without SwiftShader, with the shim and fonts */
async function preparedFolder(): Promise<string> {
  const plain = await unpackedChromium();
  const folder = `${plain}-gpu`;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(plain)) {
    const [from, to] = [join(plain, name), join(folder, name)];
    const isSoftware = /vk_swiftshader|libvulkan/.test(name);
    if (!isSoftware && statSync(from).isFile() && !existsSync(to)) linkSync(from, to);
  }
  if (!existsSync(join(folder, 'fonts'))) await unpackArchive('fonts.tar.br', folder);
  compileShim(folder);
  return folder;
}

/** @throws Error if gcc is missing, or the browser does not start */
export async function launchOnHardware(): Promise<Browser> {
  if (takesSoftware) return launchChromium();
  const folder = await preparedFolder();
  const plain = await unpackedChromium();
  return chromium.launch({
    headless: true,
    executablePath: join(folder, 'chromium'),
    args: [...COMMON_FLAGS, ...DRAW_ON_GPU],
    ignoreDefaultArgs: NOT_ON_GPU,
    env: { ...withLibraries([folder, join(plain, 'lib')]), FONTCONFIG_FILE: fontsIn(folder) },
    timeout: 60_000,
  });
}

/** @returns the name of the GPU that a page has. @throws Error that says what there is in its place */
export async function adapterOf(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  // WebGPU is there for pages of this machine alone.
  await page.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto('http://localhost/');
  const info = await page.evaluate(async () => {
    const { navigator } = globalThis as unknown as { readonly navigator: { readonly gpu?: GPU } };
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return undefined;
    const { vendor, architecture, device, description } = adapter.info;
    return [vendor, architecture, device, description].filter((word) => word !== '').join(' ');
  });
  await page.close();
  if (info === undefined) throw new Error('the browser finds no WebGPU adapter');
  if (!takesSoftware && /swiftshader|llvmpipe|software/i.test(info))
    throw new Error(`the browser finds ${info} in place of a GPU`);
  return info;
}
