/** What the shipped texts say: each file agrees with itself, and one verdict is checked again with seeds that nobody has used. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { summariseRun, summaryTerms } from '../../../engine/index.ts';
import { fileProblems } from '../../expected/scenario-file.ts';
import { backends } from '../../setup/backends.ts';
import { runScenario, shippedScenario } from '../../setup/run-scenario.ts';

const folder = new URL('../../../scenarios/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'));

it.each(names)('%s has claims that hold for enough seeds, and texts with their numbers', (name) => {
  expect(fileProblems(readFileSync(new URL(name, folder), 'utf8'), name)).toEqual([]);
});

it.each([301, 302, 303])('the localised EnKF is better than the wide one with seed %i, too', async (seed) => {
  const scenario = { ...shippedScenario('why-localise'), seed };
  const [backend] = await Promise.all(backends.filter(({ name }) => name === 'wasm').map(({ open }) => open()));
  const { diagnostics, methods } = await runScenario(backend, scenario);
  backend.dispose();
  const results = summariseRun(methods, diagnostics, summaryTerms(scenario));
  const skill = (label: string): number => results.find(({ method }) => method === label)?.skill ?? Number.NaN;
  expect(skill('enkf-localised')).toBeGreaterThan(skill('enkf-wide'));
});
