/** Numbers in texts, and what is wrong with a file whose texts, claims and seeds do not agree. */
import { describe, expect, it } from 'vitest';
import type { ExpectedResults } from '../../../engine/index.ts';
import { fileProblems, withTexts } from '../../expected/scenario-file.ts';
import { fillText } from '../../expected/texts.ts';

const range = (median: number, low: number, high: number) => ({ median, low, high });
const seeds = Array.from({ length: 20 }, (_, index) => 201 + index);

const expected: ExpectedResults = {
  seeds,
  results: {
    letkf: {
      forecast: { h: range(0.01, 0.008, 0.02) },
      analysis: { h: range(0.0091, 0.0081, 0.0123) },
      skill: range(0.674, -0.041, 0.834),
    },
  },
  variants: {
    few: {
      settings: [{ path: 'background.members', value: 4 }],
      results: { letkf: { forecast: {}, analysis: {}, skill: range(0.2, 0.1, 0.3) } },
    },
  },
  claims: [
    {
      kind: 'ratio',
      name: 'halved',
      says: 'Half as large',
      method: 'letkf',
      than: { with: 'few' },
      found: { holds: 18, of: 20, own: true, value: range(0.52, 0.4, 0.6), ownValue: 0.41 },
    },
  ],
};

describe('a place in a text', () => {
  it.each([
    ['{letkf skill}', '67 % (−4 to 83)'],
    ['{letkf skill median}', '67 %'],
    ['{letkf@few skill high}', '30 %'],
    ['{letkf rmse_analysis_h median mm}', '9 mm'],
    ['{letkf rmse_forecast_h cm}', '1 cm (0.8 to 2)'],
    ['{claim halved seeds}', '18 of 20 seeds'],
    ['{claim halved less}', '48 %'],
    ['{claim halved median}', '0.52'],
    ['{claim halved own %}', '41 %'],
    ['{claim halved more}', '−48 %'],
    ['{seeds}', '20'],
    ['{setting methods[1].localisation.halfWidth km}', '180 km'],
    ['{setting methods[1].inflation}', '1.05'],
  ])('%s is filled with %s', (template, text) => {
    const raw = { methods: [{}, { inflation: 1.05, localisation: { halfWidth: 180_000 } }] };
    expect(fillText(`a ${template}.`, expected, raw)).toBe(`a ${text}.`);
  });

  it('that asks for something else is an error', () => {
    expect(() => fillText('{enkf skill}', expected)).toThrow('there is no skill of enkf');
    expect(() => fillText('{claim none seeds}', expected)).toThrow('no claim none');
  });
});

/** The text of a file that has no problem. */
function fileOf(changes: Partial<ExpectedResults> = {}, seed = 1): string {
  const whole: ExpectedResults = {
    ...expected,
    verdict: '',
    texts: { 'expected.verdict': 'The LETKF removes {letkf skill}.', description: 'Half with {claim halved seeds}.' },
    ...changes,
  };
  const raw = {
    version: 3,
    name: 'a',
    seed,
    description: '',
    methods: [{ kind: 'free-run' }, { kind: 'letkf' }],
    expected: whole,
  };
  return JSON.stringify(withTexts(raw, whole));
}

describe('a file', () => {
  it('whose texts, claims and seeds agree has no problem', () => {
    expect(JSON.parse(fileOf())).toMatchObject({
      description: 'Half with 18 of 20 seeds.',
      expected: { verdict: 'The LETKF removes 67 % (−4 to 83).' },
    });
    expect(fileProblems(fileOf(), 'a')).toEqual([]);
  });

  it('is held to what its templates give', () => {
    expect(fileProblems(fileOf().replace('67 %', '68 %'), 'a')).toEqual([
      'expected.verdict is not what its template gives; run npm run expected',
    ]);
    expect(fileProblems(fileOf({ texts: {}, verdict: 'The LETKF removes 67 %.' }), 'a')).toEqual([
      'the verdict quotes a share that does not come from the results',
    ]);
  });

  it('says in which variables a method is worse than the free run, observed or not', () => {
    const { letkf } = expected.results;
    const { h } = letkf.analysis;
    const results = {
      'free-run': { forecast: {}, analysis: { h: range(0.1, 0.1, 0.1), hv: range(0.02, 0.01, 0.03) } },
      letkf: { ...letkf, analysis: { ...(h && { h }), hv: range(0.03, 0.02, 0.04) } },
    };
    expect(fileProblems(fileOf({ results }), 'a')).toEqual([
      'letkf is worse than the free run in hv, and no claim compares them',
      'letkf is worse than the free run in hv, and the verdict does not say so',
    ]);
    const [halved] = expected.claims ?? [];
    const across = {
      kind: 'better',
      says: 'The free run is better in hv',
      method: 'free-run',
      measure: 'rmse_analysis_hv',
      than: { method: 'letkf' },
      found: { holds: 19, of: 20, own: true },
    } as const;
    const texts = { 'expected.verdict': 'The LETKF is worse than the free run in hv.' };
    expect(fileProblems(fileOf({ results, claims: [halved, across], texts }), 'a')).toEqual([]);
  });

  it('needs claims, and twenty seeds on which nothing was chosen', () => {
    expect(fileProblems(fileOf({ claims: [], texts: {} }), 'a')).toEqual(['it has no claims']);
    expect(fileProblems(fileOf({ seeds: [...seeds.slice(1), 7] }), 'a')).toEqual([
      'the seeds 7 were known when settings or texts were chosen',
    ]);
    expect(fileProblems(fileOf({}, 205), 'a')).toEqual(['the seeds 205 were known when settings or texts were chosen']);
    expect(fileProblems(fileOf({ seeds: seeds.slice(10) }), 'a')).toEqual([
      'the results are of 10 seeds, at least 20 are needed',
    ]);
  });
});
