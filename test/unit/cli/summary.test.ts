import { expect, it } from 'vitest';
import { gatherSummary, summariseRun } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { formatResults } from '../../../app/cli/run/comparison-table.ts';

function row(method: string, cycle: number, h: number): CycleDiagnostics {
  return {
    method,
    cycle,
    timeSeconds: cycle,
    rmse: { forecast: { h: 2 * h, hu: 1 }, analysis: { h, hu: 1 } },
    spread: { forecast: { h, hu: 1 }, analysis: { h: h / 2, hu: 1 } },
    crps: { forecast: {}, analysis: {} },
    fairCrps: { forecast: {}, analysis: {} },
    rankHistogram: {},
    innovation: undefined,
    minimisation: undefined,
    milliseconds: { forecast: 3, analysis: cycle },
  };
}

const methods = [
  { label: 'nothing', kind: 'free-run', members: 2 },
  { label: 'letkf', kind: 'letkf', members: 2 },
];
const rows = [0, 1, 2, 3].flatMap((cycle) => [row('nothing', cycle, 0.4), row('letkf', cycle, cycle < 2 ? 9 : 0.1)]);

it('averages the cycles after the spin-up and compares with the free run, whatever its label', () => {
  const [free, letkf] = summariseRun(methods, rows, { compared: ['h'], spinup: 2 });
  expect(free).toMatchObject({ method: 'nothing', cycles: 4, skill: 0 });
  expect(letkf.skill).toBeCloseTo(0.75, 14);
  expect(letkf.rmse.forecast['h']).toBeCloseTo(0.2, 14);
  expect(letkf.spread.analysis['h']).toBeCloseTo(0.05, 14);
  expect(letkf.milliseconds).toEqual({ forecast: 3, analysis: 2.5 });
});

it('has no skill without a free run, and no means before the spin-up is over', () => {
  expect(summariseRun(methods.slice(1), rows, { compared: ['h'], spinup: 2 })[0].skill).toBeNull();
  const [, letkf] = summariseRun(methods, rows, { compared: ['h'], spinup: 10 });
  expect(letkf).toMatchObject({ cycles: 4, skill: null, rmse: { forecast: {}, analysis: {} } });
  expect(formatResults([letkf], ['h'])).toContain('–');
});

it('prints one row a method', () => {
  const table = formatResults(summariseRun(methods, rows, { compared: ['h'], spinup: 2 }), ['h']);
  expect(table).toMatch(/RMSE forecast .* RMSE analysis .* spread .*\n.* h \(m\) .* h \(m\) .* h \(m\)/);
  expect(table).toMatch(/letkf.*0\.2.*0\.1.*0\.05.*75\.0 %.*5\.5/);
});

it('compares by all the variables that are observed, and reports the skill of each', () => {
  const currents = rows.map((one) => {
    const share = one.method === 'letkf' ? 0.5 : 1;
    const errors = { h: one.rmse.analysis['h'], hu: share, hv: share * share };
    return { ...one, rmse: { forecast: errors, analysis: errors }, spread: { forecast: errors, analysis: errors } };
  });
  const results = summariseRun(methods, currents, { compared: ['hu', 'hv'], spinup: 2 });
  const [free, letkf] = results;
  expect(free).toMatchObject({ skill: 0, skillByVariable: { h: 0, hu: 0, hv: 0 } });
  expect(letkf.skill).toBeCloseTo((0.5 + 0.75) / 2, 14);
  expect(letkf.skillByVariable['h']).toBeCloseTo(0.75, 14);
  expect(letkf.skillByVariable).toMatchObject({ hu: 0.5, hv: 0.75 });
  const table = formatResults(results, ['hu', 'hv']);
  expect(table).toMatch(/hu \(m²\/s\).*hv \(m²\/s\)/);
  expect(table).not.toContain('h (m)');
  expect(table).toContain('62.5 %');
});

it('has no skill in a variable in which the free run makes no error', () => {
  const still = rows.map((one) => ({ ...one, rmse: { ...one.rmse, analysis: { ...one.rmse.analysis, hv: 0 } } }));
  const [, letkf] = summariseRun(methods, still, { compared: ['h', 'hv'], spinup: 2 });
  expect(letkf.skill).toBeNull();
  expect(Object.keys(letkf.skillByVariable)).toEqual(['h', 'hu']);
});

it('takes all cycles where the spin-up leaves none', () => {
  const [free] = summariseRun(methods, rows, { compared: ['h'], spinup: 4, cycles: 4 });
  expect(free.rmse.analysis['h']).toBeCloseTo(0.4, 14);
});

it('has no spread of a method with one member, and a dash in the table', () => {
  const single = rows.map((one) => ({ ...one, spread: { forecast: {}, analysis: {} } }));
  const [free] = summariseRun(methods, single, { compared: ['h'], spinup: 2 });
  expect(free.spread).toEqual({ forecast: {}, analysis: {} });
  expect(formatResults([free], ['h'])).toMatch(/nothing │ +0\.800 │ +0\.400 │ +– │/);
});

function both<Value>(value: Value) {
  return { forecast: value, analysis: value };
}

/** The error of the level is the same in both runs; the pattern's is a tenth of the free run's. */
function split(one: CycleDiagnostics): CycleDiagnostics {
  const pattern = one.method === 'letkf' ? 0.01 : 0.1;
  const level = one.cycle % 2 === 0 ? 0.3 : -0.3;
  return {
    ...one,
    rmse: both({ h: Math.hypot(level, pattern) }),
    meanError: both({ h: level }),
    rmsePattern: both({ h: pattern }),
  };
}

it('splits the error into mean level and pattern, with the skill of the pattern', () => {
  const terms = { compared: ['h'], spinup: 0, headline: 'pattern' } as const;
  const [free, letkf] = summariseRun(methods, rows.map(split), terms);
  expect(free).toMatchObject({ skillPattern: 0, rmseLevel: { analysis: { h: 0.3 } } });
  expect(letkf.rmsePattern.analysis['h']).toBeCloseTo(0.01, 14);
  expect(letkf.skillPattern).toBeCloseTo(0.9, 14);
  expect(letkf.skillPatternByVariable['h']).toBeCloseTo(0.9, 14);
  expect(letkf.skill).toBeLessThan(0.06);
  const summary = gatherSummary(rows.map(split), terms);
  expect(summary.headline).toBe('pattern');
  expect(summary.errors('letkf', ['h'], summary.headline)?.values[0]).toBeCloseTo(0.01, 14);
  expect(summary.errors('letkf')?.values[0]).toBeGreaterThan(0.3);
});

it('has neither level nor pattern of a run that was not measured so, or not in all its cycles', () => {
  const [free, letkf] = summariseRun(methods, [...rows.slice(0, 4), ...rows.slice(4).map(split)], {
    compared: ['h'],
    spinup: 0,
    headline: 'pattern',
  });
  for (const { rmseLevel, rmsePattern, skillPattern } of [free, letkf]) {
    expect({ rmseLevel, rmsePattern, skillPattern }).toEqual({
      rmseLevel: { forecast: {}, analysis: {} },
      rmsePattern: { forecast: {}, analysis: {} },
      skillPattern: null,
    });
  }
  const summary = gatherSummary(rows, { compared: ['h'], spinup: 2, headline: 'pattern' });
  expect(summary.headline).toBe('total');
});

it('shows the skill of the pattern first, and the level beside it', () => {
  const terms = { compared: ['h'], spinup: 0, headline: 'pattern' } as const;
  const results = summariseRun(methods, rows.map(split), terms);
  const lines = formatResults(results, ['h'], new Map(), 'pattern').split('\n');
  expect(lines[1]).toMatch(/of it level │ of it pattern │.*│ +skill of │ +skill with │/);
  expect(lines.find((line) => line.includes(' letkf '))).toMatch(/│ +0\.300 +│ +0\.0100 │.*│ +90\.0 % │ +5\.\d %/);
  expect(lines.at(-1)).toContain('the skill of the pattern comes first');
});

it('aligns decimal points', () => {
  const [free] = summariseRun(methods, rows, { compared: ['h'], spinup: 2 });
  const fast = { ...free, method: 'fast', milliseconds: { forecast: 0.5, analysis: 0.398 } };
  const lines = formatResults([free, fast], ['h']).split('\n');
  const points = lines.filter((line) => /nothing|fast/.test(line)).map((line) => line.lastIndexOf('.'));
  expect(new Set(points).size).toBe(1);
  expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
});
