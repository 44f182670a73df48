/** `shoal compare` on run folders as they are on the disk. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import compare from '../../../app/cli/commands/compare.ts';
import type { Context, ExitCode } from '../../../app/cli/context.ts';
import { createTerminal } from '../../../app/cli/context.ts';
import { createNodeStorage } from '../../../app/cli/node-storage.ts';
import { formatComparisons } from '../../../app/cli/run/comparison-table.ts';
import { writeCase } from '../../../app/cli/sweep/case-folders.ts';
import {
  createReferenceBackend,
  createRunFolder,
  failedCase,
  readRunSummary,
  readRunToContinue,
  runCases,
} from '../../../engine/index.ts';
import type { ExperimentEvent, RunState, Scenario } from '../../../engine/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';
import { planSmall, REFERENCE, SMALL_SCENARIO } from '../sweep/small-sweep.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const CYCLES = 30;
const HALF = 15;
const LONG = { experiment: { cycles: CYCLES, window: 0.5 } };
const here = process.cwd();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-compare-'));
  process.chdir(folder);
});

afterAll(() => {
  process.chdir(here);
  rmSync(folder, { recursive: true, force: true });
});

/** What a run reports of its cycles: errors that differ by method, noisy by seed and cycle. */
function eventsOf(scenario: Scenario, from: number, to: number): ExperimentEvent[] {
  const methods = scenario.methods.map(({ label, kind }) => ({ label, kind, members: 4 }));
  const start: ExperimentEvent = {
    type: 'start',
    scenario: scenario.name,
    seed: scenario.seed,
    backend: { name: 'reference', adapter: 'JavaScript' },
    methods,
    variables: ['h', 'hu'],
    cycles: scenario.experiment.cycles,
    firstCycle: from,
    memoryBytes: 1,
  };
  const cycles = Array.from({ length: to - from }, (_, index) => from + index).flatMap((cycle): ExperimentEvent[] => [
    ...methods.map(({ label }, place): ExperimentEvent => {
      const noise = 0.1 * randomStream(scenario.seed, 'test.errors', cycle, place).normal();
      return { type: 'diagnostics', diagnostics: diagnosticsRow(label, cycle, { h: Math.exp(noise - place), hu: 1 }) };
    }),
    { type: 'cycle', cycle, cycles: scenario.experiment.cycles },
  ]);
  return [start, ...cycles];
}

/** Writes a run folder as `shoal run` does, from its cycle to another. */
async function writeRun(
  path: string,
  scenario: Scenario,
  to: number,
  state: Exclude<RunState, 'running'>,
  shoal = '1',
): Promise<void> {
  mkdirSync(path, { recursive: true });
  const storage = createNodeStorage(join(folder, path));
  const continued = await readRunToContinue(storage, scenario);
  const identity = { scenario, seed: scenario.seed, backend: { name: 'reference', adapter: 'JavaScript' } } as const;
  const run = createRunFolder(storage, {
    identity,
    versions: { shoal },
    now: () => new Date(0),
    ...(continued && { continued }),
  });
  await run.begin();
  for (const event of eventsOf(scenario, continued?.checkpoint?.cycle ?? 0, to)) run.listen(event);
  if (state === 'stopped') await run.save({ cycle: to, fingerprint: 'f', arrays: { truth: Float64Array.of(1) } });
  await run.finish(state);
}

interface Said {
  readonly code: ExitCode;
  readonly stdout: string;
}

async function said(folders: readonly string[], options: { readonly json?: boolean } = {}): Promise<Said> {
  let stdout = '';
  const terminal = createTerminal(options, { write: (text) => (stdout += text) }, { write: () => undefined });
  const code = await compare({ terminal } as Context, folders);
  return { code, stdout };
}

const SEEDS = [1, 2, 3, 4, 5, 6, 7];

beforeAll(async () => {
  for (const seed of SEEDS) await writeRun(`s${seed}`, tinyScenario({ ...LONG, seed }), CYCLES, 'complete');
  const methods = [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf', inflation: 1.5 }];
  await writeRun('other', tinyScenario({ ...LONG, seed: 1, methods }), CYCLES, 'complete', '2');
  await writeRun('part', tinyScenario({ ...LONG, seed: 1, methods, title: 'part' }), HALF, 'stopped');
  await writeRun('elsewhere', tinyScenario({ ...LONG, seed: 1, grid: { nx: 14, ny: 10 } }), CYCLES, 'complete');
});

describe('shoal compare', () => {
  it('pairs runs that differ by their seed, names the winner and on how many seeds', async () => {
    const { code, stdout } = await said(SEEDS.map((seed) => `s${seed}`));
    expect(code).toBe(0);
    expect(stdout).toContain('[1] s6: tiny, seed 6, reference, 30 cycles');
    expect(stdout).toMatch(/letkf seed 3 +│ +0\.\d+/);
    expect(stdout).toContain('Paired over 7 seeds, since the runs differ by their seed alone.');
    expect(stdout).toMatch(/3dvar +│ worse on 7 of 7 seeds \(\+1\d\d(\.\d)? %, 95 % /);
    expect(stdout).toContain('median of the differences seed by seed over 7 seeds');
  });

  it('pairs runs of one seed over their cycles, and lists what differs and whose versions', async () => {
    const { code, stdout } = await said(['s1', 'other']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/differs from \[1\] in .*settings?:\n/);
    expect(stdout).toContain('methods[letkf].inflation: 1.1 → 1.5');
    expect(stdout).toContain('Paired over the cycles they have in common');
    expect(stdout).toMatch(/letkf \[2\] .*│ the same/);
    expect(stdout).toContain('This run is one seed, and other seeds may differ');
    expect(stdout).toContain('The runs are of other versions, whose numbers may differ: shoal 1, 2.');
  });

  it('gives one document with all of it', async () => {
    const { stdout } = await said(['s1', 'other'], { json: true });
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      over: 'cycles',
      seeds: [1],
      runs: [{ folder: 's1', number: 1, state: 'complete', methods: [{ method: 'free-run' }, {}, {}] }, { number: 2 }],
      comparisons: { over: 'cycles', least: 'letkf [1]' },
    });
    expect(document.differences[0].settings).toContainEqual(
      expect.objectContaining({ path: 'methods[letkf].inflation', before: 1.1, after: 1.5 }),
    );
    expect(document.comparisons.pairs).toContainEqual(
      expect.objectContaining({ method: '3dvar [1]', reference: 'free-run', cycles: CYCLES, wins: CYCLES }),
    );
    for (const pair of document.comparisons.pairs) expect(pair).not.toHaveProperty('verdict');
  });

  it('shows a run that is not complete, says so, and pairs the cycles that it has', async () => {
    const { code, stdout } = await said(['s1', 'part']);
    expect(code).toBe(0);
    expect(stdout).toContain('[2] part: tiny, seed 1, reference, stopped after 15 of 30 cycles');
    expect(stdout).toContain('part is not complete (stopped after 15 of 30 cycles): its means are over those.');
    expect(stdout).toMatch(/letkf \[2\].*the same/);
  });

  it('shows runs that cannot be compared, says why, and ends with 1', async () => {
    const { code, stdout } = await said(['s1', 'elsewhere']);
    expect(code).toBe(1);
    expect(stdout).toContain('grid.nx: 12 → 14');
    expect(stdout).toMatch(/Not compared: truth or observations of \[2\] are not those of \[1\]/);
    expect(JSON.parse((await said(['s1', 'elsewhere'], { json: true })).stdout)).toMatchObject({
      over: null,
      comparisons: null,
    });
  });

  it('refuses what is no run folder, one folder, and the same folder twice', async () => {
    mkdirSync('empty');
    mkdirSync('swept/cases', { recursive: true });
    symlinkSync('s1', 'link');
    mkdirSync('broken');
    writeFileSync('broken/run.json', readFileSync('s1/run.json', 'utf8').replace('"complete"', '"done"'));
    await expect(said(['s1'])).rejects.toThrow(/^s1: one run folder, two or more are needed/);
    await expect(said(['s1', 's1'])).rejects.toThrow(/^s1: the same folder twice$/);
    await expect(said(['s1', 'link'])).rejects.toThrow(/^link: the same folder twice \(it is s1\)/);
    await expect(said(['s1', 'empty'])).rejects.toThrow(/^empty: not a run folder, there is no run\.json in it/);
    await expect(said(['s1', 'swept'])).rejects.toThrow(/^swept: not a run folder, .* it is a sweep’s/);
    await expect(said(['s1', 'gone'])).rejects.toThrow(/^gone: there is no such folder/);
    await expect(said(['s1', 'broken'])).rejects.toThrow(/^broken.run\.json:\d+:\d+: state: found "done"/);
  });

  it('says the same of a run that was continued as of one that was left alone', async () => {
    const scenario = tinyScenario({ ...LONG, seed: 2 });
    await writeRun('continued', scenario, HALF, 'stopped');
    await writeRun('continued', scenario, CYCLES, 'complete');
    const found = await Promise.all(
      ['continued', 's2'].map((path) => readRunSummary(createNodeStorage(join(folder, path)))),
    );
    const [continued, whole] = found.map((run) => run?.summary.comparisons(run.record.methods));
    expect(whole?.pairs.map(({ comparison }) => comparison?.cycles)).toEqual([CYCLES, CYCLES, CYCLES, CYCLES]);
    expect(continued).toEqual(whole);
  });
});

describe('shoal compare of a sweep’s cases', () => {
  const paths = ['methods[letkf].inflation'];
  const smallest = { ...SMALL_SCENARIO, grid: { nx: 8, ny: 8 }, experiment: { cycles: 3, window: 0.3 } };
  let folders: readonly string[] = [];

  beforeAll(async () => {
    const backend = createReferenceBackend();
    const plan = await planSmall(
      {
        grid: { 'methods[letkf].inflation': [1, 1.2] },
        seeds: { from: 1, count: 6 },
        methods: ['free-run', 'letkf'],
      },
      smallest,
    );
    mkdirSync('sweep/cases', { recursive: true });
    const times = { start: new Date(0), end: new Date(0) };
    for (let index = 0; index < plan.count; index++) {
      const planned = plan.caseAt(index);
      const [outcome] = await runCases(backend, [planned]);
      await writeCase('sweep/cases', planned, outcome, { paths, origin: REFERENCE, ...times });
    }
    backend.dispose();
    folders = plan.hashes.map((hash) => join('sweep', 'cases', hash));
  });

  it('pairs two settings over the seeds of both', async () => {
    const { code, stdout } = await said(folders, { json: true });
    expect(code).toBe(0);
    const { runs, differences, over, seeds, comparisons } = JSON.parse(stdout);
    expect(runs).toHaveLength(12);
    expect(runs[0]).toMatchObject({ folder: folders[0], state: 'complete', methods: [{ cycles: 3 }, { cycles: 3 }] });
    expect(differences).toEqual([
      { number: 2, settings: [expect.objectContaining({ path: paths[0], before: 1, after: 1.2 })] },
    ]);
    expect({ over, seeds }).toEqual({ over: 'seeds', seeds: [1, 2, 3, 4, 5, 6] });
    const of = (method: string, reference: string): unknown =>
      comparisons.pairs.find(
        (pair: Record<string, unknown>) => pair['method'] === method && pair['reference'] === reference,
      );
    expect(of('free-run [2]', 'first')).toMatchObject({ pairs: 6, ties: 6, words: 'the same' });
    expect(of('letkf [1]', 'free-run')).toMatchObject({ against: 'free-run [1]', pairs: 6, ties: 0 });
  });

  it('shows a case that could not be run, and pairs the others', async () => {
    const planned = (await planSmall({ seeds: [99] }, smallest)).caseAt(0);
    const times = { start: new Date(0), end: new Date(0) };
    await writeCase('sweep/cases', planned, failedCase(planned, 'no memory'), {
      paths: [],
      origin: REFERENCE,
      ...times,
    });
    const { code, stdout } = await said([...folders.slice(0, 2), join('sweep', 'cases', planned.hash)]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${planned.hash} has no complete cycle (failed), and nothing to compare.`);
    expect(stdout).toContain('Paired over 2 seeds');
  });
});

it('prints nothing beneath the table of one method', () => {
  expect(formatComparisons({ over: 'cycles', comparisons: { least: 'letkf', pairs: [] } }, ['h'])).toBe('');
});
