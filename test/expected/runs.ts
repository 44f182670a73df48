/** The sweeps and scans of a scenario, each a batch of cases that the rounds run beside those of other scenarios. */
import { dirname, join, resolve } from 'node:path';
import {
  evaluateAsSweep,
  planSweep,
  planTuning,
  scanRecord,
  setPath,
  tuneMethod,
  validateScenario,
  validateSweepDefinition,
  withPoint,
} from '../../engine/index.ts';
import type {
  CaseSummary,
  ExpectedResults,
  NumbersOrigin,
  ReadFile,
  RunBatch,
  Scenario,
  ScanRecord,
  TuningResult,
} from '../../engine/index.ts';
import { readBeside } from '../../app/cli/scenario-source.ts';
import type { Evidence } from './claims.ts';
import type { MeasuredCase } from './measured.ts';
import type { Rounds } from './rounds.ts';

type Raw = Readonly<Record<string, unknown>>;
type Variants = NonNullable<ExpectedResults['variants']>;

/** Reads the files that a scenario names, beside its own. */
function beside(file: string): ReadFile {
  return (name, most) => readBeside(join(dirname(resolve(file)), name), most);
}

/** A case as a tuning reads it, whose measures have the names that the sweep knows. */
function asSummary({ hash, reason, methods }: MeasuredCase, measure: string, key: string): CaseSummary {
  return {
    hash,
    reason,
    state: methods.length === 0 ? 'failed' : 'complete',
    methods: methods.map(({ method, state, measures }) => ({
      method,
      kind: '',
      members: 0,
      state,
      divergedAt: null,
      measures: { [measure]: measures[key] ?? null },
    })),
  };
}

/** How a scan was asked for: what it tries may grow beyond the edges of the grid. */
export interface ScanTerms {
  readonly seeds: readonly number[];
  readonly extensions: number;
}

export function createRuns({ run, all }: Rounds, origin: NumbersOrigin, keyOf: (measure: string) => string) {
  async function scanOne(file: string, raw: Raw, { method, parameters }: ScanRecord, { seeds, extensions }: ScanTerms) {
    const requests = Object.entries(parameters).map(([name, values]) => ({ name, values }));
    const plan = planTuning(raw, { method, parameters: requests, seeds: [...seeds], levels: 0, extensions });
    const { name } = plan.measure;
    const runBatch: RunBatch = async (batch) => {
      const known = await run(batch, false);
      return new Map(
        batch.hashes.flatMap((hash) => {
          const found = known.get(hash);
          return found ? [[hash, asSummary(found, name, keyOf(name))]] : [];
        }),
      );
    };
    const evaluate = evaluateAsSweep(plan, { file, readFile: beside(file) }, origin, runBatch);
    return tuneMethod(plan, { evaluate });
  }

  /** Tries every combination that each scan lists, all of them in the scenario as it is, as the record says. */
  async function scan(
    file: string,
    raw: Raw,
    wanted: readonly ScanRecord[],
    terms: ScanTerms,
  ): Promise<readonly TuningResult[]> {
    return all(
      wanted.map((record) => () => scanOne(file, raw, record, terms)),
      'task',
    );
  }

  async function overSeeds(file: string, raw: Raw, seeds: readonly number[]): Promise<readonly MeasuredCase[]> {
    const sweep = validateSweepDefinition({ version: 1, scenario: file, seeds: [...seeds] }, 'expected');
    const plan = await planSweep(sweep, { raw, file, readFile: beside(file) }, origin);
    const known = await run(plan, true);
    return plan.hashes.map((hash) => {
      const found = known.get(hash);
      if (!found) throw new Error(`${file}: a case was lost with the process that ran it; start again`);
      return found;
    });
  }

  /** Runs the scenario and its variants with all seeds and its own. */
  async function evidence(file: string, raw: Raw, variants: Variants, seeds: readonly number[]): Promise<Evidence> {
    const settings = new Map<string | undefined, Raw>([
      [undefined, raw],
      ...Object.entries(variants).map(([name, variant]): [string, Raw] => [name, changed(raw, variant.settings, name)]),
    ]);
    const scenarios = new Map<string | undefined, Scenario>();
    for (const [name, own] of settings) scenarios.set(name, validateScenario(own, file).scenario);
    const ownSeed = validateScenario(raw, file).scenario.seed;
    const withOwn = [...seeds, ownSeed];
    const names = [...settings.keys()];
    const found = await all(
      names.map((name) => () => overSeeds(file, settings.get(name) ?? raw, withOwn)),
      'task',
    );
    const cases = new Map(names.map((name, index) => [name, found[index]]));
    return {
      scenarioOf: (name) => defined(scenarios.get(name), name),
      caseOf: (name, seed) => defined(cases.get(name), name)[withOwn.indexOf(seed)],
      seeds,
      ownSeed,
    };
  }

  return { scan, evidence };
}

function defined<Value>(value: Value | undefined, name: string | undefined): Value {
  if (value === undefined) throw new Error(`there is no variant ${name}`);
  return value;
}

function changed(raw: Raw, settings: readonly { path: string; value: unknown }[], name: string): Raw {
  return settings.reduce<unknown>((before, { path, value }) => setPath(before, path, value, name), raw) as Raw;
}

/** @returns the scenario with the best of each scan, and the records */
export function withScans(
  raw: Raw,
  results: readonly TuningResult[],
): { readonly raw: Raw; readonly scans: readonly ScanRecord[] } {
  const best = results.reduce<unknown>(
    (before, { parameters, found }) => (found ? withPoint(before, parameters, found.best.values) : before),
    raw,
  );
  return { raw: best as Raw, scans: results.map(scanRecord) };
}
