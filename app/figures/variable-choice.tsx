/** The choices that table and charts of errors share: the variables, and whether axes are made for the free run too. */
import { Choice } from '../controls/choice.tsx';
import { useRun } from '../document/context.ts';
import { chartsOf } from './chart-state.ts';

export function VariableChoice() {
  const { comparison, choices, chosenVariables } = chartsOf(useRun());
  return (
    <Choice
      label="Variables that are compared"
      value={comparison.value}
      options={choices.value.map((choice) => ({ value: choice, label: choice }))}
      onChange={(choice) => {
        chosenVariables.value = choice;
      }}
    />
  );
}

/** Only if there is something beside the free run. */
export function FreeRunToggle() {
  const { withFreeRun } = chartsOf(useRun());
  return (
    <button
      type="button"
      class="button toggle"
      aria-label="Free run in the axes"
      aria-pressed={withFreeRun.value}
      title="Axes of errors reach up to the free run"
      onClick={() => {
        withFreeRun.value = !withFreeRun.value;
      }}
    >
      Free run
    </button>
  );
}
