/** The filter of the fork dialog. */
import { expect, it } from 'vitest';
import { filterGroups } from '../../../../app/features/branches/fork-dialog.tsx';
import type { ForkGroup } from '../../../../app/features/branches/fork-dialog.tsx';

const field = (path: string, title: string) => ({ kind: 'number', path: [path], title, help: '', unit: '' });
const groups = [
  { key: 'a', title: 'LETKF', fields: [field('inflation', 'Inflation'), field('halfWidth', 'Half-width')] },
  { key: 'b', title: '3D-Var', fields: [field('halfWidth', 'Half-width')] },
] as unknown as readonly ForkGroup[];
const left = (...words: string[]) => filterGroups(groups, words).map(({ key, fields }) => `${key}${fields.length}`);

it('keeps the settings whose words, or whose group, are looked for', () => {
  expect(left()).toStrictEqual(['a2', 'b1']);
  expect(left('half')).toStrictEqual(['a1', 'b1']);
  expect(left('letkf')).toStrictEqual(['a2']);
  expect(left('letkf', 'infl')).toStrictEqual(['a1']);
  expect(left('nothing')).toStrictEqual([]);
});
