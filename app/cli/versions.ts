/** Versions that belong beside a result. */
import type { Installation } from './context.ts';
import { installedWebGpu, packageOf, testedWebGpu } from './installation.ts';

/** @returns versions of Shoal, Node and the package that carries WebGPU: the installed one, or the one that would be installed */
export function versionsOf(installation: Installation): Record<string, string> {
  return {
    shoal: packageOf(installation).version,
    node: process.versions.node,
    webgpu: installedWebGpu() ?? testedWebGpu(installation),
    platform: `${process.platform}-${process.arch}`,
  };
}
