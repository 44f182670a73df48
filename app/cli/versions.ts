/** Versions that belong beside a result. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from './context.ts';

interface PackageDescription {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** @returns the package.json that the program lies beside */
export function packageOf({ root }: Installation): PackageDescription {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** @returns versions of Shoal, Node and the package that carries WebGPU */
export function versionsOf(installation: Installation): Record<string, string> {
  const { version, dependencies } = packageOf(installation);
  return {
    shoal: version,
    node: process.versions.node,
    webgpu: dependencies?.['webgpu'] ?? 'absent',
    platform: `${process.platform}-${process.arch}`,
  };
}
