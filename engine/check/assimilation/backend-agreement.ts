/**
 * Every backend gives the same run as the reference: the truth and every method's ensemble differ by what float32 rounds, as far
 * as the run itself makes it grow.
 *
 * How far that is, is measured in float64: a second run starts from states that are wrong by one rounding, 2⁻²⁴, everywhere,
 * and G(n) is the growth of its largest difference by cycle n (below 1 where observations pull runs together). Every cycle adds
 * roundings of its own, ρ, so that the difference after n cycles is at most ρ Σ G(m), m from 0 to n.
 */
import type { Backend } from '../../compute/backend.ts';
import type { Checkpoint, CycleDiagnostics } from '../../experiment/index.ts';
import { normals } from '../draws.ts';
import { everything, scenarioOf, twin } from './twin.ts';
import type { Twin, TwinInput } from './twin.ts';

const EPSILON = 2 ** -24;

/** The same basin with a flat bottom and without rotation, whose state is the depth of some 1 m. */
const flatBottom: TwinInput = {
  ...everything,
  model: { scheme: 'richtmyer', timeStep: 0.1, boundary: { x: 'periodic', y: 'wall' } },
};

export interface AgreementProblem {
  readonly scheme: string;
  readonly input: TwinInput;
  /** ρ */
  readonly roundings: number;
}

/**
 * ρ: in a cycle of 5 steps some 300 operations touch a number; elevations and momenta are of size 0.2, and each operation is
 * wrong by 2⁻²⁴/√3 of that. As a random walk: √300 · 0.2/√3 = 2 roundings; and 10 where the number is a depth of 1 m. The
 * analyses add those of increments of size 0.1 in problems of condition 10: one more.
 */
export const agreementProblems: readonly AgreementProblem[] = [
  { scheme: 'central-upwind', input: everything, roundings: 3 * EPSILON },
  { scheme: 'richtmyer', input: flatBottom, roundings: 11 * EPSILON },
];

function disturbed({ arrays, ...rest }: Checkpoint): Checkpoint {
  const shifted = Object.entries(arrays).map(([name, values]) => {
    const signs = normals(values.length, name).map(Math.sign);
    return [name, values.map((value, i) => value + signs[i] * EPSILON)];
  });
  return { ...rest, arrays: Object.fromEntries(shifted) };
}

function largestDifferences(a: Checkpoint, b: Checkpoint): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(a.arrays).map(([name, values]) => [
      name,
      values.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b.arrays[name][i])), 0),
    ]),
  );
}

/** Largest differences of every state of two runs, when these cycles come next. */
async function differencesOf(
  first: Twin,
  second: Twin,
  cycles: readonly number[],
  turn: () => Promise<void>,
): Promise<ReadonlyMap<string, number>[]> {
  const found: ReadonlyMap<string, number>[] = [];
  for (const cycle of cycles) {
    await turn();
    await first.runTo(cycle);
    await second.runTo(cycle);
    found.push(largestDifferences(await first.experiment.checkpoint(), await second.experiment.checkpoint()));
  }
  return found;
}

/** How far one state of two runs is apart, and may be. */
export interface StateDifference {
  /** `truth`, `method.letkf`. */
  readonly state: string;
  /** Cycles that were done. */
  readonly cycle: number;
  readonly difference: number;
  readonly bound: number;
}

export interface ComparedRuns {
  readonly differences: readonly StateDifference[];
  /** Of the reference. */
  readonly diagnostics: readonly CycleDiagnostics[];
}

/**
 * Runs a problem on both backends.
 *
 * @param after the numbers of cycles after which the states are compared, rising
 * @param turn waited for before each cycle of the reference
 */
export async function compareRuns(
  reference: Backend,
  other: Backend,
  { input, roundings }: AgreementProblem,
  after: readonly number[],
  turn: () => Promise<void> = () => Promise.resolve(),
): Promise<ComparedRuns> {
  const scenario = scenarioOf(input);
  const exact = await twin(reference, scenario);
  const start = await exact.experiment.checkpoint();
  const shifted = await twin(reference, scenario, disturbed(start));
  const everyCycle = Array.from({ length: Math.max(...after) + 1 }, (_value, cycle) => cycle);
  const growth = await differencesOf(exact, shifted, everyCycle, turn);
  const again = await twin(reference, scenario, start);
  const found = await twin(other, scenario);
  const between = await differencesOf(again, found, after, turn);
  const differences = Object.keys(start.arrays).flatMap((state) =>
    after.map((cycle, at) => {
      const grown = growth.slice(0, cycle + 1).reduce((sum, of) => sum + (of.get(state) ?? 0) / EPSILON, 0);
      return { state, cycle, difference: between[at].get(state) ?? NaN, bound: roundings * grown };
    }),
  );
  for (const run of [exact, shifted, found, again]) run.experiment.dispose();
  return { differences, diagnostics: exact.diagnostics };
}
