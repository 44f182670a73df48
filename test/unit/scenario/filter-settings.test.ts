/** What the settings of the ensemble filters say of tuning, of a filter like them, and of what makes an ensemble spread out. */
import { describe, expect, it } from 'vitest';
import { methodDefinition } from '../../../engine/methods/index.ts';
import { validateScenario } from '../../../engine/scenario/index.ts';
import { situationOf } from '../../../engine/scenario/situation.ts';

const plain = { localisation: { halfWidth: 8 }, inflation: 1.2 };
const adaptation = { kind: 'innovations', deviation: 0.2 } as const;
const additive = { standardDeviation: 0.01, length: 6, balance: 'none' } as const;

function filter(kind: 'letkf' | 'enkf', settings: object) {
  const input = {
    version: 3,
    name: 'filters',
    grid: { nx: 32, ny: 32, dx: 2, dy: 2 },
    methods: [{ kind, ...settings }],
  };
  const { scenario } = validateScenario(input, 'filters');
  const [method] = scenario.methods;
  return { method, situation: situationOf(scenario), definition: methodDefinition(kind) };
}

describe.each(['letkf', 'enkf'] as const)('the settings of the %s', (kind) => {
  it.each([
    ['inflation as it is set', {}, ['localisation.halfWidth', 'inflation']],
    ['that adapts itself', { adaptation }, ['localisation.halfWidth', 'adaptation.deviation']],
    ['that is added', { additive }, ['localisation.halfWidth', 'additive.standardDeviation', 'inflation']],
    [
      'all of it',
      { adaptation, additive, relaxation: { kind: 'spread' } },
      ['localisation.halfWidth', 'relaxation.factor', 'additive.standardDeviation', 'adaptation.deviation'],
    ],
  ])('are tuned as far as they matter: %s', (_what, settings, paths) => {
    const { method, situation, definition } = filter(kind, { ...plain, ...settings });
    expect(definition.tuning?.(method, situation).settings.map(({ path }) => path)).toEqual(paths);
  });

  it('of a new filter are those of one that is there', () => {
    const { method, situation, definition } = filter(kind, { ...plain, adaptation, additive });
    const proposed = definition.proposal?.(situation, [method]);
    expect(proposed).toMatchObject({ localisation: plain.localisation, adaptation, additive });
    expect(definition.proposal?.(situation, [filter(kind, plain).method])).toEqual(plain);
  });

  const sourceOf = (settings: object): string | undefined => {
    const { method, definition } = filter(kind, settings);
    return definition.spreadSource?.(method)?.what;
  };

  it('say what makes an ensemble spread out', () => {
    expect(sourceOf(plain)).toBe('inflation 1.2');
    expect(sourceOf({ ...plain, adaptation })).toBe('inflation that adapts itself');
    expect(sourceOf({ additive })).toBe('additive inflation of 0.01');
    expect(sourceOf({})).toBeUndefined();
  });
});
