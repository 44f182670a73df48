/**
 * The branches of the run, in a strip under the views: what differs, where each is, how it does beside the run, and its menu; their
 * marks on the timeline, and their commands.
 */
import { useRef, useId } from 'preact/hooks';
import { Icon } from '../../controls/buttons.tsx';
import { Swatch, KeptEnding } from '../../controls/line-name.tsx';
import { useRun } from '../../document/context.ts';
import { BRANCH_DASHES } from '../../document/lines/branch-views.ts';
import type { BranchEntry } from '../../document/lines/branch-list.ts';
import { scoreOf, standingOf } from './branch-comparison.tsx';
import './branches.css';
import { TRUTH, TRUTH_STYLE } from '../../document/views/method-style.ts';
import type { TimelineScale } from '../../document/run/run-times.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';

/** Where branches leave the run, on the timeline. */
export function BranchMarks({ scale }: { readonly scale: TimelineScale }) {
  const { branches, controller } = useRun();
  return (
    <>
      {branches.entries.value.map(({ id, branch: { cycle } }) => {
        const name = `Cycle ${cycle}: ${branches.titleOf(id)}, a branch`;
        return (
          <button
            key={id}
            type="button"
            class="run-mark run-mark-fork"
            aria-label={name}
            title={name}
            style={{ left: `${(100 * scale.place(cycle)).toFixed(4)}%` }}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => controller.scrub(cycle)}
          >
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <path d="M2.500 0.500v9M2.500 6.500c0-2.500 5-1.500 5-5M5.500 3l2-2 2 2" />
            </svg>
          </button>
        );
      })}
    </>
  );
}

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

/** What can be done with a branch: its columns on the stage, hiding it, making it the run, and taking it away. */
function BranchMenu({ entry, title }: Properties) {
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
        <Icon name="more" />
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

function Score({ entry }: { readonly entry: BranchEntry }) {
  const run = useRun();
  const [label] = run.branches.columnsOf(entry);
  const score = label === undefined ? undefined : scoreOf(run, entry, label);
  if (!score) return <span class="branch-score number" />;
  return (
    <span class="branch-score number" data-better={score.isBetter} title={score.help}>
      {score.text}
      <span class="visually-hidden">: {score.help}</span>
    </span>
  );
}

function Standing({ entry }: { readonly entry: BranchEntry }) {
  const { branches, course } = useRun();
  const standing = standingOf(entry, course.newestCycle.value);
  if (!standing) return <Score entry={entry} />;
  if (standing.isMissed) {
    return (
      <button
        type="button"
        class="button branch-compute"
        title="The run is past the cycle where the branch leaves it: compute the branch up to here"
        onClick={() => void branches.compute(entry.id)}
      >
        Compute
      </button>
    );
  }
  return (
    <span class="branch-standing number" data-wrong={standing.isWrong}>
      {standing.text}
    </span>
  );
}

function Branch({ entry }: { readonly entry: BranchEntry }) {
  const { branches, course } = useRun();
  const title = branches.titleOf(entry.id);
  const [first, ...others] = branches.columnsOf(entry);
  // Lines of several methods share their dashes alone.
  const style = first !== undefined && others.length === 0 ? course.styleOf(first) : undefined;
  return (
    <li class="branch" data-hidden={entry.hidden}>
      <Swatch style={{ colour: style?.colour ?? 'currentColor', dash: BRANCH_DASHES[entry.slot] }} />
      <span class="branch-name" title={`From cycle ${entry.branch.cycle}: ${title}`}>
        <KeptEnding words={title} />
      </span>
      <Standing entry={entry} />
      <BranchMenu entry={entry} title={title} />
    </li>
  );
}

export function BranchStrip() {
  const { entries } = useRun().branches;
  const list = useRef<HTMLUListElement>(null);
  if (entries.value.length === 0) return null;
  return (
    <section class="branch-strip" aria-label="Branches">
      <span class="branch-run" title="The run: its lines are those of the methods">
        <Icon name="fork" />
      </span>
      <ul ref={list} class="branch-list">
        {entries.value.map((entry) => (
          <Branch key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

/** Making a branch. */
export function forkCommands({ notices }: Pick<Laboratory, 'notices'>, run: RunView): readonly Command[] {
  const {
    branches: { forking },
    controller,
    course: { info, playing },
  } = run;
  return [
    {
      id: 'run.fork',
      group: 'Run',
      title: 'Fork at the cycle on screen…',
      shortcuts: ['F'],
      keywords: 'branch what if compare setting change beside',
      enabled: () => info.value !== undefined,
      run: () => {
        const obstacle = forking.obstacle();
        if (obstacle !== undefined) {
          notices.notify('information', 'The run cannot be forked here', { lines: [obstacle] });
          return;
        }
        if (playing.value) controller.pause();
        forking.begin();
      },
    },
  ];
}

/** For each branch: showing, computing, making it the run, removing. */
export function branchCommands({ branches, course }: RunView): readonly Command[] {
  return branches.entries.value.flatMap((entry): Command[] => {
    const { id, hidden } = entry;
    const title = branches.titleOf(id);
    return [
      {
        id: `branch.show.${id}`,
        group: 'Run',
        title: `Show branch: ${title}`,
        keywords: 'fork hide',
        checked: () => !hidden,
        run: () => branches.hide(id, !hidden),
      },
      {
        id: `branch.compute.${id}`,
        group: 'Run',
        title: `Compute branch: ${title}`,
        keywords: 'fork',
        enabled: () => standingOf(entry, course.newestCycle.value)?.isMissed === true,
        run: () => branches.compute(id),
      },
      {
        id: `branch.make-run.${id}`,
        group: 'Run',
        title: `Make the branch the run: ${title}`,
        keywords: 'fork keep main line',
        enabled: () => entry.branch.cycle <= course.newestCycle.value + 1,
        run: () => branches.makeMain(id),
      },
      {
        id: `branch.remove.${id}`,
        group: 'Run',
        title: `Remove branch: ${title}`,
        keywords: 'fork delete',
        run: () => branches.remove(id),
      },
    ];
  });
}
