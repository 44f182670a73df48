/** When a changed setting takes effect, as the schema states it of each field. */
import { describe, expect, it } from 'vitest';
import { effectOf, METHODS } from '../../../engine/index.ts';
import type { TakesEffect } from '../../../engine/index.ts';
import { problemsWith } from './problems-of.ts';

describe('when a changed setting takes effect', () => {
  const cases: readonly (readonly [string, TakesEffect])[] = [
    ['title', 'label'],
    ['name', 'label'],
    ['$schema', 'label'],
    ['description', 'label'],
    ['expected', 'label'],
    ['expected.results["3d.var"].analysis.h', 'label'],
    ['seed', 'restart'],
    ['version', 'restart'],
    ['grid.nx', 'restart'],
    ['model.scheme', 'restart'],
    ['truth.forcing.every', 'restart'],
    ['background.members', 'restart'],
    ['interventions', 'restart'],
    ['experiment.window', 'restart'],
    ['experiment.cycles', 'next-cycle'],
    ['experiment.spinup', 'next-cycle'],
    ['methods', 'restart'],
    ['methods[1]', 'restart'],
    ['methods[1].kind', 'restart'],
    ['methods[1].label', 'restart'],
    ['methods[1].inflation', 'next-cycle'],
    ['methods[0].covariance.kind', 'next-cycle'],
    ['methods[0].covariance.standardDeviation.hu', 'next-cycle'],
    ['methods[0].minimisation', 'next-cycle'],
    ['observations[0].network.count', 'restart'],
    ['observations[0].times', 'restart'],
    ['observations[0].variable', 'restart'],
    ['observations[0].errorStandardDeviation', 'next-cycle'],
    ['observations[0].outliers.share', 'next-cycle'],
    ['observations[3].every', 'next-cycle'],
    ['no.such.setting', 'restart'],
  ];

  it.each(cases)('%s: %s', (path, effect) => {
    expect(effectOf(path)).toBe(effect);
  });

  it.each(METHODS.map(({ kind, schema }) => [kind, Object.keys(schema.shape)] as const))(
    'a run continues with any other setting of the method %s',
    (_, names) => {
      const own = names.filter((name) => name !== 'kind' && name !== 'label');
      expect(own.map((name) => effectOf(`methods[0].${name}`))).toEqual(own.map(() => 'next-cycle'));
    },
  );

  it('an intervention elsewhere lists what can change, kind by kind', () => {
    const [line] = problemsWith({ interventions: [{ kind: 'setting', cycle: 1, path: 'grid.nx', value: 8 }] });
    expect(line).toContain(
      'allowed: settings that can change while it runs: errorStandardDeviation, assumed, every, dropout, outliers ' +
        'and qualityControl of observations[…], covariance, errorCorrelation, minimisation, ',
    );
    expect(line).toMatch(/ of methods\[…\], experiment\.cycles and experiment\.spinup$/);
  });
});
