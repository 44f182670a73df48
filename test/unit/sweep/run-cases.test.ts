/** What comes of cases that do not go well: a method that diverges, a case that cannot be run, files that scenarios name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, planSweep, runCases, validateSweepDefinition } from '../../../engine/index.ts';
import type { Backend, SweepPlan } from '../../../engine/index.ts';
import { REFERENCE, SMALL_SCENARIO, planSmall } from './small-sweep.ts';

const LONG = { ...SMALL_SCENARIO, experiment: { cycles: 10, window: 1 } };
const INFLATIONS = { 'methods[letkf].inflation': [1.1, 30] };

let backend: Backend;
beforeAll(() => {
  backend = createReferenceBackend();
});
afterAll(() => backend.dispose());

const casesOf = (plan: SweepPlan) => Array.from({ length: plan.count }, (_, index) => plan.caseAt(index));

describe('a method that diverges', () => {
  it('is recorded with the cycle, and has no measures; the same alone and beside the others', async () => {
    const plan = await planSmall({ grid: INFLATIONS, methods: ['free-run', 'letkf'] }, LONG);
    const [well, badly] = await runCases(backend, casesOf(plan));
    expect(well.methods.map(({ state }) => state)).toEqual(['complete', 'complete']);
    const [free, letkf] = badly.methods;
    expect(free).toMatchObject({ method: 'free-run', state: 'complete', divergedAt: null });
    expect(letkf).toMatchObject({ method: 'letkf', state: 'diverged', measures: {} });
    expect(letkf.divergedAt).toBeGreaterThan(0);
    // A row for each cycle that it completed.
    expect(badly.rows.filter(({ method }) => method === 'letkf')).toHaveLength(letkf.divergedAt ?? 0);
    const [alone] = await runCases(backend, [plan.caseAt(1)]);
    expect(alone.methods[1]).toEqual(letkf);
  });

  it('is what came of the case, also where it is the only one', async () => {
    const plan = await planSmall({ grid: INFLATIONS, methods: ['letkf'] }, LONG);
    const [outcome] = await runCases(backend, [plan.caseAt(1)]);
    expect(outcome).toMatchObject({ state: 'complete', reason: null, methods: [{ state: 'diverged' }] });
  });
});

describe('a case that cannot be run', () => {
  it('fails with its reason, and its company does not', async () => {
    const plan = await planSmall({ cases: [{}, { 'truth.spinup': 500, 'model.timeStep': 5 }] });
    const outcomes = [...(await runCases(backend, [plan.caseAt(0)])), ...(await runCases(backend, [plan.caseAt(1)]))];
    expect(outcomes.map(({ state }) => state)).toEqual(['complete', 'failed']);
    expect(outcomes[1].reason).toMatch(/^the spin-up of the truth: /);
    expect(outcomes[1].methods).toEqual([]);
  });

  it('gives up at a signal', async () => {
    const plan = await planSmall({});
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    await expect(runCases(backend, [plan.caseAt(0)], { signal })).rejects.toThrow('no longer wanted');
  });
});

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('a file that the scenario names', () => {
  const observations = [
    { name: 'gauges', variable: 'h', network: { kind: 'file', file: 'gauges.csv' }, errorStandardDeviation: 0.02 },
  ];
  const [near, far] = ['x,y,time\n4,4,1\n8,8,2\n', 'x,y,time\n4,4,1\n8,9,2\n'].map(encode);
  const planWith = (contents: Uint8Array): Promise<SweepPlan> => {
    const sweep = validateSweepDefinition({ version: 1, scenario: 'small' }, 'sweep.json');
    const base = { raw: { ...SMALL_SCENARIO, observations }, file: 'small.json', readFile: async () => contents };
    return planSweep(sweep, base, REFERENCE);
  };

  it('has a part in the hash, and is there for the run', async () => {
    const [one, other] = [await planWith(near), await planWith(far)];
    expect(one.hashes).not.toEqual(other.hashes);
    expect(Object.keys(one.files)).toEqual(['gauges.csv']);
    expect(one.caseAt(0).files).toEqual(one.files);
    const [complete] = await runCases(backend, [one.caseAt(0)], { files: { 'gauges.csv': near } });
    expect(complete.state).toBe('complete');
    const [without] = await runCases(backend, [one.caseAt(0)]);
    expect(without).toMatchObject({ state: 'failed', reason: expect.stringContaining('gauges.csv cannot be read') });
  });

  it('is checked when the sweep is planned', async () => {
    await expect(planWith(encode('x,y,time\n400,4,1\n'))).rejects.toThrow('gauges.csv: line 2: ');
  });
});
