/** Parts of a page are renewed one after another, and none is forgotten however often all of them change. */
import { expect, it } from 'vitest';
import { sameProperties, createTurns } from '../../../app/controls/successive.tsx';

it('shows one part more at a time', () => {
  const turns = createTurns<string>();
  turns.offer(['a', 'b', 'c']);
  expect(turns.shown).toEqual([]);
  expect([turns.step(), turns.shown]).toEqual([true, ['a']]);
  expect([turns.step(), turns.shown]).toEqual([true, ['a', 'b']]);
  expect([turns.step(), turns.shown]).toEqual([false, ['a', 'b', 'c']]);
  expect([turns.step(), turns.shown]).toEqual([false, ['a', 'b', 'c']]);
});

it('renews one part at a time, and each comes to its turn although all change before', () => {
  const turns = createTurns<string>();
  turns.offer(['a0', 'b0', 'c0']);
  while (turns.step());
  const seen = [1, 2, 3, 4].map((time) => {
    turns.offer([`a${time}`, `b${time}`, `c${time}`]);
    turns.step();
    return turns.shown.join(' ');
  });
  expect(seen).toEqual(['a1 b0 c0', 'a1 b2 c0', 'a1 b2 c3', 'a4 b2 c3']);
  while (turns.step());
  expect(turns.shown).toEqual(['a4', 'b4', 'c4']);
});

it('does not renew what is the same by its properties', () => {
  const turns = createTurns<object>(sameProperties);
  const rows: readonly number[] = [];
  const first = { cycle: 1, rows };
  turns.offer([first]);
  turns.step();
  turns.offer([{ cycle: 1, rows }]);
  expect([turns.step(), turns.shown[0] === first]).toEqual([false, true]);
  turns.offer([{ cycle: 2, rows }]);
  turns.step();
  expect(turns.shown).toEqual([{ cycle: 2, rows }]);
  expect(sameProperties({ a: undefined }, { b: undefined })).toBe(false);
});

it('leaves what is the same alone, and drops parts that are no more', () => {
  const turns = createTurns<string>();
  turns.offer(['a', 'b', 'c']);
  while (turns.step());
  turns.offer(['a', 'B', 'c']);
  expect([turns.step(), turns.shown]).toEqual([false, ['a', 'B', 'c']]);
  turns.offer(['a']);
  expect(turns.shown).toEqual(['a']);
  expect(turns.step()).toBe(false);
});
