/** The way from the end of a lesson to that of the scenario that follows in the gallery. */
import { useRun } from '../document/context.ts';
import { catalogueOf, scenarioAfter } from '../document/scenario/bundled-scenarios.ts';
import { lessonOf } from '../features/lessons/lesson-state.ts';
import { openingOf } from '../features/opening/open-scenario.ts';
import { useLaboratory } from '../page/context.ts';

/** Ends the lesson and begins that of the scenario that follows in the gallery. */
export function NextLesson() {
  const catalogue = catalogueOf(useLaboratory());
  const {
    scenario: { appliedScenario },
  } = useRun();
  const { finish, open } = lessonOf(useRun());
  const { openBundled } = openingOf(useRun());
  const name = scenarioAfter(appliedScenario.value?.name ?? '');
  if (name === undefined) return null;
  return (
    <button
      type="button"
      class="button lesson-following"
      title={`Opens the scenario “${catalogue.bundledTitle(name)}” and begins its lesson`}
      onClick={() => {
        finish();
        void openBundled(name).then((isOpen) => isOpen && open());
      }}
    >
      Next lesson: {catalogue.bundledTitle(name)}
    </button>
  );
}
