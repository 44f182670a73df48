/**
 * Every backend gives the same run as the reference: after 1, 10 and 40 cycles the truth and every method's ensemble differ by what float32
 * rounds, as far as the run itself makes it grow.
 *
 * How far that is, is measured in float64: a second run starts from states that are wrong by one rounding, 2⁻²⁴, everywhere,
 * and G(n) is the growth of its largest difference by cycle n (below 1 where observations pull runs together). Every cycle adds
 * roundings of its own, ρ, so that the difference after n cycles is at most ρ Σ G(m), m from 0 to n.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { Backend, Checkpoint } from '../../../engine/index.ts';
import { houses } from '../../setup/backends.ts';
import { normals } from '../../setup/random.ts';

import { everything, scenarioOf, twin } from './twin.ts';
import type { TwinInput } from './twin.ts';

const EPSILON = 2 ** -24;

/** The same basin with a flat bottom and without rotation, whose state is the depth of some 1 m. */
const flatBottom: TwinInput = {
  ...everything,
  model: { scheme: 'richtmyer', timeStep: 0.1, boundary: { x: 'periodic', y: 'wall' } },
};

/**
 * ρ: in a cycle of 5 steps some 300 operations touch a number; elevations and momenta are of size 0.2, and each operation is
 * wrong by 2⁻²⁴/√3 of that. As a random walk: √300 · 0.2/√3 = 2 roundings; and 10 where the number is a depth of 1 m. The
 * analyses add those of increments of size 0.1 in problems of condition 10: one more.
 */
const experiments = [
  { scheme: 'central-upwind', input: everything, roundings: 3 * EPSILON },
  { scheme: 'richtmyer', input: flatBottom, roundings: 11 * EPSILON },
] as const;

const AFTER = [1, 10, 40];

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

type Twin = Awaited<ReturnType<typeof twin>>;

/** Largest differences of every state of two runs, when these cycles come next. */
async function differences(
  first: Twin,
  second: Twin,
  cycles: readonly number[],
): Promise<ReadonlyMap<string, number>[]> {
  const found: ReadonlyMap<string, number>[] = [];
  for (const cycle of cycles) {
    await first.runTo(cycle);
    await second.runTo(cycle);
    found.push(largestDifferences(await first.experiment.checkpoint(), await second.experiment.checkpoint()));
  }
  return found;
}

const pairs = houses.slice(1).map((other) => [other.name, other] as const);

describe.each(pairs)('reference and %s', (name, { open }) => {
  // A GPU in software takes half a minute a run: there the scheme with the most in it.
  const chosen = name === 'webgpu' ? experiments.slice(0, 1) : experiments;
  const opened: Backend[] = [];
  afterAll(() => opened.forEach((backend) => backend.dispose()));

  it.each(chosen)(
    'give the same run of every method with $scheme after 1, 10 and 40 cycles',
    async ({ input, roundings }) => {
      const scenario = scenarioOf(input);
      const [reference, other] = [await houses[0].open(), await open()];
      opened.push(reference, other);
      const exact = await twin(reference, scenario);
      const start = await exact.experiment.checkpoint();
      const shifted = await twin(reference, scenario, disturbed(start));
      const everyCycle = Array.from({ length: AFTER[AFTER.length - 1] + 1 }, (_value, cycle) => cycle);
      const growth = await differences(exact, shifted, everyCycle);
      const again = await twin(reference, scenario, start);
      const found = await twin(other, scenario);
      const between = await differences(again, found, AFTER);
      for (const name of Object.keys(start.arrays)) {
        AFTER.forEach((after, at) => {
          const grown = growth.slice(0, after + 1).reduce((sum, of) => sum + (of.get(name) ?? 0) / EPSILON, 0);
          expect(between[at].get(name), `${name} after ${after} cycles`).toBeLessThanOrEqual(roundings * grown);
        });
      }
      // And the runs are of some interest: the filters are well below the free run, and drops have fallen.
      const last = exact.diagnostics.filter(({ cycle }) => cycle >= 20);
      const error = (kind: string) =>
        last.filter(({ method }) => method === kind).reduce((sum, { rmse }) => sum + rmse.analysis['h'], 0);
      for (const kind of ['3dvar', 'letkf', 'enkf']) expect(error(kind)).toBeLessThan(0.7 * error('free-run'));
      for (const run of [exact, shifted, found, again]) run.experiment.dispose();
    },
    300_000,
  );
});
