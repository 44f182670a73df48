/**
 * Every shipped scenario up to 64² for 2500 cycles on wasm: `npm run verify -- long-runs`. It takes an hour of one core a seed.
 * SHOAL_LONG_RUNS picks scenarios ('one-stone,first-light'), SHOAL_LONG_RUN_SEEDS seeds ('1,2'), SHOAL_LONG_RUN_CYCLES the cycles.
 */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createWasmBackend } from '../../../engine/index.ts';
import { startKernelThread } from '../../setup/kernel-threads.ts';
import { shippedScenario } from '../../setup/run-scenario.ts';
import { longRun } from './measure.ts';
import { passes, SHORT_RUNS, TABLE_HEADER, tableRow } from './table.ts';

const CYCLES = Number(process.env['SHOAL_LONG_RUN_CYCLES'] ?? 2500);
const LARGEST = 64;
const listOf = (text: string | undefined): readonly string[] => (text ?? '').split(',').filter((each) => each !== '');
const seeds = listOf(process.env['SHOAL_LONG_RUN_SEEDS'] ?? '1').map(Number);
const wanted = listOf(process.env['SHOAL_LONG_RUNS']);

const scenarios = readdirSync(new URL('../../../scenarios/', import.meta.url))
  .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
  .map((file) => shippedScenario(file.replace(/\.json$/, '')))
  .filter(({ grid }) => Math.max(grid.nx, grid.ny) <= LARGEST)
  .filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

for (const line of TABLE_HEADER) print(line);

it.each(scenarios.flatMap((scenario) => seeds.map((seed) => ({ name: scenario.name, seed, scenario }))))(
  '$name, seed $seed, is steady in the long run, or says why not',
  async ({ name, seed, scenario }) => {
    const backend = await createWasmBackend({ threads: 1, startThread: startKernelThread });
    const { experiment } = scenario;
    const methods = await longRun(backend, { ...scenario, seed, experiment: { ...experiment, cycles: CYCLES } });
    backend.dispose();
    const free = methods.find(({ assimilates }) => !assimilates);
    if (!free) throw new Error(`${name} has no free run to compare with`);
    const others = methods.filter(({ assimilates }) => assimilates);
    for (const method of others) print(tableRow(name, seed, method, free));
    if (SHORT_RUNS.has(name)) return;
    expect(others.filter((method) => !passes(method, free)).map(({ method }) => method)).toEqual([]);
  },
);
