/** A tuning from a scenario to a scenario: what is tried, what is found, what is said about it and what is written. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  consistencyFindings,
  createReferenceBackend,
  describeTuning,
  findingText,
  scanRecord,
  setPath,
  tunedScenario,
  tuningSeeds,
  validateScenario,
} from '../../../engine/index.ts';
import type { Backend, TuningPlan, TuningResult } from '../../../engine/index.ts';
import { SMALL_SCENARIO } from '../sweep/small-sweep.ts';
import { planSmallTuning, runTuning } from './small-tuning.ts';

describe('a plan', () => {
  it.each([
    ['letkf', ['localisation.halfWidth', 'inflation']],
    ['enkf', ['localisation.halfWidth', 'inflation']],
    ['3dvar', ['covariance.length', 'covariance.standardDeviation.h']],
    ['nudging', ['strength', 'localisation.halfWidth']],
  ])('of %s has what its kind suggests, with values that are allowed and earn no warning', (method, names) => {
    const plan = planSmallTuning({ method });
    expect(plan.parameters.map(({ name }) => name)).toEqual(names);
    for (const { path, values } of plan.parameters) {
      expect(values.length).toBeGreaterThanOrEqual(3);
      for (const value of values) {
        const { warnings } = validateScenario(setPath(SMALL_SCENARIO, path, value), 'test');
        expect(warnings.map((each) => each.path.join('.')).filter((each) => path.includes(each))).toEqual([]);
      }
    }
  });

  it('judges by skill if there is a free run, and else by the error', () => {
    const alone = { ...SMALL_SCENARIO, methods: SMALL_SCENARIO.methods.slice(1) };
    expect(planSmallTuning().measure.name).toBe('skill');
    expect(planSmallTuning({}, alone).measure.name).toBe('rmse_analysis_h');
  });

  it('takes no seed that a result is reported on', () => {
    expect(tuningSeeds({ seed: 102, expected: { seeds: [103], results: {} } }, 3)).toEqual([101, 104, 105]);
  });

  it('knows how many cases it has at least and at most', () => {
    const plan = planSmallTuning({
      levels: 1,
      extensions: 0,
      seeds: 2,
      parameters: [{ name: 'inflation', values: [1.1, 1.2, 1.4] }],
    });
    expect(plan.cases).toEqual({ least: 6, most: 10 });
  });

  it.each([
    [
      { method: 'letfk' },
      'method: found "letfk", allowed: the label of a method: free-run, 3dvar, letkf, enkf, nudging; did you mean "letkf"?',
    ],
    [{ method: 'free-run' }, '"free-run" has no setting that is worth tuning'],
    [{ parameters: [{ name: 'inflaton' }] }, 'methods[2].inflaton is no setting of the scenario'],
    [{ parameters: [{ name: 'rotation', values: [1] }] }, 'methods[2].rotation is no number'],
    [
      { parameters: [{ name: 'inflation', values: [0.5, 1] }] },
      'inflation: found 0.5, allowed: a number of at least 1 and at most 100',
    ],
    [
      { parameters: [{ name: 'inflation', range: { from: 1, to: 2, count: 3 } }] },
      'inflation: found a range from 1, allowed: values above 1',
    ],
    [{ parameters: [{ name: 'inflation' }, { name: 'methods[2].inflation' }] }, 'found inflation twice'],
    [{ measure: 'skil' }, 'measure: found "skil", allowed:'],
    [{ measure: 'milliseconds_analysis' }, 'measure: found "milliseconds_analysis", allowed:'],
    [{ levels: 7 }, 'levels: found 7, allowed: a whole number from 0 to 6'],
    [{ seeds: 0 }, 'seeds: found 0, allowed: 1 to 100'],
  ])('refuses %j', (request, message) => {
    expect(() => planSmallTuning(request)).toThrow(message);
  });
});

describe('a tuning', () => {
  let backend: Backend;
  let plan: TuningPlan;
  let result: TuningResult;
  let cases = 0;
  beforeAll(async () => {
    backend = createReferenceBackend();
    const parameters = [
      { name: 'localisation.halfWidth', values: [2, 6] },
      { name: 'inflation', values: [1, 1.1, 90] },
    ];
    plan = planSmallTuning({ parameters, seeds: 2, levels: 1, extensions: 1 });
    result = await runTuning(backend, plan, { onCase: () => void (cases += 1) });
  });
  afterAll(() => backend.dispose());

  it('runs as many cases as were planned', () => {
    expect(cases).toBe(result.points.length * plan.seeds.length);
    expect(cases).toBeGreaterThanOrEqual(plan.cases.least);
    expect(cases).toBeLessThanOrEqual(plan.cases.most);
  });

  it('takes the largest median of those that earn no warning, and keeps the others', () => {
    const { points, found } = result;
    const taken = points.flatMap(({ median, isWarned }) => (median === null || isWarned ? [] : [median]));
    expect(found?.best.median).toBe(Math.max(...taken));
    // Six members without inflation are warned of, and an inflation that makes steady currents grow without bound.
    const warned = new Set(points.filter(({ isWarned }) => isWarned).map(({ values }) => values[1]));
    expect([...warned].filter((inflation) => inflation <= 1.1)).toEqual([1]);
    expect(points.some(({ isWarned }) => isWarned)).toBe(true);
  });

  it('says what it found, how sure it is, and what its consistency says', () => {
    const text = describeTuning(result).join(' ');
    expect(text).toMatch(/^Best: half-width [\d.]+ m, inflation [\d.]+, with skill against the free run -?[\d.]+ %/);
    expect(text).toContain('With 2 seeds no two settings differ significantly at 95 %.');
    const said = consistencyFindings(plan, result);
    expect(said.map(({ title }) => title)).toEqual([
      'Spread over error, forecast',
      'χ²/p of the innovations',
      'Truths outside all members',
    ]);
    for (const each of said) expect(findingText(each)).toMatch(/good is near/);
  });

  it('writes a scenario with the values and the record, which is read again', () => {
    const { found } = result;
    const { scenario } = validateScenario(tunedScenario(SMALL_SCENARIO, result), 'tuned');
    expect(scenario.methods[2]).toMatchObject({
      localisation: { halfWidth: found?.best.values[0] },
      inflation: found?.best.values[1],
    });
    expect(scenario.expected?.scans).toEqual([scanRecord(result)]);
    expect(scenario.expected?.scans?.[0]).toMatchObject({
      method: 'letkf',
      seeds: [101, 102],
      best: found?.best.values,
    });
  });

  it('puts a later record in the place of an earlier one, and drops results that are no longer so', () => {
    const range = { median: 1, low: 1, high: 1 };
    const results = {
      letkf: { forecast: { h: range }, analysis: { h: range } },
      enkf: { forecast: { h: range }, analysis: { h: range } },
    };
    const before = { ...SMALL_SCENARIO, expected: { seeds: [1], results, verdict: 'as it was' } };
    const once = tunedScenario(before, result);
    const twice = tunedScenario(once, result);
    const { expected } = validateScenario(twice, 'tuned').scenario;
    expect(expected?.scans).toHaveLength(1);
    expect(Object.keys(expected?.results ?? {})).toEqual(['enkf']);
    expect(expected?.verdict).toBe('as it was');
  });

  it('is the same again', async () => {
    const again = await runTuning(backend, plan);
    expect(again).toEqual(result);
  });

  it('keeps what could not be run, with its reason', async () => {
    // Two members are needed at least.
    const members = planSmallTuning({
      parameters: [{ name: 'background.members', values: [1, 4] }],
      seeds: 1,
      levels: 0,
      extensions: 0,
    });
    const { points, found } = await runTuning(backend, members);
    expect(points[0].outcomes[0].reason).toContain('background.members: found 1, allowed: at least 2');
    expect(found?.best.values).not.toEqual([1]);
  });

  it('stops on request', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(runTuning(backend, plan, { signal: stopped })).rejects.toThrow('stopped');
  });
});
