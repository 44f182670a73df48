/**
 * `npm run expected [-- NAME…]`: runs shipped scenarios over twenty seeds, writes medians and ranges into their `expected`, checks
 * what their texts claim, and fills the numbers into the texts. It ends with 1 if a claim does not hold for enough seeds.
 *
 * - `--scan` first scans the settings that `expected.scans` lists, over other seeds, and takes the best of each.
 * - `--check` checks what the files hold, without a run; `--table` prints it as Markdown.
 * - `--workers N`, `--backend B`; `--folder F` has the scenarios, `--output F` receives them (the same folder if it is missing).
 * - `--cases F` keeps what each case gave, in `measured.jsonl`: an interrupted run continues from there, on another machine too.
 * - `--extensions N`: how often a scan's grid may grow beyond an edge at which the best setting is.
 *
 * `npx oxfmt scenarios` then lays the files out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeTuning, errorOf, parseScenario } from '../../engine/index.ts';
import type { BackendName, Scenario } from '../../engine/index.ts';
import { EXIT, createTerminal, type Context, describeFailure } from '../../app/cli/context.ts';
import { listenForInterruption } from '../../app/cli/run/progress.ts';
import { originOf } from '../../app/cli/sweep/pool.ts';

import { disk } from '../../app/files/disk.ts';
import { claimProblem } from './claims.ts';
import { measureKey, openJournal } from './measured.ts';
import { createRounds } from './rounds.ts';
import { createRuns, withScans } from './runs.ts';
import { filled, fileProblems, needsGpu } from './scenario-file.ts';
import { TABLE_HEADER, tableRows } from './table.ts';

/** Seeds of results and of scans: a setting is not fitted to what it is judged by, and no text was written on either. */
const SEEDS = Array.from({ length: 20 }, (_, index) => 201 + index);
const SCAN_SEEDS = Array.from({ length: 8 }, (_, index) => 101 + index);
const BACKENDS: readonly BackendName[] = ['wasm', 'webgpu', 'reference'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scan: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    backend: { type: 'string', default: 'wasm' },
    workers: { type: 'string' },
    folder: { type: 'string', default: 'scenarios' },
    output: { type: 'string' },
    cases: { type: 'string', default: join('runs', 'expected') },
    extensions: { type: 'string', default: '0' },
  },
});

/** The built program is in a folder of `out`. */
const bundleFolder = import.meta.dirname;
const context: Context = {
  terminal: createTerminal({}, process.stdout, process.stderr),
  installation: { root: join(bundleFolder, '..', '..'), bundleFolder, launcher: '' },
  argv: [],
};
const { terminal } = context;

interface ScenarioFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly scenario: Scenario;
}

function scenarioFiles(): readonly ScenarioFile[] {
  return readdirSync(values.folder)
    .filter((file) => file.endsWith('.json') && file !== 'scenario.schema.json')
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => positionals.length === 0 || positionals.includes(name))
    .map((name) => {
      const file = join(values.folder, `${name}.json`);
      const text = readFileSync(file, 'utf8');
      return { name, file, text, scenario: parseScenario(text, file).scenario };
    });
}

function printTable(): void {
  const rows = scenarioFiles().flatMap(({ scenario }) => tableRows(scenario));
  process.stdout.write([...TABLE_HEADER, ...rows].map((row) => `${row}\n`).join(''));
}

function check(): void {
  for (const { name, text } of scenarioFiles()) {
    for (const problem of fileProblems(text, name)) {
      terminal.warn(`${name}: ${problem}`);
      process.exitCode = EXIT.failed;
    }
  }
}

function runnable(): readonly ScenarioFile[] {
  return scenarioFiles().filter(({ name, scenario }) => {
    const isTooLarge = needsGpu(scenario) && !positionals.includes(name);
    if (isTooLarge) terminal.note(`${name} needs a GPU; name it to run it`);
    return !isTooLarge;
  });
}

type Runs = ReturnType<typeof createRuns>;

/** Scans if asked to, runs all seeds, and writes the file. */
async function fillFile(
  { name, file, text, scenario: { expected } }: ScenarioFile,
  { scan, evidence }: Runs,
): Promise<void> {
  const { expected: _expected, ...written } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  let [raw, scans] = [written as Readonly<Record<string, unknown>>, expected?.scans ?? []];
  if (values.scan && scans.length > 0) {
    const results = await scan(file, raw, scans, { seeds: SCAN_SEEDS, extensions: Number(values.extensions) });
    for (const result of results) terminal.note(`${name}, ${result.method}: ${describeTuning(result).join(' ')}`);
    const best = withScans(raw, results);
    [raw, scans] = [best.raw, [...best.scans]];
  }
  const found = await evidence(file, raw, expected?.variants ?? {}, SEEDS);
  const result = filled(raw, expected, scans, found);
  // In one line, which the formatter breaks: so the file keeps its shape.
  await disk.writeWhole(join(values.output ?? values.folder, `${name}.json`), `${JSON.stringify(result)}\n`);
  report(name, parseScenario(JSON.stringify(result), name).scenario);
}

function report(name: string, { expected }: Scenario): void {
  for (const [label, { skill, diverged }] of Object.entries(expected?.results ?? {}))
    terminal.note(
      `${name}, ${label}: skill ${skill?.median} (${skill?.low} to ${skill?.high})${diverged ? `; ${diverged} diverged` : ''}`,
    );
  for (const claim of expected?.claims ?? []) {
    const problem = claimProblem(claim);
    if (problem === undefined) continue;
    terminal.warn(`${name}: ${problem}`);
    process.exitCode = EXIT.failed;
  }
}

async function fillAll(): Promise<void> {
  const backend = BACKENDS.find((name) => name === values.backend);
  if (!backend) throw new RangeError(`--backend ${values.backend}: allowed: ${BACKENDS.join(', ')}`);
  const cases = join(values.cases, 'cases');
  await disk.makeFolder(cases);
  await disk.makeFolder(values.output ?? values.folder);
  const stopping = new AbortController();
  const interruption = listenForInterruption(() => stopping.abort());
  const origin = await originOf(context, backend);
  const workers = values.workers === undefined ? undefined : Number(values.workers);
  const files = runnable();
  const rounds = createRounds({
    terminal,
    workers,
    folder: cases,
    journal: await openJournal(join(values.cases, 'measured.jsonl')),
    start: { backend, threads: workers === 1 ? undefined : 1, bundleFolder, source: files[0].file, origin },
    signal: stopping.signal,
  });
  const runs = createRuns(rounds, origin, measureKey);
  try {
    await rounds.all(
      files.map((file) => async () => {
        try {
          await fillFile(file, runs);
        } catch (error) {
          if (stopping.signal.aborted) throw error;
          terminal.warn(`${file.name}: ${errorOf(error).message}`);
          process.exitCode = EXIT.failed;
        }
      }),
      'nobody',
    );
  } catch (error) {
    if (!interruption.requested) throw error;
    terminal.warn(`stopped; the cases that are done are in ${values.cases}, start again to continue`);
    process.exitCode = EXIT.interrupted;
  } finally {
    interruption.dispose();
  }
}

try {
  if (values.table) printTable();
  else if (values.check) check();
  else await fillAll();
} catch (error) {
  const { lines, exitCode } = describeFailure(error);
  for (const line of lines) terminal.warn(line);
  process.exitCode = exitCode;
}
