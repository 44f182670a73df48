/** A shipped scenario's file: what it expects, how that is written again, and whether its texts agree with it. */
import { headlineSkill, isWorseThanFree, parseScenario } from '../../engine/index.ts';
import type { Claim, ExpectedResults, Scenario } from '../../engine/index.ts';
import { claimProblem, findClaim } from './claims.ts';
import type { Evidence } from './claims.ts';
import { measureKey } from './measured.ts';
import { expectedResult, ownResults } from './numbers.ts';
import { fillText, keysOf, valueAtPath } from './texts.ts';

type Raw = Readonly<Record<string, unknown>>;
type Results = ExpectedResults['results'];

/** A scenario of more cells takes many minutes a seed without a GPU. */
const MOST_CELLS = 512 ** 2;
/** Fewer seeds say too little about a text. */
const LEAST_SEEDS = 20;
/** Seeds on which the first texts were written. */
const LAST_KNOWN_SEED = 10;
/** Shares that are written in a text by hand, not by a template. */
const PERCENTAGE = /\d ?%/;

/** @returns a copy with the text at a path. @throws Error if nothing is there to hold it */
function withText(raw: Raw, path: string, text: string): Raw {
  const copy = structuredClone(raw);
  const keys = keysOf(path);
  const last = keys[keys.length - 1];
  const holder = keys
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], copy);
  if (typeof holder !== 'object' || holder === null) throw new Error(`there is no text ${path}`);
  (holder as Record<string | number, unknown>)[last] = text;
  return copy;
}

function resultsOf(evidence: Evidence, variant: string | undefined): Results {
  const scenario = evidence.scenarioOf(variant);
  const cases = evidence.seeds.map((seed) => evidence.caseOf(variant, seed));
  const hasPattern = headlineSkill(scenario) === 'skill_pattern';
  return Object.fromEntries(
    scenario.methods.map(({ label }) => [label, expectedResult(cases, label, hasPattern)]),
  ) as Results;
}

/** @returns what a file holds once its runs are known: results, claims with what was found, and the texts with their numbers */
export function filled(
  raw: Raw,
  before: ExpectedResults | undefined,
  scans: ExpectedResults['scans'],
  evidence: Evidence,
): Raw {
  const { seeds, ownSeed } = evidence;
  const variants = Object.entries(before?.variants ?? {}).map(([name, { settings }]) => [
    name,
    { settings, results: resultsOf(evidence, name) },
  ]);
  const claims = (before?.claims ?? []).map((claim): Claim => ({ ...claim, found: findClaim(claim, evidence) }));
  const expected: ExpectedResults = {
    seeds: [...seeds],
    results: resultsOf(evidence, undefined),
    own: ownResults(ownSeed, evidence.caseOf(undefined, ownSeed)),
    ...(variants.length > 0 && { variants: Object.fromEntries(variants) as ExpectedResults['variants'] }),
    ...(claims.length > 0 && { claims }),
    ...(before?.verdict !== undefined && { verdict: before.verdict }),
    ...(before?.texts && { texts: before.texts }),
    ...(scans && scans.length > 0 && { scans }),
  };
  return withTexts({ ...raw, expected }, expected);
}

/** @returns a copy with every text that has a template, filled in */
export function withTexts(raw: Raw, expected: ExpectedResults): Raw {
  return Object.entries(expected.texts ?? {}).reduce(
    (changed, [path, template]) => withText(changed, path, fillText(template, expected, raw)),
    raw,
  );
}

/** Whether a scenario is measured on a GPU, with as many seeds as one was available for. */
export function needsGpu({ grid }: Scenario): boolean {
  return grid.nx * grid.ny > MOST_CELLS;
}

function* seedProblems(scenario: Scenario): Generator<string> {
  const { seed, expected } = scenario;
  if (needsGpu(scenario)) return;
  const { seeds = [], scans = [] } = expected ?? {};
  if (new Set(seeds).size < LEAST_SEEDS)
    yield `the results are of ${seeds.length} seeds, at least ${LEAST_SEEDS} are needed`;
  const scanned = new Set(scans.flatMap((scan) => scan.seeds));
  const reused = seeds.filter((each) => scanned.has(each) || each === seed || each <= LAST_KNOWN_SEED);
  if (reused.length > 0) yield `the seeds ${reused.join(', ')} were known when settings or texts were chosen`;
  for (const { method, seeds: own } of scans)
    if (own.length < 8) yield `${method} was scanned on ${own.length} seeds, at least 8 are needed`;
}

function* textProblems(raw: Raw, expected: ExpectedResults): Generator<string> {
  for (const [path, template] of Object.entries(expected.texts ?? {})) {
    let text: string;
    try {
      text = fillText(template, expected, raw);
    } catch (error) {
      yield `${path}: ${(error as Error).message}`;
      continue;
    }
    if (valueAtPath(raw, path) !== text) yield `${path} is not what its template gives; run npm run expected`;
  }
  const { verdict, texts } = expected;
  if (verdict !== undefined && PERCENTAGE.test((texts?.['expected.verdict'] ?? verdict).replaceAll(/\{[^}]*\}/g, '')))
    yield 'the verdict quotes a share that does not come from the results';
}

/** A method that is worse than the free run in a variable, observed or not, has to be named for it, by a claim and in the verdict. */
function* silences({ methods }: Scenario, { results, claims = [], verdict = '' }: ExpectedResults): Generator<string> {
  const free = methods.find(({ kind }) => kind === 'free-run')?.label ?? '';
  const freeErrors = new Map(Object.entries(results[free]?.analysis ?? {}));
  for (const [method, { analysis }] of Object.entries(results)) {
    for (const [variable, error] of Object.entries(analysis)) {
      const freeError = freeErrors.get(variable);
      if (!error || !freeError || !isWorseThanFree(error.median, freeError.median)) continue;
      const what = `${method} is worse than the free run in ${variable}`;
      const isClaimed = claims.some((claim) => {
        if (claim.kind === 'within' || measureKey(claim.measure ?? '') !== `rmse_analysis_${variable}`) return false;
        const { method: a, than } = claim;
        return (a === method && than.method === free) || (a === free && than.method === method);
      });
      if (!isClaimed) yield `${what}, and no claim compares them`;
      if (!new RegExp(String.raw`free run.*\bin ${variable}\b|\bin ${variable}\b.*free run`).test(verdict))
        yield `${what}, and the verdict does not say so`;
    }
  }
}

/** @returns what is wrong with a file's claims, texts and seeds, a line each, without a run */
export function fileProblems(text: string, name: string): readonly string[] {
  const { scenario } = parseScenario(text, name);
  const { expected } = scenario;
  if (!expected) return ['it has no expected results'];
  const claims = expected.claims ?? [];
  return [
    ...(claims.length === 0 ? ['it has no claims'] : []),
    ...claims.flatMap((claim) => claimProblem(claim) ?? []),
    ...seedProblems(scenario),
    ...textProblems(JSON.parse(text) as Raw, expected),
    ...silences(scenario, expected),
  ];
}
