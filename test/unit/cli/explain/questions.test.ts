/** What `shoal explain` asks: what its options are about, and what is wrong with them. */
import { expect, it } from 'vitest';
import { questionsOf } from '../../../../app/cli/explain/report.ts';
import { tinyScenario } from '../../document/run/tiny-scenario.ts';

const scenario = tinyScenario();
const kindsOf = (subject: Parameters<typeof questionsOf>[0]) => questionsOf(subject, scenario).map(({ kind }) => kind);

it('asks all that there is something to be about', () => {
  expect(kindsOf({ cell: { x: 1, y: 1 } })).toEqual([
    'covariance-column',
    'weights',
    'influence',
    'degrees-of-freedom',
  ]);
  expect(kindsOf({ observation: 2 })).toEqual(['single-observation', 'observation', 'degrees-of-freedom']);
  expect(kindsOf({ kinds: ['degrees-of-freedom'] })).toEqual(['degrees-of-freedom']);
  // Its answer is long: it has to be asked for.
  expect(kindsOf({ minimisation: true })).toEqual(['minimisation']);
  expect(kindsOf({ kinds: ['minimisation'] })).toEqual(['minimisation']);
  expect(kindsOf({ observation: 2, minimisation: true })).toEqual([
    'single-observation',
    'observation',
    'degrees-of-freedom',
    'minimisation',
  ]);
});

it('asks about the variable and the value that are given', () => {
  const [column] = questionsOf({ cell: { x: 11, y: 9 }, variable: 'hu', kinds: ['covariance-column'] }, scenario);
  expect(column).toEqual({ kind: 'covariance-column', variable: 'hu', cell: { x: 11, y: 9 } });
  const [one] = questionsOf({ observation: 2, value: -1.5, kinds: ['observation'] }, scenario);
  expect(one).toEqual({ kind: 'observation', observation: { index: 2, value: -1.5 } });
});

it.each([
  [{ cell: { x: 12, y: 0 } }, '--at 12,0: the grid has 12 × 10 cells, allowed: 0,0 to 11,9'],
  [{ cell: { x: 0, y: 0 }, variable: 'u' }, '--variable u: the model does not have it, allowed: h, hu, hv'],
  [{}, 'nothing is asked'],
  [{ cell: { x: 0, y: 0 }, value: 1 }, '--value: name the observation'],
  [{ cell: { x: 0, y: 0 }, kinds: ['observation' as const] }, '--kind observation: give --observation i with it'],
])('refuses %j', (subject, message) => {
  expect(() => questionsOf(subject, scenario)).toThrow(message);
});
