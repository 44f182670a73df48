/** What is to be read in a picture of the stage: the words over it on screen, at this moment. */
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { formatModelTime } from '../../format/numbers.ts';
import { barredViews, divergenceNow, scoreNow } from '../view-words.ts';
import type { DrawnFrame, DrawnView } from '../stage-model.ts';

import type { PictureBar, PictureView, PictureWords } from './draw-words.ts';
import { stageOf } from '../stage-state.ts';

function titleOf(run: RunView, subject: string): string {
  const { styleOf } = run.branches;
  return styleOf(subject)?.title ?? subject;
}

function viewOf(laboratory: Laboratory, run: RunView, view: DrawnView, cycle: number): PictureView {
  const { rect, subject, field, row, words } = view;
  const { resolvedTheme } = laboratory.preferences;
  const { styleOf } = run.branches;
  const style = styleOf(subject);
  const over = divergenceNow(run, subject);
  const score = scoreNow(run, { subject, field }, cycle);
  // As short as on screen, where the camera leaves room for so much: the bar names the field.
  const said = row > 0 || score === undefined ? words.title : `${score.title} ${score.text}`;
  return {
    rect,
    title: titleOf(run, subject),
    words: over === undefined ? said : `diverged at cycle ${over}`,
    colour: style?.[resolvedTheme.value] ?? 'currentColor',
    dash: style?.dash ?? '',
  };
}

/** Ranges that views have of their own are said in these; the camera leaves room for them. */
function barOf(run: RunView, { words, range, rangeIsKnown, rect }: DrawnView): PictureBar {
  const { rangeMode } = run.view;
  return { words, range, isKnown: rangeIsKnown, inside: rangeMode.value === 'auto' ? rect : undefined };
}

function whenWords(run: RunView): string {
  const {
    course: { currentSnapshot, cycle },
    view: { phase, world },
  } = run;
  const { drawnLeg } = stageOf(run);
  const { text, unit } = formatModelTime(currentSnapshot.value?.timeSeconds ?? 0, world.value);
  const name = cycle.value < 0 ? 'before cycle 0' : `cycle ${cycle.value}`;
  const part = drawnLeg.value === 'analysis' ? phase.value : drawnLeg.value;
  return `${name}, ${`${text} ${unit}`.trim()}, ${part}`;
}

/** @param canvas of the stage */
export function wordsNow(
  laboratory: Laboratory,
  run: RunView,
  { views, cycle }: DrawnFrame,
  canvas: HTMLCanvasElement,
): PictureWords {
  const { resolvedTheme, typeScale } = laboratory.preferences;
  const {
    course: { info },
    view: { shownLook },
  } = run;
  const scenario = info.value?.scenario;
  return {
    theme: resolvedTheme.value,
    scale: typeScale.value,
    width: Math.max(1, canvas.clientWidth),
    height: Math.max(1, canvas.clientHeight),
    views: views.map((view) => viewOf(laboratory, run, view, cycle)),
    bars: barredViews(views, shownLook.value).map((view) => barOf(run, view)),
    scenario: scenario?.title || (scenario?.name ?? ''),
    when: whenWords(run),
  };
}
