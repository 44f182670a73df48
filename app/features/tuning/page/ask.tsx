/** What is asked of a tuning: which settings over which range, how many seeds, by which measure, and how long that takes. */
import { useId } from 'preact/hooks';
import { durationText, estimateTuning, judgingMeasures, planTuning, ScenarioError, suggestedParameters, USUAL_LEVELS, USUAL_SEEDS } from '../../../../engine/index.ts';
import type { BackendName, TuningPlan, ParameterRequest, Scenario, TuningMeasure } from '../../../../engine/index.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { counted } from '../../sweeps/words.ts';
import { tuningsOf } from '../tuning-state.ts';
import { parseNumber, writeNumber } from '../../../form/number-input.ts';

/** A setting that can be tuned; numbers as they are typed. */
interface TuningChoice {
  /** Inside the method. */
  readonly name: string;
  /** In a sentence: `half-width`. */
  readonly title: string;
  readonly unit: string;
  readonly chosen: boolean;
  readonly from: string;
  readonly to: string;
  readonly count: string;
}

export interface TuningForm {
  /** Label. */
  readonly method: string;
  readonly choices: readonly TuningChoice[];
  readonly measure: string;
  readonly seeds: string;
  readonly levels: string;
}

/** How many settings are tuned where nobody asks for others. */
const USUAL_CHOICES = 2;

/** @returns the form as it is before anything is typed; undefined for a method that has nothing to tune */
export function usualForm(
  scenario: Scenario,
  method: string,
  titleOf: (parameter: { title: string; name: string }) => string,
): TuningForm | undefined {
  const parameters = suggestedParameters(scenario, method);
  if (parameters.length === 0) return undefined;
  return {
    method,
    choices: parameters.map(({ name, title, unit, values }, index) => ({
      name,
      title: titleOf({ title, name }),
      unit,
      chosen: index < USUAL_CHOICES,
      from: writeNumber(values[0]),
      to: writeNumber(values.at(-1)),
      count: writeNumber(values.length),
    })),
    measure: judgingMeasures(scenario)[0].name,
    seeds: writeNumber(USUAL_SEEDS),
    levels: writeNumber(USUAL_LEVELS),
  };
}

/** A plan, or why there is none. */
type Planned = { readonly plan: TuningPlan } | { readonly problem: string };

function requestOf({ name, title, from, to, count }: TuningChoice): ParameterRequest | string {
  const [first, last, number] = [from, to, count].map(parseNumber);
  if (first === undefined || last === undefined)
    return `${title}: found ${JSON.stringify(first === undefined ? from : to)}, allowed: a number`;
  if (number === undefined || !Number.isInteger(number) || number < 1 || number > 100)
    return `${title}: found ${JSON.stringify(count)} values, allowed: a whole number from 1 to 100`;
  if (number === 1 || first === last) return { name, values: [first] };
  if (first > last) return `${title}: the range is from ${from} to ${to}, allowed: from the smaller to the larger`;
  return { name, range: { from: first, to: last, count: number } };
}

/** @param raw the scenario as its file has it */
export function planOf(raw: unknown, { method, choices, measure, seeds, levels }: TuningForm): Planned {
  const requests = choices.filter(({ chosen }) => chosen).map(requestOf);
  const wrong = requests.find((each) => typeof each === 'string');
  if (typeof wrong === 'string') return { problem: wrong };
  if (requests.length === 0) return { problem: 'Choose a setting to tune.' };
  const [seedCount, levelCount] = [seeds, levels].map(parseNumber);
  if (seedCount === undefined || !Number.isInteger(seedCount))
    return { problem: `seeds: found ${JSON.stringify(seeds)}, allowed: a whole number` };
  if (levelCount === undefined)
    return { problem: `halvings: found ${JSON.stringify(levels)}, allowed: a whole number` };
  try {
    const parameters = requests.filter((each): each is ParameterRequest => typeof each !== 'string');
    return { plan: planTuning(raw, { method, parameters, measure, seeds: seedCount, levels: levelCount }) };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { problem: error.problems[0].message };
  }
}

/** @returns what can be chosen to judge by */
function measuresOf(scenario: Scenario): readonly TuningMeasure[] {
  return judgingMeasures(scenario);
}

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
      class="tuning-ask"
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
        <div class="tuning-field">
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
        <p class="tuning-problem" role="alert">
          {planned.problem}
        </p>
      ) : (
        <p class="tuning-outlook">{outlook(planned.plan, backend)}</p>
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
    <div class="tuning-field">
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
