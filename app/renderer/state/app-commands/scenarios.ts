/** Each scenario that ships, by its title. */
import { BUNDLED_SCENARIOS, bundledScenario } from '../bundled-scenarios.ts';
import type { Command } from '../commands.ts';
import { openBundled } from '../open-scenario.ts';
import { origin } from '../scenario-state.ts';

/** Asked for when somebody looks for them: reading a scenario takes a few milliseconds, once. */
export function scenarioCommands(): readonly Command[] {
  return BUNDLED_SCENARIOS.map(({ name }) => ({
    id: `scenario.${name}`,
    group: 'Scenarios',
    title: bundledScenario(name).scenario.title || name,
    detail: name,
    keywords: `open scenario ${name}`,
    checked: () => origin.value.kind === 'bundled' && origin.value.name === `${name}.json`,
    run: async () => {
      await openBundled(name);
    },
  }));
}
