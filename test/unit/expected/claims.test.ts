/** Claims of a text, checked seed by seed. */
import { describe, expect, it } from 'vitest';
import { validateScenario } from '../../../engine/index.ts';
import type { Claim } from '../../../engine/index.ts';
import { claimProblem, findClaim } from '../../expected/claims.ts';
import type { Evidence } from '../../expected/claims.ts';
import type { MeasuredCase, MeasuredMethod } from '../../expected/measured.ts';

const { scenario } = validateScenario(
  {
    version: 3,
    name: 'a',
    methods: [{ kind: 'free-run' }, { kind: 'letkf' }, { kind: '3dvar' }],
    experiment: { cycles: 4, spinup: 2 },
  },
  'a',
);

type Errors = Readonly<Record<string, readonly number[] | 'diverged'>>;

function mean(values: readonly number[]): number {
  return (values[2] + values[3]) / 2;
}

/** Errors of h by method and cycle; the measures are means of the last two cycles. */
function caseOf(errors: Errors): MeasuredCase {
  const free = errors['free-run'];
  const methods = Object.entries(errors).map(([method, values]): MeasuredMethod => {
    if (values === 'diverged') return { method, state: 'diverged', measures: {}, cycles: {} };
    const skill = free === 'diverged' ? null : 1 - mean(values) / mean(free);
    const measures = { rmse_analysis_h: mean(values), skill };
    return { method, state: 'complete', measures, cycles: { rmse_analysis_h: values, inflation: [1, 2, 3, 4] } };
  });
  return { hash: '', reason: null, methods };
}

/** @param seeds errors by seed, the first being the scenario's own */
function evidenceOf(seeds: readonly Errors[], variant: readonly Errors[] = []): Evidence {
  return {
    scenarioOf: () => scenario,
    caseOf: (name, seed) => caseOf((name === undefined ? seeds : variant)[seed]),
    seeds: seeds.map((_, seed) => seed).slice(1),
    ownSeed: 0,
  };
}

const free = [4, 4, 4, 4];
const good = { 'free-run': free, letkf: [4, 2, 1, 1], '3dvar': [2, 2, 2, 2] };
const bad = { 'free-run': free, letkf: [4, 3, 3, 3], '3dvar': [2, 2, 2, 2] };
const lost = { 'free-run': free, letkf: 'diverged', '3dvar': [2, 2, 2, 2] } as const;

const better: Claim = { kind: 'better', says: 'The LETKF is better', method: 'letkf', than: { method: '3dvar' } };

function foundWith(holds: number, own = true): Claim {
  return { ...better, found: { holds, of: 20, own } };
}

describe('a claim', () => {
  it('that one method is better counts the seeds, by the skill', () => {
    expect(findClaim(better, evidenceOf([good, good, bad, good]))).toEqual({
      holds: 2,
      of: 3,
      own: true,
      value: { median: 1.5, low: 0.5, high: 1.5 },
      ownValue: 1.5,
    });
  });

  it('does not hold with a seed with which the better method diverged, and does if the other did', () => {
    expect(findClaim(better, evidenceOf([good, lost]))).toMatchObject({ holds: 0, of: 1 });
    const other: Claim = { ...better, method: '3dvar', than: { method: 'letkf' } };
    expect(findClaim(other, evidenceOf([good, lost]))).toMatchObject({ holds: 1, own: false });
  });

  it('by an error takes the smaller one for better, over the cycles that it names', () => {
    const early: Claim = { ...better, measure: 'rmse_analysis_h', cycles: [0, 0] };
    expect(findClaim(early, evidenceOf([good, good]))).toMatchObject({ holds: 0, value: { median: 2 } });
    expect(findClaim({ ...early, measure: 'rmse.analysis.h', cycles: [2, 3] }, evidenceOf([good, good]))).toMatchObject(
      {
        holds: 1,
        value: { median: 0.5 },
      },
    );
  });

  it('has the skill of the cycles that it names', () => {
    const late: Claim = { kind: 'within', says: 'x', method: 'letkf', cycles: [1, 1], low: 0.49, high: 0.51 };
    expect(findClaim(late, evidenceOf([good, good, bad]))).toMatchObject({ holds: 1, value: { low: 0.25, high: 0.5 } });
  });

  it('takes a column that is no measure as its mean after the spin-up', () => {
    const claim: Claim = { kind: 'within', says: 'x', method: 'letkf', measure: 'inflation', low: 3.5, high: 3.5 };
    expect(findClaim(claim, evidenceOf([good, good]))).toMatchObject({ holds: 1 });
  });

  it('compares a variant with the scenario as shipped', () => {
    const claim: Claim = {
      kind: 'ratio',
      says: 'x',
      method: 'letkf',
      measure: 'rmse_analysis_h',
      with: 'few',
      than: { with: 'as-shipped' },
      low: 2,
    };
    expect(findClaim(claim, evidenceOf([good, good, bad], [bad, bad, bad]))).toMatchObject({
      holds: 1,
      of: 2,
      value: { low: 1, high: 3 },
    });
  });

  it('names a method, measure or case that is not there', () => {
    expect(() => findClaim({ ...better, method: 'enkf' }, evidenceOf([good, good]))).toThrow('no method enkf');
    expect(() => findClaim({ ...better, measure: 'rmse_analysis_q' }, evidenceOf([good, good]))).toThrow(
      'letkf: there is no rmse_analysis_q in the cycles 2 to 3',
    );
  });
});

describe('a verdict', () => {
  it('needs 15 of 20 seeds, and its own', () => {
    expect(claimProblem(foundWith(15))).toBeUndefined();
    expect(claimProblem(foundWith(14))).toBe('"The LETKF is better" holds with 14 of 20 seeds; at least 15 are needed');
    expect(claimProblem(foundWith(20, false))).toBe(
      '"The LETKF is better" does not hold with the scenario\'s own seed',
    );
    expect(claimProblem(better)).toBe('"The LETKF is better" was not checked yet');
  });

  it('about a failure that happens with some seeds is held to their share', () => {
    const share: [number, number] = [0.1, 0.5];
    expect(claimProblem({ ...foundWith(6, false), share })).toBeUndefined();
    expect(claimProblem({ ...foundWith(11, false), share })).toBe(
      '"The LETKF is better" holds with 11 of 20 seeds; allowed: 2 to 10',
    );
  });

  it('about the run on screen alone is held to its seed', () => {
    expect(claimProblem({ ...foundWith(3), onlyOwnSeed: true })).toBeUndefined();
    expect(claimProblem({ ...foundWith(20, false), onlyOwnSeed: true })).toContain('own seed');
  });
});
