/** The message in place of the water while there is none: that it is being prepared, or why it cannot be. */
import { useRun } from '../document/context.ts';

export function StageMessage() {
  const {
    controller,
    course: { history, status, failure },
    scenario: { appliedScenario },
  } = useRun();
  if (history.value.snapshots.length > 0) return null;
  const scenario = appliedScenario.value;
  if (status.value === 'opening' && scenario) {
    const { nx, ny } = scenario.grid;
    return (
      <div class="stage-message" role="status">
        <p>
          Preparing {scenario.title || scenario.name}: {nx} × {ny} cells, {scenario.background.members} members
        </p>
      </div>
    );
  }
  if (failure.value) {
    return (
      <div class="stage-message">
        <p>{failure.value.message}</p>
        <button type="button" class="button" onClick={() => controller.restart()}>
          Start again
        </button>
      </div>
    );
  }
  return null;
}
