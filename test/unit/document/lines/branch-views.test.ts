import { expect, it } from 'vitest';
import type { Intervention, MethodSummary } from '../../../../engine/index.ts';
import { columnsByRule } from '../../../../app/document/lines/branch-views.ts';

const METHODS: readonly MethodSummary[] = ['free-run', '3dvar', 'letkf'].map((kind) => ({
  kind,
  label: kind === 'letkf' ? 'narrow' : kind,
  members: 4,
}));

function setting(path: string): Intervention {
  return { kind: 'setting', cycle: 2, path, value: 1 };
}

it('is beside the methods that it changes, in their order', () => {
  expect(columnsByRule(METHODS, [setting('methods[2].inflation')])).toEqual(['narrow']);
  expect(
    columnsByRule(METHODS, [setting('methods[2].inflation'), setting('methods[1].minimisation.tolerance')]),
  ).toEqual(['3dvar', 'narrow']);
  // What the run changes for all of them later does not take its column away.
  expect(columnsByRule(METHODS, [setting('observations[0].every'), setting('methods[2].inflation')])).toEqual([
    'narrow',
  ]);
});

it('is beside the first method that assimilates where it changes what all work with, or nothing yet', () => {
  expect(columnsByRule(METHODS, [setting('observations[0].errorStandardDeviation')])).toEqual(['3dvar']);
  expect(columnsByRule(METHODS, [])).toEqual(['3dvar']);
});

it('is beside none where no method assimilates', () => {
  expect(columnsByRule(METHODS.slice(0, 1), [])).toEqual([]);
});
