import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadScenario, scenarioPath, shippedScenarios } from '../../../app/cli/scenario-source.ts';

const root = new URL('../../..', import.meta.url).pathname;
const here = process.cwd();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-source-'));
  process.chdir(folder);
});

afterAll(() => {
  process.chdir(here);
  rmSync(folder, { recursive: true });
});

it('finds every scenario that ships by its name, as copied commands have it', async () => {
  for (const name of await shippedScenarios(root)) {
    expect((await loadScenario(await scenarioPath(root, name))).scenario.name).toBe(name);
  }
});

it('takes a file before a name, and a path as it is', async () => {
  writeFileSync('dam-break', '{}');
  expect(await scenarioPath(root, 'dam-break')).toBe('dam-break');
  expect(await scenarioPath(root, 'elsewhere/first-light.json')).toBe('elsewhere/first-light.json');
});

it('names the nearest one that ships', async () => {
  await expect(scenarioPath(root, 'first-lihgt')).rejects.toThrow("no scenario 'first-lihgt' ships");
  await expect(scenarioPath(root, 'first-lihgt')).rejects.toThrow('did you mean first-light?');
});
