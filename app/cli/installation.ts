/** How this program is installed, and with that what its commands are called and how WebGPU is added to it. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Installation } from './context.ts';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

/** The machine that a result comes from. */
export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

export function thisMachine(): Machine {
  return {
    system: `${process.platform} ${release()} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}

/** Carries WebGPU for Node. It has builds for five systems, 132 MB, so it is not installed with this program. */
const WEBGPU = 'webgpu';

interface PackageDescription {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** @returns the package.json beside the program */
export function packageOf({ root }: Installation): PackageDescription {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** Whether the package was installed for all projects: no project's package.json is beside the node_modules that holds it. */
function isGlobal({ root }: Installation): boolean {
  return !existsSync(join(root, '..', '..', 'package.json'));
}

/** @returns how a command of this program begins, as users type it here */
export function programWords(installation: Installation): string {
  if (!installation.isPackage) return 'npm run shoal --';
  return isGlobal(installation) ? 'shoal' : 'npx shoal';
}

/** @returns the version of the package that carries WebGPU, or undefined if it is not installed */
export function installedWebGpu(): string | undefined {
  try {
    return createRequire(import.meta.url)(`${WEBGPU}/package.json`).version;
  } catch {
    return undefined;
  }
}

/** @returns the version of it that this program was tested with */
export function testedWebGpu(installation: Installation): string {
  return packageOf(installation).peerDependencies?.[WEBGPU]?.replace(/^\D+/, '') ?? 'absent';
}

/** @returns the command that installs the package that carries WebGPU, or undefined if it is installed */
export function webGpuRemedy(installation: Installation): string | undefined {
  if (installedWebGpu() !== undefined) return undefined;
  const flag = installation.isPackage && isGlobal(installation) ? ' --global' : '';
  return `npm install${flag} ${WEBGPU}@${testedWebGpu(installation)}`;
}

/** @returns versions of Shoal, Node and the package that carries WebGPU: the installed one, or the one that would be installed */
export function versionsOf(installation: Installation): Record<string, string> {
  return {
    shoal: packageOf(installation).version,
    node: process.versions.node,
    webgpu: installedWebGpu() ?? testedWebGpu(installation),
    platform: `${process.platform}-${process.arch}`,
  };
}
