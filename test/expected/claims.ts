/** Checks what a scenario's texts claim against what came of its runs, seed by seed. */
import {
  AS_SHIPPED,
  comparedVariables,
  LEAST_SHARE,
  MEASURES,
  median,
  rounded,
  headlineSkill,
} from '../../engine/index.ts';
import type { Claim, ClaimFound, Scenario } from '../../engine/index.ts';
import { measureKey } from './measured.ts';
import type { MeasuredCase, MeasuredMethod } from './measured.ts';

/** The runs of a scenario and of its variants, with all seeds. */
export interface Evidence {
  /** The scenario, as it is with a variant's settings if one is named. */
  readonly scenarioOf: (variant: string | undefined) => Scenario;
  readonly caseOf: (variant: string | undefined, seed: number) => MeasuredCase;
  /** Seeds of `expected`; the scenario's own is not among them. */
  readonly seeds: readonly number[];
  readonly ownSeed: number;
}

interface Quantity {
  readonly method: string;
  readonly measure: string;
  readonly cycles: readonly [number, number] | undefined;
  readonly with: string | undefined;
}

/** What one seed says; no value if a method diverged. */
interface Outcome {
  readonly holds: boolean;
  readonly value: number | undefined;
}

function mean(values: readonly (number | null)[]): number {
  const found = values.filter((value) => value !== null);
  return found.reduce((sum, value) => sum + value, 0) / found.length;
}

function meanOver(method: MeasuredMethod, column: string, [from, to]: readonly [number, number]): number {
  const values = method.cycles[column]?.slice(from, to + 1) ?? [];
  const result = mean(values);
  if (!Number.isFinite(result))
    throw new Error(`${method.method}: there is no ${column} in the cycles ${from} to ${to}`);
  return result;
}

/** Skill over some cycles, as the table has it over all. */
function skillOver(
  scenario: Scenario,
  method: MeasuredMethod,
  methods: readonly MeasuredMethod[],
  cycles: readonly [number, number],
): number {
  const free = scenario.methods.find(({ kind }) => kind === 'free-run')?.label;
  const reference = methods.find((each) => each.method === free);
  if (!reference) throw new Error('there is no free run, so no skill');
  const column = headlineSkill(scenario) === 'skill' ? 'rmse_analysis' : 'rmse_pattern_analysis';
  return mean(
    comparedVariables(scenario).map(
      (variable) =>
        1 - meanOver(method, `${column}_${variable}`, cycles) / meanOver(reference, `${column}_${variable}`, cycles),
    ),
  );
}

/** @returns undefined if the method diverged. @throws Error if there is no such method or measure */
function valueOf({ scenarioOf, caseOf }: Evidence, quantity: Quantity, seed: number): number | undefined {
  const { reason, methods } = caseOf(quantity.with, seed);
  if (methods.length === 0) throw new Error(`seed ${seed} could not be run: ${reason}`);
  const scenario = scenarioOf(quantity.with);
  const method = methods.find((each) => each.method === quantity.method);
  if (!method) throw new Error(`there is no method ${quantity.method}`);
  if (method.state === 'diverged') return undefined;
  const { measure, cycles } = quantity;
  if (cycles && measure.startsWith('skill')) return skillOver(scenario, method, methods, cycles);
  if (cycles) return meanOver(method, measure, cycles);
  const { spinup, cycles: count } = scenario.experiment;
  return method.measures[measure] ?? meanOver(method, measure, [spinup, count - 1]);
}

/** Both sides of a claim, with what it leaves to the usual. */
function sidesOf(claim: Claim, headline: string): readonly [Quantity, Quantity | undefined] {
  const first: Quantity = {
    method: claim.method,
    measure: measureKey(claim.measure ?? headline),
    cycles: claim.cycles,
    with: variantOf(claim.with),
  };
  if (claim.kind === 'within') return [first, undefined];
  const { measure, with: variant } = claim.than;
  return [
    first,
    {
      method: claim.than.method ?? first.method,
      measure: measure === undefined ? first.measure : measureKey(measure),
      cycles: claim.than.cycles ?? first.cycles,
      with: variant === undefined ? first.with : variantOf(variant),
    },
  ];
}

function variantOf(name: string | undefined): string | undefined {
  return name === AS_SHIPPED ? undefined : name;
}

function isBetter(measure: string, a: number, b: number): boolean {
  const best = MEASURES.find(({ name }) => measureKey(name) === measure)?.best ?? 'least';
  if (best === 'most') return a > b;
  return typeof best === 'object' ? Math.abs(a - best.near) < Math.abs(b - best.near) : a < b;
}

function isBetween(value: number, { low = -Infinity, high = Infinity }: { low?: number; high?: number }): boolean {
  return value >= low && value <= high;
}

function outcomeOf(claim: Claim, evidence: Evidence, seed: number): Outcome {
  const [first, other] = sidesOf(claim, headlineSkill(evidence.scenarioOf(variantOf(claim.with))));
  const a = valueOf(evidence, first, seed);
  if (claim.kind === 'within') return { holds: a !== undefined && isBetween(a, claim), value: a };
  const b = other && valueOf(evidence, other, seed);
  if (a === undefined || b === undefined)
    return { holds: claim.kind === 'better' && a !== undefined, value: undefined };
  const value = a / b;
  return { holds: claim.kind === 'better' ? isBetter(first.measure, a, b) : isBetween(value, claim), value };
}

function rangeOf(values: readonly number[]): ClaimFound['value'] {
  if (values.length === 0) return undefined;
  return { median: rounded(median(values)), low: rounded(Math.min(...values)), high: rounded(Math.max(...values)) };
}

/** @returns with how many seeds a claim holds, and what the values are */
export function findClaim(claim: Claim, evidence: Evidence): ClaimFound {
  const outcomes = evidence.seeds.map((seed) => outcomeOf(claim, evidence, seed));
  const own = outcomeOf(claim, evidence, evidence.ownSeed);
  const value = rangeOf(outcomes.flatMap((outcome) => outcome.value ?? []));
  return {
    holds: outcomes.filter(({ holds }) => holds).length,
    of: outcomes.length,
    own: own.holds,
    ...(value && { value }),
    ...(own.value !== undefined && { ownValue: rounded(own.value) }),
  };
}

/** @returns what is wrong with a claim, on one line; undefined if it holds */
export function claimProblem({ says, share, onlyOwnSeed, found }: Claim): string | undefined {
  if (!found) return `"${says}" was not checked yet`;
  const { holds, of, own } = found;
  const [least, most] = share ?? [LEAST_SHARE, 1];
  // A failure that happens with some seeds need not happen with the one that ships.
  if (!own && (onlyOwnSeed === true || most === 1)) return `"${says}" does not hold with the scenario's own seed`;
  if (onlyOwnSeed === true || (holds >= least * of && holds <= most * of)) return undefined;
  const allowed =
    most === 1 ? `at least ${Math.ceil(least * of)} are needed` : `allowed: ${least * of} to ${most * of}`;
  return `"${says}" holds with ${holds} of ${of} seeds; ${allowed}`;
}
