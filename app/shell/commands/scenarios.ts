/** Each scenario that ships, by its title. */
import { BUNDLED_SCENARIOS } from '../../document/scenario/bundled-scenarios.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { catalogueOf } from '../../document/scenario/bundled-scenarios.ts';
import { openingOf } from '../../features/opening/open-scenario.ts';

/** Asked for when somebody looks for a command. */
export function scenarioCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { bundledTitle } = catalogueOf(laboratory);
  const {
    scenario: { origin },
  } = run;
  const { openBundled } = openingOf(run);
  return BUNDLED_SCENARIOS.map(({ name }) => ({
    id: `scenario.${name}`,
    group: 'Scenarios',
    title: bundledTitle(name),
    detail: name,
    keywords: `open scenario ${name}`,
    checked: () => origin.value.kind === 'bundled' && origin.value.name === `${name}.json`,
    run: async () => {
      await openBundled(name);
    },
  }));
}
