/** What the window says by itself: notices, the hint of the first minute, questions, and what is in place of the water. */
import { useRun } from '../document/context.ts';
import { useSignalEffect, useSignal } from '@preact/signals';
import { useLaboratory } from '../page/laboratory.ts';
import { lessonOf } from '../features/lessons/lesson-state.ts';
import { Dialog } from '../controls/dialog.tsx';
import { useEffect } from 'preact/hooks';
import { Icon } from '../controls/buttons.tsx';
import { INFORMATION_MILLISECONDS, type Notice } from '../page/notices.ts';
import './styles/overlays.css';

/** The question that waits for an answer, as a dialog. */
export function QuestionDialog() {
  const { question } = useLaboratory().questions;
  const open = question.value;
  if (!open) return null;
  const { title, text, answers, cancel, answer } = open;
  return (
    <Dialog label={title} class="question" onClose={() => answer(cancel)}>
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="question-answers">
        {answers.map(({ id, title: words, kind }) => (
          <button
            key={id}
            type="button"
            class={`button ${kind}`}
            // The answer that loses nothing is at hand.
            autofocus={id === cancel}
            onClick={() => answer(id)}
          >
            {words}
          </button>
        ))}
      </div>
    </Dialog>
  );
}

/** The line of the first minute, under the views: what to try first. It leaves at the first touch. */
export function Hint() {
  const { touched, hintSeen } = useLaboratory().preferences;
  const { info } = useRun().course;
  const lesson = lessonOf(useRun());
  useSignalEffect(() => {
    if (touched.value && info.value !== undefined) hintSeen.value = true;
  });
  // Effects come a frame later.
  if (hintSeen.value || touched.value || info.value === undefined) return null;
  const words = `Drag to turn, click to pin a probe${lesson.steps.value.length > 0 ? ', T for the lesson' : ''}`;
  return (
    <p class="hint" title={words}>
      {words}
    </p>
  );
}

/** The message in place of the water while there is none: that it is being prepared, or why it cannot be. */
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

/** Problems of a long list that are shown at once. */
const SHOWN_LINES = 8;

function useLeaving({ id, kind, count }: Notice): void {
  const { dismiss } = useLaboratory().notices;
  useEffect(() => {
    if (kind !== 'information') return undefined;
    const timer = setTimeout(() => dismiss(id), INFORMATION_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [id, kind, count]);
}

function Lines({ lines }: Pick<Notice, 'lines'>) {
  return (
    <ul>
      {lines.slice(0, SHOWN_LINES).map((line) => (
        <li key={line} title={line}>
          {line}
        </li>
      ))}
      {lines.length > SHOWN_LINES && <li>and {lines.length - SHOWN_LINES} more</li>}
    </ul>
  );
}

interface NoticeProperties {
  readonly notice: Notice;
  readonly isOpen: boolean;
}

function NoticeRow({ notice, isOpen }: NoticeProperties) {
  const { dismiss } = useLaboratory().notices;
  const { id, kind, title, lines, actions, count } = notice;
  useLeaving(notice);
  return (
    <div class={`notice notice-${kind}`} data-open={isOpen} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={kind} />
      <div class="notice-words" title={isOpen ? undefined : [title, ...lines].join('\n')}>
        <p class="notice-title">
          {title}
          {count > 1 && <span class="label number"> ×{count}</span>}
        </p>
        {lines.length > 0 && (isOpen ? <Lines lines={lines} /> : <p class="notice-line">{lines.join(' · ')}</p>)}
      </div>
      {actions.map((action) => (
        <button
          key={action.title}
          type="button"
          class="button"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.title}
        </button>
      ))}
      <button type="button" class="icon-button" aria-label={`Dismiss: ${title}`} onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/**
 * Notices to the user, in the strip under the views: the newest in one line, all of them with their details when they are
 * unfolded, which takes room from the views and covers none. Read out by screen readers as it comes.
 */
export function Notices() {
  const { notices } = useLaboratory().notices;
  /** Undefined: as it is best for what there is. */
  const wish = useSignal<boolean | undefined>(undefined);
  const all = notices.value;
  const newest = all.at(-1);
  // Errors are shown in full at once.
  const isOpen = wish.value ?? (newest?.kind === 'error' && newest.lines.length > 0);
  const hasMore = all.length > 1 || (newest !== undefined && newest.lines.length > 0);
  useEffect(() => {
    wish.value = undefined;
  }, [newest?.id, wish]);
  const shown = isOpen ? [...all].reverse() : all.slice(-1);
  return (
    <div class="notices" aria-label="Notices" role="region" data-open={isOpen}>
      <div class="notice-list">
        {shown.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} isOpen={isOpen} />
        ))}
      </div>
      {hasMore && (
        <button
          type="button"
          class="icon-button notices-more"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Fold' : 'Unfold'} the notices${all.length > 1 ? `, ${all.length}` : ''}`}
          title={isOpen ? 'Fold the notices' : 'Unfold the notices'}
          onClick={() => {
            wish.value = !isOpen;
          }}
        >
          {all.length > 1 && <span class="number">{all.length}</span>}
          <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d={isOpen ? 'm4 6.500 4 4 4-4' : 'm4 9.500 4-4 4 4'} />
          </svg>
        </button>
      )}
    </div>
  );
}
