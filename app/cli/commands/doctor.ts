/** `shoal doctor`: what this machine offers, what is missing, and the command that adds it. */
import { chooseBackend, kernelFeatures } from '../../../engine/index.ts';
import type { AdapterSummary, BackendName, KernelFeatures } from '../../../engine/index.ts';
import { findBrowser, thisSystem, findElectron } from '../../server/browser.ts';
import { findAdapter, swiftShaderEnvironment } from '../adapters.ts';
import { EXIT, type Context, type ExitCode, type Installation } from '../context.ts';
import { webGpuRemedy, thisMachine, versionsOf, type Machine } from '../installation.ts';

interface Missing {
  readonly what: string;
  /** What it would bring. */
  readonly purpose: string;
  /** The command, or the step, that adds it. */
  readonly remedy: string;
}

interface Findings {
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: Machine;
  /** The adapter that `auto` would use, and SwiftShader where it is installed. */
  readonly adapters: readonly AdapterSummary[];
  readonly webAssembly: KernelFeatures;
  readonly desktopRuntime: string | null;
  readonly browser: string | null;
  readonly swiftShader: boolean;
  /** What `--backend auto` gives here. */
  readonly backend: BackendName;
  readonly missing: readonly Missing[];
}

function gpuRemedy(): string {
  if (process.platform === 'darwin') return 'macOS 13 or later on a machine with Metal';
  if (process.platform !== 'linux') return 'install the driver of your GPU’s maker';
  return 'install your GPU’s Vulkan driver and loader, on Debian: apt install libvulkan1 mesa-vulkan-drivers';
}

function missingFrom(found: Omit<Findings, 'missing' | 'backend'>, installation: Installation): Missing[] {
  const missing: Missing[] = [];
  const remedy = webGpuRemedy(installation);
  if (remedy !== undefined) missing.push({ what: 'the package webgpu', purpose: 'the webgpu backend', remedy });
  if (!found.adapters.some(({ software }) => !software)) {
    missing.push({ what: 'a GPU adapter', purpose: 'the webgpu backend at full speed', remedy: gpuRemedy() });
  }
  // An installed package has neither: it runs in the browser, and its tests are in the checkout.
  if (!installation.isPackage && !found.swiftShader && process.platform === 'linux') {
    missing.push({
      what: 'SwiftShader',
      purpose: 'WebGPU without a GPU, for tests',
      remedy: 'npm ci --include=dev, on Linux x64',
    });
  }
  if (!installation.isPackage && found.desktopRuntime === null) {
    missing.push({
      what: 'the Electron runtime',
      purpose: 'a window of its own',
      remedy: 'npx install-electron',
    });
  }
  if (found.browser === null) {
    const remedy = process.platform === 'linux' ? 'on Debian: apt install chromium' : 'https://www.google.com/chrome';
    missing.push({ what: 'a browser', purpose: 'the interface without Electron', remedy });
  }
  return missing;
}

async function examine(installation: Installation): Promise<Findings> {
  const environment = await swiftShaderEnvironment();
  const [own, software] = await Promise.all([
    findAdapter(installation),
    environment ? findAdapter(installation, environment) : undefined,
  ]);
  const found = {
    versions: versionsOf(installation),
    machine: thisMachine(),
    adapters: [own, software].filter((adapter) => adapter !== undefined),
    webAssembly: kernelFeatures(),
    desktopRuntime: findElectron(installation.root) ?? null,
    browser: findBrowser(thisSystem) ?? null,
    swiftShader: software !== undefined,
  };
  const backend = chooseBackend('auto', own)?.name ?? 'reference';
  return { ...found, backend, missing: missingFrom(found, installation) };
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function describe(found: Findings, verbose: boolean): string[] {
  const { versions, machine, webAssembly: wasm } = found;
  const adapters = found.adapters.flatMap(({ description, software, features, limits }) => [
    `adapter          ${description} (${software ? 'software' : 'hardware'})`,
    `  features       ${features.join(', ')}`,
    ...Object.entries(limits)
      .filter(([name]) => verbose || /BufferSize|WorkgroupStorage|StorageBuffersPer|Invocations/.test(name))
      .map(([name, value]) => `  ${name} ${value}`),
  ]);
  return [
    `shoal            ${versions['shoal']}, Node ${versions['node']}, webgpu ${versions['webgpu']}`,
    `system           ${machine.system}`,
    `processor        ${machine.processor}, ${machine.cores} cores, ${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB`,
    ...(adapters.length > 0 ? adapters : ['adapter          none']),
    `WebAssembly      SIMD ${yesNo(wasm.simd)}, fused multiply-add ${yesNo(wasm.relaxedSimd)}, threads ${yesNo(wasm.threads)}`,
    `desktop runtime  ${found.desktopRuntime ?? 'none'}`,
    `browser          ${found.browser ?? 'none'}`,
    `SwiftShader      ${yesNo(found.swiftShader)}`,
    `--backend auto   ${found.backend}`,
    ...found.missing.map(({ what, purpose, remedy }) => `missing: ${what} (${purpose}): ${remedy}`),
  ];
}

export default async function doctor({ terminal, installation }: Context): Promise<ExitCode> {
  const found = await examine(installation);
  for (const line of describe(found, terminal.verbose)) terminal.print(line);
  terminal.printJson(found);
  return EXIT.done;
}
