import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Installation } from '../../../app/cli/context.ts';
import {
  installedWebGpu,
  programWords,
  testedWebGpu,
  webGpuRemedy,
  versionsOf,
} from '../../../app/cli/installation.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const checkout: Installation = { root: ROOT, bundleFolder: ROOT, launcher: ROOT };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-installation-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the package in the node_modules of a folder */
function installedIn(name: string): Installation {
  const root = join(folder, name, 'node_modules', 'shoal');
  mkdirSync(root, { recursive: true });
  return { ...checkout, root, isPackage: true };
}

it('names its commands as users type them', () => {
  const project = installedIn('project');
  writeFileSync(join(folder, 'project', 'package.json'), '{}');
  expect(programWords(checkout)).toBe('npm run shoal --');
  expect(programWords(project)).toBe('npx shoal');
  expect(programWords(installedIn('prefix'))).toBe('shoal');
});

it('reports the version of WebGPU’s package that is installed, which in a checkout is the tested one', () => {
  expect(installedWebGpu()).toMatch(/^\d+\.\d+\.\d+$/);
  expect(testedWebGpu(checkout)).toBe(installedWebGpu());
  expect(versionsOf(checkout)['webgpu']).toBe(installedWebGpu());
  expect(webGpuRemedy(checkout)).toBeUndefined();
});
