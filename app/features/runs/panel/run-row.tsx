/** One run of the list: what it is called, how far it came, how wrong its methods are, and what makes it differ. */
import { comparedVariables, unitOf } from '../../../../engine/index.ts';
import { formatColumn } from '../../../format/numbers.ts';
import { Icon } from '../../../controls/buttons.tsx';
import { differencesBetween, type RunDifference } from '../differences.ts';
import { momentText, runTitle, resultsOf, type KeptRun } from '../kept-run.ts';
import { removeRun, copyKeptCommand, hasOwnSettings, runAgain, takeSettings } from '../add-run.ts';
import { cyclesWords, runsOf, LONGEST_NAME, LONGEST_NOTE } from '../runs-state.ts';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { methodStyles, variantTitles } from '../../../document/views/method-style.ts';
import { chartsOf } from '../../../figures/chart-state.ts';
import { useId } from 'preact/hooks';

interface DifferencesProperties {
  readonly differences: readonly RunDifference[];
  /** How many more there are. */
  readonly left: number;
  /** Which run it is against. */
  readonly against: string;
}

/** What makes a run differ from another, a line a setting. */
function Differences({ differences, left, against }: DifferencesProperties) {
  return (
    <ul class="run-differences" aria-label={`Differs from ${against} in`}>
      {differences.map(({ path, title, before, after }) => (
        <li key={path} title={`Against ${against}: ${path}`}>
          {title} <span class="number">{before}</span>
          <span class="run-arrow"> → </span>
          <span class="number">{after}</span>
        </li>
      ))}
      {left > 0 && <li>and {left} more</li>}
    </ul>
  );
}

interface Properties {
  readonly run: KeptRun;
  readonly differences: readonly RunDifference[];
  /** What they are against. */
  readonly against: string;
}

/** What can be said of a run and done with it. */
function RunDetails({ run, differences, against }: Properties) {
  const laboratory = useLaboratory();
  const runs = runsOf(laboratory);
  const view = useRun();
  const nameId = useId();
  const noteId = useId();
  const { id, number, name, note, scenario } = run;
  const isOnScreen = runs.onScreen.value === id;
  return (
    <div class="run-details">
      <label for={nameId}>Name</label>
      <input
        id={nameId}
        class="input"
        value={name}
        maxLength={LONGEST_NAME}
        placeholder={scenario.title || scenario.name}
        onChange={({ currentTarget }) => runs.rename(id, currentTarget.value)}
      />
      <label for={noteId}>Note</label>
      <textarea
        id={noteId}
        class="input"
        rows={3}
        value={note}
        maxLength={LONGEST_NOTE}
        placeholder="What was tried, what it showed"
        onInput={({ currentTarget }) => runs.setNote(id, currentTarget.value)}
      />
      {differences.length > 0 && (
        <>
          <p class="label">Differs from {against} in</p>
          <Differences differences={differences} left={0} against={against} />
        </>
      )}
      <p class="label">
        Begun {momentText(run.start)}
        {run.backend.adapter !== '' && `, on ${run.backend.adapter}`}
      </p>
      <div class="run-actions">
        <button
          type="button"
          class="button"
          title="Compute it again from its scenario: the same numbers"
          onClick={() => void runAgain(view, run)}
        >
          <Icon name="restart" /> Run again
        </button>
        <button
          type="button"
          class="button"
          disabled={!hasOwnSettings(run)}
          title={
            hasOwnSettings(run)
              ? 'Put its settings into the draft, as a step that can be undone'
              : 'Its scenario names files: run it again instead'
          }
          onClick={() => takeSettings(laboratory, view, run)}
        >
          <Icon name="settings" /> Take settings
        </button>
        <button
          type="button"
          class="button"
          title={`Copy as command: ${run.command.line}`}
          disabled={run.command.line === ''}
          onClick={() => void copyKeptCommand(laboratory, run)}
        >
          <Icon name="copy" /> Copy command
        </button>
        <button
          type="button"
          class="button"
          aria-label={`Remove run ${number}`}
          title={isOnScreen ? 'The run on screen stays in the list' : 'Remove (Delete); it can be brought back'}
          disabled={isOnScreen}
          onClick={() => removeRun(laboratory, run)}
        >
          <Icon name="close" /> Remove
        </button>
      </div>
    </div>
  );
}

/** Differences that a row shows; all of them are among its details. */
const SHOWN = 2;

export function RunRow({ run }: { readonly run: KeptRun }) {
  const laboratory = useLaboratory();
  const runs = runsOf(laboratory);
  const { id, number, note } = run;
  const isOnScreen = runs.onScreen.value === id;
  const isBaseline = runs.baseline.value === id;
  const isOpen = runs.opened.value === id;
  const { variable, unit } = scoredBy(run);
  const reference = runs.baselineRun.value ?? runs.runOnScreen.value;
  const differences = reference && reference.id !== id ? differencesBetween(reference, run) : [];
  const against = runs.baselineRun.value ? 'the baseline' : 'the run on screen';
  return (
    <li class="run" data-run={number} data-on-screen={isOnScreen}>
      <div class="run-head">
        <button
          type="button"
          class="run-title"
          aria-expanded={isOpen}
          aria-current={isOnScreen}
          onClick={() => {
            runs.opened.value = isOpen ? undefined : id;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Delete' || isOnScreen) return;
            event.preventDefault();
            event.stopPropagation();
            const row = event.currentTarget.closest('li');
            const next = row?.nextElementSibling ?? row?.previousElementSibling;
            removeRun(laboratory, run);
            next?.querySelector<HTMLElement>('.run-title')?.focus();
          }}
        >
          <span class="run-number number">
            <span class="visually-hidden">Run </span>
            {number}
          </span>
          <span class="run-name">{runTitle(run)}</span>
        </button>
        <CurvesButton run={run} isOnScreen={isOnScreen} />
        <button
          type="button"
          class="icon-button"
          aria-pressed={isBaseline}
          aria-label={`Run ${number} as baseline`}
          title={
            isBaseline
              ? 'The baseline: others are compared with it, and it stays in the list'
              : 'Compare others with it, and keep it in the list'
          }
          onClick={() => runs.pin(isBaseline ? undefined : id)}
        >
          <Icon name="baseline" />
        </button>
      </div>
      {(isOnScreen || isBaseline) && (
        <p class="run-tags">{[isOnScreen && 'on screen', isBaseline && 'baseline'].filter(Boolean).join(' · ')}</p>
      )}
      <p class="run-facts">
        <span>
          {cyclesWords(run)} · seed {run.scenario.seed} · {run.backend.name}
        </span>
        <span>
          RMSE {variable}
          {unit !== '' && ` (${unit})`}
        </span>
      </p>
      <Scores run={run} />
      {differences.length > 0 && !isOpen && (
        <Differences differences={differences.slice(0, SHOWN)} left={differences.length - SHOWN} against={against} />
      )}
      {note !== '' && !isOpen && <p class="run-note">{note}</p>}
      {isOpen && <RunDetails run={run} differences={differences} against={against} />}
    </li>
  );
}

/** Shows the curves of a run over the charts; while they are there, the button is a piece of them. */
export function CurvesButton({
  run: { id, number },
  isOnScreen,
}: {
  readonly run: KeptRun;
  readonly isOnScreen: boolean;
}) {
  const runs = runsOf(useLaboratory());
  const { overlaid } = chartsOf(useRun());
  const isOn = runs.overlaidIds.value.includes(id) && !isOnScreen;
  const dash = overlaid.value.find((each) => each.id === id)?.dash;
  return (
    <button
      type="button"
      class="icon-button"
      aria-pressed={isOn}
      aria-label={`Curves of run ${number}`}
      title={
        isOnScreen
          ? 'Its curves are on screen'
          : isOn
            ? 'Take its curves away'
            : 'Show its curves beside those on screen'
      }
      disabled={isOnScreen}
      onClick={() => runs.toggleOverlaid(id)}
    >
      {dash === undefined ? (
        <Icon name="overlay" />
      ) : (
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M0 8H16" stroke-dasharray={dash} />
        </svg>
      )}
    </button>
  );
}

/** What the scores of a run are of: the first variable that its methods are compared by, with its unit. */
function scoredBy({ scenario }: KeptRun): { readonly variable: string; readonly unit: string } {
  const [variable] = comparedVariables(scenario);
  return { variable, unit: unitOf(variable) };
}

/** RMSE of the analysis of each method, means over the cycles after the spin-up. */
function Scores({ run }: { readonly run: KeptRun }) {
  const { variable, unit } = scoredBy(run);
  const styles = methodStyles(run.methods, variantTitles(run.scenario));
  const diverged = new Map(run.diverged.map(({ method, cycle }) => [method, cycle]));
  const results = resultsOf(run);
  const numbers = formatColumn(results.map(({ rmse }) => rmse.analysis[variable]));
  return (
    <ul class="run-scores" aria-label={`RMSE of the analysis of ${variable}${unit === '' ? '' : ` in ${unit}`}`}>
      {results.map(({ method }, index) => {
        const { colour, title } = styles[index];
        const cycle = diverged.get(method);
        const until = cycle === undefined ? '' : `, until it diverged in cycle ${cycle}`;
        return (
          <li key={method} title={`${title}: RMSE of the analysis of ${variable}${until}`}>
            <i class="swatch" style={{ background: colour }} />
            <span class="run-method">{title}</span>
            <span class={cycle === undefined ? 'number' : 'number run-diverged'}>{numbers[index]}</span>
          </li>
        );
      })}
    </ul>
  );
}
