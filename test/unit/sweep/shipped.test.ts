/** The sweeps that ship, and the schema beside them. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadSweep } from '../../../app/cli/sweep/definition-source.ts';
import { planSweep, sweepJsonSchema } from '../../../engine/index.ts';
import { REFERENCE } from './small-sweep.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const INSTALLATION = { root: ROOT, bundleFolder: '', launcher: '' };
const names = readdirSync(`${ROOT}/scenarios/sweeps`)
  .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
  .map((name) => name.replace(/\.json$/, ''));

it.each(names)('%s can be planned, by its name', async (name) => {
  const { sweep, base } = await loadSweep(INSTALLATION, name);
  const plan = await planSweep(sweep, base, REFERENCE);
  expect(plan.name).toBe(name);
  // Six seeds are the fewest with an interval of 95 %.
  expect(plan.seeds.length).toBeGreaterThanOrEqual(6);
});

it('have a schema beside them that is the present one', () => {
  const written = readFileSync(`${ROOT}/scenarios/sweeps/sweep.schema.json`, 'utf8');
  expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(sweepJsonSchema())));
});
