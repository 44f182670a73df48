/** The branches of the run, in a strip under the views: what differs, where each is, how it does beside the run, and its menu. */
import { useRef } from 'preact/hooks';
import { Icon } from '../../controls/icons.tsx';
import { Swatch, KeptEnding } from '../../controls/line-name.tsx';
import { useRun } from '../../document/context.ts';
import { BRANCH_DASHES } from '../../document/lines/branch-views.ts';
import { BranchMenu } from './branch-menu.tsx';
import type { BranchEntry } from '../../document/lines/branch-list.ts';
import { scoreOf, standingOf } from './branch-words.ts';

import './branches.css';

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
  const { branches } = useRun();
  const title = branches.titleOf(entry.id);
  return (
    <li class="branch" data-hidden={entry.hidden}>
      <Swatch style={{ colour: 'currentColor', dash: BRANCH_DASHES[entry.slot] }} />
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
