/** What can be said of a run and done with it. */
import { useId } from 'preact/hooks';
import { Icon } from '../../../controls/icons.tsx';
import type { RunDifference } from '../differences.ts';
import type { KeptRun } from '../kept-run.ts';
import { copyKeptCommand, hasOwnSettings, removeRun, runAgain, takeSettings } from '../open-kept.ts';
import { LONGEST_NAME, LONGEST_NOTE } from '../runs-state.ts';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { Differences } from './difference-list.tsx';
import { runsOf } from '../runs-state.ts';

interface Properties {
  readonly run: KeptRun;
  readonly differences: readonly RunDifference[];
  /** What they are against. */
  readonly against: string;
}

/** `22 Nov, 14:05`, in the words of the page's place. */
function momentText(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return date.toLocaleString([], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

export function RunDetails({ run, differences, against }: Properties) {
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
