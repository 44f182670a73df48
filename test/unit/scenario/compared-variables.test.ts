/** Which variables a scenario's methods are compared by. */
import { expect, test } from 'vitest';
import { comparedVariables, validateScenario } from '../../../engine/scenario/index.ts';
import { smallScenario } from './problems-of.ts';

test.each<[string, string[], string[]]>([
  ['depth', ['h'], ['h']],
  ['surface height is judged as depth', ['eta'], ['h']],
  ['currents are judged as momenta', ['v', 'u'], ['hu', 'hv']],
  ['speed judges both momenta', ['speed'], ['hu', 'hv']],
  ['the order is that of the state', ['hv', 'h'], ['h', 'hv']],
])('%s', (_name, variables, compared) => {
  const raw = smallScenario({ observations: variables.map((variable, i) => ({ name: `network-${i}`, variable })) });
  expect(comparedVariables(validateScenario(raw, 'test').scenario)).toEqual(compared);
});

test('without observations h is compared', () => {
  expect(comparedVariables({ ...validateScenario(smallScenario({}), 'test').scenario, observations: [] })).toEqual([
    'h',
  ]);
});
