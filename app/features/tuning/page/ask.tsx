/** What is asked of a tuning: which settings over which range, how many seeds, by which measure, and how long that takes. */
import { useId } from 'preact/hooks';
import { durationText, estimateTuning, type BackendName, type TuningPlan } from '../../../../engine/index.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { counted } from '../../sweeps/words.ts';
import { measuresOf, type TuningChoice } from '../tuning-form.ts';
import { tuningsOf } from '../tuning-state.ts';

interface AskProps {
  readonly backend: BackendName | undefined;
  readonly onStart: () => void;
}

export function TuningAsk({ backend, onStart }: AskProps) {
  const { form, subject, plan, progress, change } = tuningsOf(useLaboratory());
  const id = useId();
  if (!form.value || !subject.value) return null;
  const asked = form.value;
  const isBusy = progress.value !== undefined;
  const planned = plan.value;
  return (
    <form
      class="page-ask"
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
    >
      <fieldset disabled={isBusy}>
        <legend>Settings</legend>
        {asked.choices.map((choice, index) => (
          <Choice
            key={choice.name}
            choice={choice}
            onChange={(changes) => change({ choices: asked.choices.with(index, { ...choice, ...changes }) })}
          />
        ))}
      </fieldset>
      <fieldset disabled={isBusy}>
        <legend>Search</legend>
        <Numeric
          label="Seeds"
          help="Each setting is run with every seed. With fewer than six seeds no difference can be significant."
          value={asked.seeds}
          onInput={(seeds) => change({ seeds })}
        />
        <Numeric
          label="Halvings"
          help="How often the steps around the best are halved."
          value={asked.levels}
          onInput={(levels) => change({ levels })}
        />
        <div class="page-field">
          <label for={`${id}-measure`}>Judged by</label>
          <select
            id={`${id}-measure`}
            class="select"
            value={asked.measure}
            onChange={({ currentTarget }) => change({ measure: currentTarget.value })}
          >
            {measuresOf(subject.value.scenario).map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </fieldset>
      {'problem' in planned ? (
        <p class="page-problem" role="alert">
          {planned.problem}
        </p>
      ) : (
        <p class="page-outlook">{outlook(planned.plan, backend)}</p>
      )}
      <button type="submit" class="button primary" disabled={isBusy || !backend || 'problem' in planned}>
        Start
      </button>
    </form>
  );
}

/** @returns `25 to 45 settings with 6 seeds: 150 to 270 runs, about 1.5 min on wasm` */
function outlook(plan: TuningPlan, backend: BackendName | undefined): string {
  const { cases, seeds } = plan;
  const settings = `${range(cases.least / seeds.length, cases.most / seeds.length)} settings with ${counted(seeds.length, 'seed')}`;
  const time = backend ? `, ${durationText(estimateTuning(plan, backend).most)} on ${backend}` : '';
  return `${settings}: ${range(cases.least, cases.most)} runs${time}.`;
}

function range(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`;
}

interface ChoiceProps {
  readonly choice: TuningChoice;
  readonly onChange: (changes: Partial<TuningChoice>) => void;
}

function Choice({ choice, onChange }: ChoiceProps) {
  const { title, unit, chosen, from, to, count, name } = choice;
  const number = (key: 'from' | 'to' | 'count', value: string, label: string) => (
    <input
      class="input number"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      aria-label={`${title}, ${label}`}
      value={value}
      disabled={!chosen}
      onInput={({ currentTarget }) => onChange({ [key]: currentTarget.value })}
    />
  );
  return (
    <div class="tuning-choice">
      <label title={name}>
        <input
          type="checkbox"
          checked={chosen}
          onChange={({ currentTarget }) => onChange({ chosen: currentTarget.checked })}
        />
        {title[0].toUpperCase() + title.slice(1)}
        {unit !== '' && <span class="label"> {unit}</span>}
      </label>
      <div class="tuning-range">
        {number('from', from, 'from')}
        <span class="label">to</span>
        {number('to', to, 'to')}
        <span class="label">in</span>
        {number('count', count, 'number of values')}
      </div>
    </div>
  );
}

interface NumericProps {
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Numeric({ label, help, value, onInput }: NumericProps) {
  const id = useId();
  return (
    <div class="page-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input number"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        aria-describedby={`${id}-help`}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p id={`${id}-help`} class="label">
        {help}
      </p>
    </div>
  );
}
