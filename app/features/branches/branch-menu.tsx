/** What can be done with a branch: its columns on the stage, hiding it, making it the run, and taking it away. */
import { useId, useRef } from 'preact/hooks';
import { useRun } from '../../document/context.ts';
import { TRUTH, TRUTH_STYLE } from '../../document/views/method-style.ts';
import type { BranchEntry } from '../../document/lines/branch-list.ts';

interface Properties {
  readonly entry: BranchEntry;
  readonly title: string;
}

/** Which methods of the branch are beside those of the run. */
function Columns({ entry }: Pick<Properties, 'entry'>) {
  const { branches, course, view } = useRun();
  const shown = [...(branches.isTruthShown(entry) ? [TRUTH] : []), ...branches.columnsOf(entry)];
  const labels = [...(branches.isTruthOwn(entry) ? [TRUTH] : []), ...view.selectedMethods.value];
  const toggle = (label: string): void => {
    const next = shown.includes(label) ? shown.filter((each) => each !== label) : [...shown, label];
    branches.choose(entry.id, next);
  };
  return (
    <fieldset class="branch-columns">
      <legend>On the stage</legend>
      {labels.map((label) => (
        <label key={label}>
          <input type="checkbox" checked={shown.includes(label)} onChange={() => toggle(label)} />
          {label === TRUTH ? TRUTH_STYLE.title : (course.styleOf(label)?.title ?? label)}
        </label>
      ))}
    </fieldset>
  );
}

export function BranchMenu({ entry, title }: Properties) {
  const { branches, course } = useRun();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  /** Over its button, inside of the window. */
  const place = (): void => {
    const [at, own] = [button.current?.getBoundingClientRect(), menu.current];
    if (!at || !own) return;
    own.style.left = `max(4px, calc(${at.right}px - 15rem))`;
    own.style.bottom = `${document.documentElement.clientHeight - at.top + 4}px`;
  };
  const choose = (action: () => void) => () => {
    menu.current?.hidePopover();
    action();
  };
  const canBeRun = entry.branch.cycle <= course.newestCycle.value + 1;
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={`Branch ${title}: what to do with it`}
        popovertarget={id}
      >
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.4" />
        </svg>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="branch-menu"
        role="group"
        aria-label={`Branch ${title}`}
        onBeforeToggle={place}
        onToggle={({ currentTarget }) => {
          if (currentTarget.matches(':popover-open')) currentTarget.querySelector('input')?.focus();
        }}
      >
        <p class="branch-menu-title">{title}</p>
        <p class="label">Leaves the run at cycle {entry.branch.cycle}.</p>
        <Columns entry={entry} />
        <button type="button" class="button" onClick={choose(() => branches.hide(entry.id, !entry.hidden))}>
          {entry.hidden ? 'Show' : 'Hide'}
        </button>
        <button
          type="button"
          class="button"
          disabled={!canBeRun}
          title="The branch becomes the run, and the run from there on a branch; both are computed again, to the same numbers"
          onClick={choose(() => void branches.makeMain(entry.id))}
        >
          Make it the run
        </button>
        <button type="button" class="button danger" onClick={choose(() => branches.remove(entry.id))}>
          Remove
        </button>
      </div>
    </>
  );
}
