/** A case is the same bits whether it is run by itself or beside others that share its truth and observations. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupCases, runCases } from '../../../engine/index.ts';
import type { Backend, CaseOutcome, SweepPlan } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { planSmall } from './small-sweep.ts';

/** Settings of three methods of which two draw random numbers; combinations have methods in common. */
const GRID = {
  'methods[letkf].inflation': [1, 1.2],
  'methods[enkf].inflation': [1, 1.1],
  'methods[3dvar].covariance.length': [2, 3],
};

/** All of an outcome but its times. */
function numbersOf({ methods, rows, ...rest }: CaseOutcome): unknown {
  return {
    ...rest,
    methods: methods.map(({ measures, ...method }) => ({
      ...method,
      measures: Object.fromEntries(Object.entries(measures).filter(([name]) => !name.startsWith('milliseconds_'))),
    })),
    rows: rows.map(({ milliseconds: _milliseconds, ...row }) => row),
  };
}

const tested = backends.filter(({ name }) => name === 'wasm' || name === 'reference');

describe.each(tested)('cases beside one another on $name', ({ open }) => {
  let backend: Backend;
  let plan: SweepPlan;
  let together: readonly CaseOutcome[];
  beforeAll(async () => {
    backend = await open();
    plan = await planSmall({ grid: GRID });
    together = await runCases(
      backend,
      Array.from({ length: 8 }, (_, index) => plan.caseAt(index)),
    );
  });
  afterAll(() => backend.dispose());

  it('are one group', () => {
    expect(groupCases(plan, plan.hashes.keys())).toEqual([[0, 1, 2, 3, 4, 5, 6, 7]]);
  });

  it('run each distinct method once', async () => {
    const said: string[] = [];
    await runCases(
      backend,
      Array.from({ length: 8 }, (_, index) => plan.caseAt(index)),
      { listener: (event) => void (event.type === 'start' && said.push(...event.methods.map(({ kind }) => kind))) },
    );
    expect(said.sort()).toEqual(['3dvar', '3dvar', 'enkf', 'enkf', 'free-run', 'letkf', 'letkf', 'nudging']);
  });

  it.each([0, 3, 6])('are each what they are alone: case %i', async (index) => {
    const [alone] = await runCases(backend, [plan.caseAt(index)]);
    expect(numbersOf(together[index])).toEqual(numbersOf(alone));
  });

  it('differ where their settings do', () => {
    const [first, second] = together.map(({ methods }) => methods.map(({ measures }) => measures['rmse_analysis_h']));
    const differs = first.map((value, index) => value !== second[index]);
    expect(differs).toEqual([false, true, false, false, false]);
  });
});
