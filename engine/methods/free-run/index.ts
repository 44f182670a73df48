/** The free run, as a kind of method. */
import { defineMethod, methodSchema, type SettingsOf } from '../definition.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';

/** The settings of the free run. */
const freeRunSchema = methodSchema(
  'free-run',
  {
    title: 'Free run',
    description: 'The ensemble without assimilation; its mean is compared.',
    gist: 'No assimilation.',
  },
  {},
);

type FreeRunSettings = SettingsOf<typeof freeRunSchema>;

async function createFreeRun(method: FreeRunSettings, context: MethodContext): Promise<Method> {
  const ensemble = await createEnsembleState(method.label, context, context.members);
  return {
    label: method.label,
    kind: method.kind,
    members: context.members,
    state: ensemble.state,
    departures: ensemble.departures,
    initialise: ensemble.initialise,
    explain: explainWith({}),
    analyse: () => Promise.resolve({ report: () => Promise.resolve({}) }),
    dispose: () => ensemble.dispose(),
  };
}

export const freeRun = defineMethod(freeRunSchema, {
  appearance: {
    shades: [
      ['#9aa5b1', '#5b6672'],
      ['#c3cbd4', '#3f4852'],
    ],
    dash: '2 3',
    marker: 'cross',
  },
  carries: 'ensemble',
  assimilates: false,
  trustsSpread: false,
  create: createFreeRun,
});
