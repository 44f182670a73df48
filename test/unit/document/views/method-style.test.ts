/** Methods of one kind differ by hue and by a title that says what differs. */
import { expect, it } from 'vitest';
import { methodStyles, variantTitles } from '../../../../app/document/views/method-style.ts';
import { scenarioOf } from '../run/fake-run.ts';

const scenario = scenarioOf(3, {
  methods: [
    { kind: 'free-run' },
    { kind: '3dvar' },
    { kind: 'letkf', inflation: 1.1 },
    { kind: 'letkf', label: 'letkf 2', inflation: 1.3 },
    { kind: 'letkf', label: 'letkf 3', inflation: 1.1 },
    { kind: 'letkf', label: 'mine', inflation: 1.5 },
    { kind: 'enkf' },
  ],
});
const summaries = scenario.methods.map(({ label, kind }) => ({ label, kind, members: 4 }));

it('no two methods have the same colour, in either theme', () => {
  const styles = methodStyles(summaries);
  for (const theme of ['dark', 'light'] as const) {
    expect(new Set(styles.map((style) => style[theme])).size).toBe(styles.length);
  }
  // The first of each kind keeps the hue of its kind.
  expect(styles[2]).toMatchObject(methodStyles([summaries[2]])[0]);
  expect(styles[6].dark).toBe(methodStyles([summaries[6]])[0].dark);
});

it('variants are called by what differs, all of them, and a label that was chosen stays', () => {
  const titles = methodStyles(summaries, variantTitles(scenario)).map(({ title }) => title);
  expect(titles.slice(2, 6)).toStrictEqual([
    'LETKF · inflation 1.1',
    'LETKF · inflation 1.3',
    'LETKF · inflation 1.1 (3)',
    'mine',
  ]);
});
