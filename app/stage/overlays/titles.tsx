/** The title of a view: the method, and the one number that says how it does now. */
import { KeptEnding, Swatch } from '../../controls/line-name.tsx';
import { useRun } from '../../document/context.ts';
import type { DrawnView } from '../stage-model.ts';
import { divergenceNow, scoreNow } from '../view-words.ts';

import { useViewRoom } from './view-room.ts';
import { stageOf } from '../stage-state.ts';

/** Under the name: the score in the first row, and what is drawn where no score says so. */
function Second({
  subject,
  field,
  row,
  words,
  memberLines,
}: Pick<DrawnView, 'subject' | 'field' | 'row' | 'words' | 'memberLines'>) {
  const run = useRun();
  const over = divergenceNow(run, subject);
  if (over !== undefined) return <p class="view-score view-diverged">diverged at cycle {over}</p>;
  const behind = run.branches.behindOf(subject);
  if (behind !== undefined) return <p class="view-score view-what">still at cycle {behind}</p>;
  const score = scoreNow(run, { subject, field }, stageOf(run).drawnFrame.value?.cycle ?? -1);
  if (score === undefined || row > 0) return <p class="view-score view-what">{words.title}</p>;
  return (
    <p class="view-score">
      <span class="view-what">{score.title}</span> <span class="view-number number">{score.text}</span>
      {memberLines > 0 && (
        <span class="view-what" title="Thin lines beside the ribbon, whose edge is their mean; drawn while it rests">
          {` ${memberLines} members`}
        </span>
      )}
    </p>
  );
}

/** The way back to before a method diverged, as its notice has it. */
function WayBack({ subject }: Pick<DrawnView, 'subject'>) {
  const run = useRun();
  const {
    controller,
    course: { divergences },
    edits: { wayBack },
  } = run;
  const divergence = divergences.value.find(({ method }) => method === subject);
  if (!divergence || divergenceNow(run, subject) === undefined) return null;
  const { cycle, title } = wayBack(divergence);
  return (
    <button type="button" class="button view-back" title={title} onClick={() => controller.goBack(cycle, true)}>
      Back to cycle {cycle}
    </button>
  );
}

/** A method, and of a branch what differs in it. */
function Name({ title, detail }: { readonly title: string; readonly detail: string | undefined }) {
  if (detail === undefined) return title;
  return (
    <>
      <span class="view-owner">{title.slice(0, -detail.length)}</span>
      <span class="view-branch" title={detail}>
        <KeptEnding words={detail} />
      </span>
    </>
  );
}

export function Title({ view: { subject, field, row, words, memberLines } }: { readonly view: DrawnView }) {
  const { detailOf, styleOf } = useRun().branches;
  const label = useViewRoom<HTMLDivElement>('title');
  const style = styleOf(subject);
  return (
    <div class="view-label" ref={label}>
      <h3 class="view-title">
        {style && <Swatch style={style} />}
        <span class="view-name">
          <Name title={style?.title ?? subject} detail={detailOf(subject)} />
        </span>
        <WayBack subject={subject} />
      </h3>
      <Second subject={subject} field={field} row={row} words={words} memberLines={memberLines} />
    </div>
  );
}
