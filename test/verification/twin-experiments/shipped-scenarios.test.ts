/**
 * The results that a shipped scenario states for its own seed, held against a run: on the backend that computes if the machine has no GPU,
 * and at night some on the reference too. Its results over other seeds are held to its texts by `npm run expected`.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { summariseRun, summaryTerms } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { isNightly } from '../../setup/nightly.ts';
import { runScenario, shippedScenario } from '../../setup/run-scenario.ts';

/** The shortest of the common methods and observations: `npm run nightly` runs all. */
const DAILY = new Set([
  'dam-break',
  'first-light',
  'one-stone',
  'readings-in-time',
  'what-is-an-analysis',
  'when-hybrid-wins',
]);

const names = readdirSync(new URL('../../../scenarios/', import.meta.url))
  .filter((file) => file.endsWith('.json') && file !== 'scenario.schema.json')
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => isNightly || DAILY.has(name));

/** Share of a number's own size, and for skill in its own unit: another order of summation moves the last of four digits, and chaos more. */
const ALLOWANCE = 0.01;

/** Cells beyond which a run takes many minutes without a GPU: such results were measured on one. */
const MOST_CELLS = 512 ** 2;

/** Scenarios that `npm run nightly` runs on the reference too, of waves and of a bore: it takes ten times as long. */
const ON_REFERENCE = new Set(isNightly ? ['first-light', 'dam-break'] : []);

const runs = names.flatMap((name) =>
  backends
    .filter((backend) => backend.name === 'wasm' || (backend.name === 'reference' && ON_REFERENCE.has(name)))
    .map(({ name: backend, open }) => ({ name, backend, open })),
);

type Found = ReturnType<typeof summariseRun>[number];

/** @returns what a run has found of a measure: `rmse_analysis_h`, `skill` */
function valueOf({ rmse, spread, ...result }: Found, measure: string): unknown {
  const [, name, stage, variable] = /^(rmse|spread)_(forecast|analysis)_(\w+)$/.exec(measure) ?? [];
  if (name === undefined)
    return (result as Readonly<Record<string, unknown>>)[measure === 'skill_pattern' ? 'skillPattern' : measure];
  return { rmse, spread }[name as 'rmse' | 'spread'][stage as 'forecast' | 'analysis'][variable];
}

describe.each(runs)('the expected results of $name on $backend', ({ name, open }) => {
  const scenario = shippedScenario(name);
  const { nx, ny } = scenario.grid;

  // `large` is for a real GPU, which this suite cannot count on; that it is valid and has results is tested with the others.
  it.skipIf(nx * ny > MOST_CELLS)('hold for a run with its own seed, for every method', async () => {
    const { own } = scenario.expected ?? {};
    const backend = await open();
    const { diagnostics, methods } = await runScenario(backend, scenario);
    backend.dispose();
    const found = summariseRun(methods, diagnostics, summaryTerms(scenario));
    expect(own?.seed).toBe(scenario.seed);
    expect(Object.keys(own?.results ?? {})).toEqual(found.map(({ method }) => method));
    for (const result of found) {
      for (const [measure, stated] of Object.entries(own?.results[result.method] ?? {})) {
        const margin = measure.startsWith('skill') ? ALLOWANCE : ALLOWANCE * stated;
        const value = valueOf(result, measure);
        const isAsStated = Math.abs(Number(value) - stated) <= margin;
        expect(isAsStated, `${result.method}, ${measure}: ${String(value)} for ${stated}`).toBe(true);
      }
    }
  });
});
