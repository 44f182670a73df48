/**
 * `npm run expected [-- NAME… [--scan] [--workers N] [--folder F] [--scan-seeds N] [--seeds N]]`: runs shipped scenarios
 * over ten seeds and writes medians and ranges into their `expected`. With `--scan` it first scans the settings that
 * `expected.scans` lists, and takes the best of each; with `--table` it prints what the files hold, as Markdown.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JobResult } from './job.ts';
import { comparedIn } from './job.ts';
import { present, rangeOf, rangesOf, skillOf } from './numbers.ts';
import { createPool } from './pool.ts';
import type { Pool } from './pool.ts';
import { parseScenario } from '../../engine/index.ts';
import { TABLE_HEADER, tableRows } from './table.ts';
import { edgesOf, runScan, SCAN_SEEDS, withValues } from './scan.ts';
import type { Scan, ScanRecord } from './scan.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const FREE_RUN = 'free-run';

interface RawScenario {
  readonly name: string;
  readonly methods: readonly { readonly kind: string; readonly label?: string }[];
  readonly expected?: { readonly scans?: readonly Scan[]; readonly verdict?: string };
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Scans one method after the other; each best setting goes into the scenario. */
async function tuned(
  pool: Pool,
  raw: RawScenario,
  wanted: readonly Scan[],
  seeds: readonly number[],
): Promise<{ raw: RawScenario; scans: readonly ScanRecord[] }> {
  const scans = await Promise.all(wanted.map((scan) => runScan(pool, raw, scan, FREE_RUN, seeds)));
  for (const scan of scans) {
    const edges = edgesOf(scan);
    const skill = Math.max(...scan.table.map(({ median }) => median ?? -Infinity));
    const edge = edges.length === 0 ? '' : `; at the edge: ${edges.join(', ')}`;
    say(`${raw.name}, ${scan.method}: best ${scan.best.join(', ')}, skill ${skill}${edge}`);
  }
  const best = scans.reduce<unknown>((changed, scan) => withValues(changed, scan, scan.best), raw);
  return { raw: best as RawScenario, scans };
}

/** Runs every seed, a job for each method, and adds up what came of them. */
async function overSeeds(pool: Pool, raw: RawScenario, seeds: readonly number[]): Promise<Record<string, unknown>> {
  const labels = raw.methods.map(({ kind, label }) => label ?? kind);
  const compared = comparedIn(raw);
  const results: JobResult[] = await Promise.all(
    seeds.map(async (seed) => {
      const parts = await Promise.all(labels.map((label) => pool.run({ raw, seed, methods: [label] }, true)));
      return Object.assign({}, ...parts) as JobResult;
    }),
  );
  const entries = labels.map((label) => {
    const runs = present(results, label);
    const lost = seeds.length - runs.length;
    if (lost > 0) throw new Error(`${raw.name}, ${label}: ${lost} runs diverged`);
    const skills = results.map((result) => skillOf(result[label], result[FREE_RUN], compared));
    say(`${raw.name}, ${label}: skill ${skills.map((skill) => skill.toFixed(3)).join(' ')}`);
    const forecast = rangesOf(runs, 'rmse', 'forecast');
    const analysis = rangesOf(runs, 'rmse', 'analysis');
    const isEnsemble = runs.some(({ spread }) => Object.values(spread.analysis).some((value) => value > 0));
    return [
      label,
      {
        forecast,
        analysis,
        ...(isEnsemble && { spread: rangesOf(runs, 'spread', 'analysis') }),
        skill: rangeOf(skills),
      },
    ] as const;
  });
  return Object.fromEntries(entries);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      scan: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
      folder: { type: 'string', default: 'scenarios' },
      'scan-seeds': { type: 'string', default: String(SCAN_SEEDS.length) },
      table: { type: 'boolean', default: false },
      seeds: { type: 'string', default: String(SEEDS.length) },
    },
  });
  const names = readdirSync(values.folder)
    .filter((file) => file.endsWith('.json') && file !== 'scenario.schema.json')
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => positionals.length === 0 || positionals.includes(name));
  if (values.table) {
    const scenarios = names.map((name) => readFileSync(join(values.folder, `${name}.json`), 'utf8'));
    const rows = scenarios.flatMap((text, i) => tableRows(parseScenario(text, names[i]).scenario));
    process.stdout.write([...TABLE_HEADER, ...rows].map((row) => `${row}\n`).join(''));
    return;
  }
  const pool = createPool(Number(values.workers));
  const progress = setInterval(() => say(`${pool.done} of ${pool.asked} runs`), 30_000);
  const all = names.map(async (name) => {
    const file = join(values.folder, `${name}.json`);
    const { expected: known, ...written } = JSON.parse(readFileSync(file, 'utf8')) as RawScenario;
    const { raw, scans } = values.scan
      ? await tuned(pool, written, known?.scans ?? [], SCAN_SEEDS.slice(0, Number(values['scan-seeds'])))
      : { raw: written, scans: known?.scans ?? [] };
    // A scan takes long: what it found is kept, whatever comes of the seeds.
    writeFileSync(file, `${JSON.stringify({ ...raw, expected: { ...known, scans } }, null, 2)}\n`);
    const results = await overSeeds(pool, raw, SEEDS.slice(0, Number(values.seeds)));
    const verdict = known?.verdict;
    const expected = {
      seeds: SEEDS.slice(0, Number(values.seeds)),
      ...(verdict !== undefined && { verdict }),
      results,
      scans,
    };
    writeFileSync(file, `${JSON.stringify({ ...raw, expected }, null, 2)}\n`);
  });
  const outcomes = await Promise.allSettled(all);
  clearInterval(progress);
  pool.close();
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      say(String(outcome.reason));
      process.exitCode = 1;
    }
  }
}

await main();
