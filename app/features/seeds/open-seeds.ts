/** The way from the run on screen to the page that repeats it with several seeds. */
import { ScenarioError, validateScenario } from '../../../engine/index.ts';
import { commandLine } from '../../document/run/command-line.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { SeedsSubject } from './seeds-state.ts';
import { seedsOf } from './seeds-state.ts';
import { catalogueOf } from '../../document/scenario/bundled-scenarios.ts';

/** The run on screen with the changes that wait. @throws ScenarioError */
function subjectOf(laboratory: Laboratory, { edits, scenario: { origin, openedScenario } }: RunView): SeedsSubject {
  const raw = edits.runOrDraft.value;
  const { scenario } = validateScenario(raw, 'the scenario on screen');
  const { name, kind, files } = origin.value;
  const original =
    kind === 'bundled'
      ? catalogueOf(laboratory).bundledScenario(name.replace(/\.json$/, '')).scenario
      : openedScenario.value;
  return {
    raw,
    scenario,
    files,
    command: (seeds, backend) =>
      commandLine({ origin: { name, kind }, original: original ?? scenario, running: scenario, backend, seeds }),
    needs: kind === 'run' ? name : undefined,
  };
}

export function openSeeds(laboratory: Laboratory, run: RunView): void {
  try {
    seedsOf(laboratory).choose(subjectOf(laboratory, run));
    laboratory.overlays.openOverlay('seeds');
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const lines = error.problems.map(({ message }) => message);
    laboratory.notices.notify('warning', 'The settings have problems', { lines });
  }
}

export function seedsCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  return [
    {
      id: 'run.seeds',
      group: 'Run',
      title: 'Repeat with several seeds…',
      keywords: 'many seeds random compare methods better winner significant interval statistics sweep',
      enabled: () => run.course.info.value !== undefined,
      run: () => openSeeds(laboratory, run),
    },
  ];
}
