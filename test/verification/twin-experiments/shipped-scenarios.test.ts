/**
 * The results that a shipped scenario promises, medians and ranges over seeds, held against a run with its own seed: on the
 * backend that computes where there is no GPU, and some on the reference too.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { summariseRun, summaryTerms } from '../../../engine/index.ts';
import type { ExpectedResults } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { runScenario, shippedScenario } from '../../setup/run-scenario.ts';

const names = readdirSync(new URL('../../../scenarios/', import.meta.url))
  .filter((file) => file.endsWith('.json') && file !== 'scenario.schema.json')
  .map((file) => file.replace(/\.json$/, ''));

/**
 * Of a number's own size, and of skill in its own unit. The range is that of the seeds that were run, with the scenario's among
 * them; the numbers are written with three digits, and another order of summation moves the last of them.
 */
const ALLOWANCE = 0.01;

/** Cells beyond which a run takes many minutes without a GPU: such results were measured on one. */
const MOST_CELLS = 512 ** 2;

/** Scenarios that are run on the reference too, of waves and of a bore: it takes ten times as long. */
const ON_REFERENCE = new Set(['first-light', 'dam-break']);

const runs = names.flatMap((name) =>
  backends
    .filter((backend) => backend.name === 'wasm' || (backend.name === 'reference' && ON_REFERENCE.has(name)))
    .map(({ name: backend, open }) => ({ name, backend, open })),
);

type Result = ExpectedResults['results'][string];
type Range = NonNullable<Result['skill']>;

/** Every promised range of a method with what a run has found for it. */
function* promises(
  promised: Result,
  found: ReturnType<typeof summariseRun>[number],
): Generator<readonly [measure: string, range: Range, found: number]> {
  const { forecast, analysis, spread = {}, skill } = promised;
  const measures = [
    ['forecast', forecast, found.rmse.forecast],
    ['analysis', analysis, found.rmse.analysis],
    ['spread', spread, found.spread.analysis],
  ] as const;
  for (const [measure, ranges, values] of measures) {
    for (const [variable, range] of Object.entries(ranges))
      yield [`${measure} of ${variable}`, range, values[variable]];
  }
  if (skill) yield ['skill', skill, found.skill ?? Number.NaN];
}

describe.each(runs)('the expected results of $name on $backend', ({ name, open }) => {
  const scenario = shippedScenario(name);
  const { nx, ny } = scenario.grid;

  // `large` is for a real GPU, which this suite cannot count on; that it is valid and has results is tested with the others.
  it.skipIf(nx * ny > MOST_CELLS)(
    'hold for a run with its own seed, for every method, and the best of them is the best',
    async () => {
      const { results = {}, seeds = [] } = scenario.expected ?? {};
      const backend = await open();
      const { diagnostics, methods } = await runScenario(backend, scenario);
      backend.dispose();
      const found = summariseRun(methods, diagnostics, summaryTerms(scenario));
      expect(seeds).toContain(scenario.seed);
      expect(Object.keys(results)).toEqual(found.map(({ method }) => method));
      for (const result of found) {
        for (const [measure, { low, high }, value] of promises(results[result.method], result)) {
          const margin = measure === 'skill' ? ALLOWANCE : ALLOWANCE * high;
          const isInside = value >= low - margin && value <= high + margin;
          expect(isInside, `${result.method}, ${measure}: ${value} for ${low} to ${high}`).toBe(true);
        }
      }
      const promisedSkill = (label: string): number => results[label].skill?.median ?? -Infinity;
      const [promisedBest] = Object.keys(results).sort((a, b) => promisedSkill(b) - promisedSkill(a));
      const [best] = found.toSorted((a, b) => (b.skill ?? -Infinity) - (a.skill ?? -Infinity));
      expect(best.method).toBe(promisedBest);
    },
  );
});
