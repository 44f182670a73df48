/** The table of results that each shipped scenario promises, held within the band that it states. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import { runScenario, shippedScenario } from '../../setup/run-scenario.ts';

const names = readdirSync(new URL('../../../scenarios/', import.meta.url))
  .filter((file) => file.endsWith('.json') && file !== 'scenario.schema.json')
  .map((file) => file.replace(/\.json$/, ''));

describe.each(names)('the expected results of %s', (name) => {
  it('are those of a run, for every method', async () => {
    const scenario = shippedScenario(name);
    const backend = createReferenceBackend();
    const { means } = await runScenario(backend, scenario);
    backend.dispose();
    expect(Object.keys(scenario.expected ?? {})).toEqual(Object.keys(means));
    for (const [method, { band, ...expected }] of Object.entries(scenario.expected ?? {})) {
      for (const [measure, value] of Object.entries(expected)) {
        const found = means[method][measure as keyof typeof expected];
        expect(Math.abs(found / value - 1), `${method}, ${measure}: ${found} for ${value}`).toBeLessThan(band);
      }
    }
  });
});
