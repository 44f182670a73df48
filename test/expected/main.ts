/**
 * `npm run expected [-- NAME… [--scan] [--backend B] [--workers N] [--folder F] [--cases F] [--scan-seeds N] [--seeds N]]`: sweeps
 * shipped scenarios over ten seeds and writes medians and ranges into their `expected`. With `--scan` it first scans the settings
 * that `expected.scans` lists, and takes the best of each; with `--table` it prints what the files hold, as Markdown. Cases that are
 * done are kept: what was interrupted goes on when it is started again. `npx oxfmt scenarios` then sets the files out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeTuning, parseScenario } from '../../engine/index.ts';
import type { BackendName } from '../../engine/index.ts';
import { EXIT } from '../../app/cli/context.ts';
import type { Context } from '../../app/cli/context.ts';
import { describeFailure } from '../../app/cli/failure.ts';
import { listenForInterruption } from '../../app/cli/run/interruption.ts';
import { createTerminal } from '../../app/cli/terminal.ts';
import { claimTuningFolder } from '../../app/cli/tune/folder.ts';
import { disk } from '../../app/files/disk.ts';
import { createScenarioSweeps } from './sweeps.ts';
import { TABLE_HEADER, tableRows } from './table.ts';

/** The seeds of results, and of scans: a setting is not fitted to what it is judged by. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const SCAN_SEEDS = [101, 102, 103, 104];
const BACKENDS: readonly BackendName[] = ['wasm', 'webgpu', 'reference'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scan: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    backend: { type: 'string', default: 'wasm' },
    workers: { type: 'string' },
    folder: { type: 'string', default: 'scenarios' },
    cases: { type: 'string', default: join('runs', 'expected') },
    'scan-seeds': { type: 'string', default: String(SCAN_SEEDS.length) },
    seeds: { type: 'string', default: String(SEEDS.length) },
  },
});

/** The built program lies in a folder of `out`. */
const bundleFolder = import.meta.dirname;
const context: Context = {
  terminal: createTerminal({}, process.stdout, process.stderr),
  installation: { root: join(bundleFolder, '..', '..'), bundleFolder, launcher: '' },
  argv: [],
};

function scenarioNames(): readonly string[] {
  return readdirSync(values.folder)
    .filter((file) => file.endsWith('.json') && file !== 'scenario.schema.json')
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => positionals.length === 0 || positionals.includes(name));
}

function printTable(): void {
  const rows = scenarioNames().flatMap((name) =>
    tableRows(parseScenario(readFileSync(join(values.folder, `${name}.json`), 'utf8'), name).scenario),
  );
  process.stdout.write([...TABLE_HEADER, ...rows].map((row) => `${row}\n`).join(''));
}

async function fill(): Promise<void> {
  const { terminal } = context;
  const backend = BACKENDS.find((name) => name === values.backend);
  if (!backend) throw new RangeError(`--backend ${values.backend}: allowed are ${BACKENDS.join(', ')}`);
  const cases = await claimTuningFolder(values.cases);
  const stopping = new AbortController();
  const interruption = listenForInterruption(() => stopping.abort());
  const workers = values.workers === undefined ? undefined : Number(values.workers);
  const sweeps = await createScenarioSweeps(context, {
    backend,
    workers,
    folder: cases.cases,
    signal: stopping.signal,
  });
  try {
    for (const name of scenarioNames()) {
      const file = join(values.folder, `${name}.json`);
      // In one line, which the formatter breaks where it has to: so the file keeps its shape.
      const write = (scenario: object): Promise<void> => disk.writeWhole(file, `${JSON.stringify(scenario)}\n`);
      const { expected: known, ...written } = JSON.parse(readFileSync(file, 'utf8')) as Readonly<
        Record<string, unknown>
      >;
      const before = parseScenario(readFileSync(file, 'utf8'), file).scenario.expected;
      let [raw, scans]: [Readonly<Record<string, unknown>>, unknown] = [written, before?.scans ?? []];
      if (values.scan) {
        const seeds = SCAN_SEEDS.slice(0, Number(values['scan-seeds']));
        const scanned = await sweeps.scan(file, written, before?.scans ?? [], seeds);
        for (const result of scanned.results)
          terminal.note(`${name}, ${result.method}: ${describeTuning(result).join(' ')}`);
        ({ raw, scans } = scanned);
        // A scan takes long: what it found is kept, whatever comes of the seeds.
        await write({ ...raw, expected: { ...(known as object), scans } });
      }
      const seeds = SEEDS.slice(0, Number(values.seeds));
      const results = await sweeps.overSeeds(file, raw, seeds);
      for (const [label, { skill }] of Object.entries(results))
        terminal.note(`${name}, ${label}: skill ${skill?.median} (${skill?.low} to ${skill?.high})`);
      const verdict = before?.verdict;
      await write({ ...raw, expected: { seeds, ...(verdict !== undefined && { verdict }), results, scans } });
    }
  } catch (error) {
    if (!interruption.requested) throw error;
    terminal.warn(`stopped; the cases that are done are in ${values.cases}, start it again to go on`);
    process.exitCode = EXIT.interrupted;
  } finally {
    interruption.dispose();
    await cases.release();
  }
}

try {
  if (values.table) printTable();
  else await fill();
} catch (error) {
  const { lines, exitCode } = describeFailure(error);
  for (const line of lines) context.terminal.warn(line);
  process.exitCode = exitCode;
}
