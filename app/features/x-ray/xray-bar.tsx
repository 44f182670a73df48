/** The line over the views while an X-ray is on: what it is of, what of it is shown, its state, the way out; and its commands. */
import { AT_END } from '../../../engine/index.ts';
import { Icon } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import { formatQuantity } from '../../format/numbers.ts';
import { standingWords, subjectWords, type Measure, type XraySubject, type CycleAnswers } from './answers.ts';
import './xray.css';
import { xrayOf } from './xray-state.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { distanceBetween } from './influence-figure.tsx';

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

/** Which of the run and its branches is asked; nothing while there are no branches. */
function LineChoice() {
  const { chosenLine, line, lines } = xrayOf(useRun());
  if (lines.value.length < 2) return null;
  return (
    <select
      class="stage-select"
      aria-label="Run that is asked"
      title="The X-ray of the run, or of one of its branches"
      value={String(line.value.id)}
      onChange={({ currentTarget: { value } }) => {
        chosenLine.value = lines.value.find(({ id }) => String(id) === value)?.id;
      }}
    >
      {lines.value.map(({ id, title }) => (
        <option key={id} value={String(id)}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** When in the window the field and the point are, for a method that has a covariance between any two times of it. */
function Times({ subject }: { readonly subject: XraySubject & { readonly kind: 'point' } }) {
  const { info } = useRun().course;
  const { hasTimes, choose } = xrayOf(useRun());
  if (!hasTimes.value || !info.value) return null;
  const { scenario, basin } = info.value;
  const { field, cell } = subject.times ?? AT_END;
  const time = formatQuantity(field * scenario.experiment.window, basin.isRing ? '' : 's');
  return (
    <>
      <select
        class="stage-select"
        aria-label="Time of the point"
        title="Time of the point: 4D-Var has a covariance between any two times of the window"
        value={String(cell)}
        onChange={({ currentTarget: { value } }) => choose({ ...subject, times: { field, cell: Number(value) } })}
      >
        <option value="1">point at the end</option>
        <option value="0">point at the start</option>
      </select>
      <label class="xray-time" title="Time of the field, from the start of the window">
        field at
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={field}
          aria-label="Time of the field"
          aria-valuetext={`${time} into the window`}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            choose({ ...subject, times: { field: valueAsNumber, cell } })
          }
        />
        <output class="number">{time}</output>
      </label>
    </>
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
      <LineChoice />
      <Measures subject={about} />
      <VariableChoice />
      {about.kind === 'point' && <Times subject={about} />}
      {measure.value === 'increment' && <Whole />}
      <p
        // That it is of the cycle on screen is said to who cannot see it.
        class={isOfCycle ? 'visually-hidden' : 'xray-standing'}
        role="status"
        data-failed={failure.value !== undefined}
        title={isOfCycle ? undefined : standingWords(standing)}
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

/** The place that is meant: that of the crosshair, of the newest probe, or the middle of the basin. */
function placeMeant({ view: { hoveredCell, probes }, course: { info } }: RunView): GridPoint | undefined {
  const basin = info.value?.basin;
  if (!basin) return undefined;
  return hoveredCell.value ?? probes.value.at(-1) ?? { x: Math.floor(basin.nx / 2), y: Math.floor(basin.ny / 2) };
}

/** @returns the number of the observation of the cycle on screen that is the nearest; undefined where it has none */
function nearestObservation({ course: { currentSnapshot, info } }: RunView, place: GridPoint): number | undefined {
  const observations = currentSnapshot.value?.observations;
  const basin = info.value?.basin;
  if (!observations || !basin) return undefined;
  let nearest: { readonly index: number; readonly distance: number } | undefined;
  for (const [index, known] of observations.inverseErrorStd.entries()) {
    const distance = distanceBetween({ x: observations.x[index], y: observations.y[index] }, place, basin);
    if (known > 0 && distance < (nearest?.distance ?? Infinity)) nearest = { index, distance };
  }
  return nearest?.index;
}

/** The evidence that belongs to it comes with an X-ray that begins. */
function begin({ evidence }: Laboratory, run: RunView, place: GridPoint, observation?: number): void {
  const xray = xrayOf(run);
  if (!xray.isOn.value) evidence.evidenceTab.value = 'xray';
  xray.chooseAt(place, observation);
}

/** Begins at the place that is meant, continues with it there, or ends it where it is there already. */
function toggle(laboratory: Laboratory, run: RunView): void {
  const { subject, answers, leave } = xrayOf(run);
  const place = placeMeant(run);
  const about = subject.value;
  const at = about?.kind === 'point' ? about : answers.value?.place.cell;
  const pointsElsewhere = run.view.hoveredCell.value !== undefined && (at?.x !== place?.x || at?.y !== place?.y);
  if (about && !pointsElsewhere) leave();
  else if (place) begin(laboratory, run, place);
}

/** @returns the commands of an X-ray */
export function xrayCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { isOn, leave } = xrayOf(run);
  const hasRun = (): boolean => run.course.info.value !== undefined;
  return [
    {
      id: 'stage.xray',
      group: 'Stage',
      title: 'X-ray of the point',
      shortcuts: ['X'],
      keywords: 'why explain covariance correlation column weights influence',
      enabled: hasRun,
      checked: () => isOn.value,
      run: () => toggle(laboratory, run),
    },
    {
      id: 'stage.xray-observation',
      group: 'Stage',
      title: 'X-ray of the nearest observation',
      shortcuts: ['Shift+X'],
      keywords: 'why explain single increment gain likelihood bayes',
      enabled: hasRun,
      run() {
        const place = placeMeant(run);
        const observation = place && nearestObservation(run, place);
        if (place && observation !== undefined) begin(laboratory, run, place, observation);
        else {
          laboratory.notices.notify('information', 'The cycle on screen has no observations', {
            lines: ['Step to a cycle that has some, and ask again.'],
          });
        }
      },
    },
    {
      id: 'stage.xray-leave',
      group: 'Stage',
      title: 'Leave the X-ray',
      shortcuts: ['Escape'],
      enabled: () => isOn.value,
      run: leave,
    },
  ];
}
