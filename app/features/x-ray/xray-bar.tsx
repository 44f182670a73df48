/** The line over the views while an X-ray is on: what it is of, what of it is shown, its state, and the way out. */
import { Icon } from '../../controls/icons.tsx';
import { useRun } from '../../document/context.ts';
import { standingWords, subjectWords } from './answers.ts';
import type { Measure, XraySubject, CycleAnswers } from './answers.ts';

import './xray.css';
import { xrayOf } from './xray-state.ts';

const MEASURE_TITLES: Readonly<Record<Measure, string>> = {
  correlation: 'Correlation',
  covariance: 'Covariance',
  increment: 'Increment',
};

const MEASURE_HELP: Readonly<Record<Measure, string>> = {
  correlation: 'Correlation of the background’s errors with those at the place, −1 to 1',
  covariance: 'Covariance of the background’s errors with those at the place, as each method uses it',
  increment: 'What this observation would change if it were the only one',
};

function measuresOf({ kind }: XraySubject): readonly Measure[] {
  return kind === 'observation' ? ['increment', 'correlation', 'covariance'] : ['correlation', 'covariance'];
}

function Measures({ subject }: { readonly subject: XraySubject }) {
  const { measure, chosenMeasure } = xrayOf(useRun());
  return (
    <div class="xray-measures" role="group" aria-label="What is shown of it">
      {measuresOf(subject).map((id) => (
        <button
          key={id}
          type="button"
          class="button"
          aria-pressed={measure.value === id}
          title={MEASURE_HELP[id]}
          onClick={() => {
            chosenMeasure.value = id;
          }}
        >
          {MEASURE_TITLES[id]}
        </button>
      ))}
    </div>
  );
}

function VariableChoice() {
  const { answers, chosenVariable, variables } = xrayOf(useRun());
  const own = answers.value?.place.variable;
  if (variables.value.length < 2) return null;
  return (
    <select
      class="stage-select"
      aria-label="Variable that is shown"
      title="Variable of the state whose field is shown"
      value={chosenVariable.value ?? own ?? variables.value[0]}
      onChange={({ currentTarget }) => {
        chosenVariable.value = currentTarget.value;
      }}
    >
      {variables.value.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The sum of all observations, as a row of its own under what one of them changes. */
function Whole() {
  const { fields, toggleRow } = useRun().view;
  const isShown = fields.value.slice(1).includes('increment');
  return (
    <button
      type="button"
      class="button"
      aria-pressed={isShown}
      title="The increment by all observations of the cycle, in a row beneath"
      onClick={() => toggleRow('increment')}
    >
      Whole increment
    </button>
  );
}

/** The unit of what the observation has read. */
function observedUnit(answers: CycleAnswers | undefined): string | undefined {
  return [...(answers?.byMethod.values() ?? [])].find(({ observation }) => observation)?.observation?.unit;
}

export function XrayBar() {
  const {
    course: { cycle },
    view: { world },
  } = useRun();
  const { subject, measure, answers, busy, failure, leave } = xrayOf(useRun());
  const about = subject.value;
  if (!about) return null;
  const standing = { cycle: cycle.value, answers: answers.value, busy: busy.value, failure: failure.value };
  const isOfCycle = answers.value?.cycle === cycle.value && failure.value === undefined;
  return (
    <section class="xray-bar" aria-label="X-ray">
      <h2 class="xray-title">
        X-ray <span>{subjectWords(about, world.value?.isRing, observedUnit(answers.value))}</span>
      </h2>
      <Measures subject={about} />
      <VariableChoice />
      {measure.value === 'increment' && <Whole />}
      <p
        // That it is of the cycle on screen is said to who cannot see it.
        class={isOfCycle ? 'visually-hidden' : 'xray-standing'}
        role="status"
        data-failed={failure.value !== undefined}
      >
        {standingWords(standing)}
      </p>
      <button
        type="button"
        class="icon-button"
        aria-label="Leave the X-ray"
        title="Leave the X-ray (Esc)"
        onClick={leave}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
