/** Sweeps and scans of a scenario, in processes and case folders as `shoal sweep` has them. */
import { dirname, join, resolve } from 'node:path';
import {
  estimateMemory,
  evaluateAsSweep,
  planSweep,
  planTuning,
  scanRecord,
  tuneMethod,
  validateScenario,
  validateSweepDefinition,
  withPoint,
} from '../../engine/index.ts';
import type {
  BackendName,
  CaseSummary,
  ExpectedResults,
  ReadFile,
  ScanRecord,
  TuningResult,
} from '../../engine/index.ts';
import { originOf, workersOf } from '../../app/cli/sweep/workers.ts';
import type { Context } from '../../app/cli/context.ts';
import { readBeside } from '../../app/cli/scenario-source.ts';
import { createCaseRunner } from '../../app/cli/tune/case-runner.ts';
import { expectedResult } from './numbers.ts';

/** Bytes of a real where the model steps on the host. */
const LARGEST_REAL = 8;

type Raw = Readonly<Record<string, unknown>>;

/** Reads the files that a scenario names, beside its own. */
function beside(file: string): ReadFile {
  return (name, most) => readBeside(join(dirname(resolve(file)), name), most);
}

export interface ScenarioSweepOptions {
  readonly backend: BackendName;
  /** Processes; as many as cores and memory allow where left out. */
  readonly workers: number | undefined;
  /** Of the cases. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface Scanned {
  /** With the best of each scan. */
  readonly raw: Raw;
  readonly scans: readonly ScanRecord[];
  readonly results: readonly TuningResult[];
}

export async function createScenarioSweeps(
  context: Context,
  { backend, workers: asked, folder, signal }: ScenarioSweepOptions,
) {
  const { terminal, installation } = context;
  const { bundleFolder } = installation;
  const origin = await originOf(context, backend);

  function runnerOf(file: string, raw: Raw, most: number) {
    const bytes = estimateMemory(validateScenario(raw, file).scenario, LARGEST_REAL);
    const workers = workersOf(asked, { origin, bytes });
    const threads = workers > 1 ? 1 : undefined;
    return createCaseRunner(terminal, most, {
      folder,
      workers,
      start: { backend, threads, bundleFolder, source: file },
      signal,
    });
  }

  /** Tries every combination of what each scan lists; all of them in the scenario as it is, as the record says. */
  async function scan(
    file: string,
    raw: Raw,
    wanted: readonly ScanRecord[],
    seeds: readonly number[],
  ): Promise<Scanned> {
    const results: TuningResult[] = [];
    for (const { method, parameters } of wanted) {
      const requests = Object.entries(parameters).map(([name, values]) => ({ name, values }));
      const plan = planTuning(raw, { method, parameters: requests, seeds, levels: 0, extensions: 0 });
      const runner = runnerOf(file, raw, plan.cases.most);
      try {
        const evaluate = evaluateAsSweep(plan, { file, readFile: beside(file) }, origin, runner.run);
        results.push(await tuneMethod(plan, { evaluate }));
      } finally {
        runner.end();
      }
    }
    const best = results.reduce<unknown>(
      (changed, { parameters, found }) => (found ? withPoint(changed, parameters, found.best.values) : changed),
      raw,
    );
    return { raw: best as Raw, scans: results.map(scanRecord), results };
  }

  /** Runs every seed with all methods. @returns by label what came of them */
  async function overSeeds(file: string, raw: Raw, seeds: readonly number[]): Promise<ExpectedResults['results']> {
    const sweep = validateSweepDefinition({ version: 1, scenario: file, seeds }, 'expected');
    const plan = await planSweep(sweep, { raw, file, readFile: beside(file) }, origin);
    const runner = runnerOf(file, raw, plan.count);
    try {
      const known = await runner.run(plan);
      const cases = plan.hashes.flatMap((hash): CaseSummary[] => {
        const found = known.get(hash);
        return found ? [found] : [];
      });
      return Object.fromEntries(plan.methods.map((label) => [label, expectedResult(cases, label)]));
    } finally {
      runner.end();
    }
  }

  return { scan, overSeeds };
}
