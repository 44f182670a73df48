/** What is to be read in a picture of the stage: the words that stand over it on screen, at this moment. */
import { fieldOf } from '../../state/fields.ts';
import { formatModelTime } from '../../state/format.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import { resolvedTheme, typeScale } from '../../state/preferences.ts';
import { currentSnapshot, cycle, info, styleOf } from '../../state/session-state.ts';
import { look, phase, rangeMode } from '../../state/view-state.ts';
import { barredViews } from '../barred-views.ts';
import type { DrawnFrame, DrawnView } from '../stage-model.ts';
import { drawnLeg } from '../stage-state.ts';
import { divergenceNow, scoreNow } from '../view-words.ts';
import type { PictureBar, PictureView, PictureWords } from './draw-words.ts';

function titleOf(subject: string): string {
  return subject === TRUTH ? TRUTH_STYLE.title : (styleOf(subject)?.title ?? subject);
}

function viewOf({ rect, subject, field }: DrawnView): PictureView {
  const style = subject === TRUTH ? TRUTH_STYLE : styleOf(subject);
  const over = divergenceNow(subject);
  const score = scoreNow({ subject, field });
  const what = fieldOf(field).title;
  const said = over !== undefined ? `diverged at cycle ${over}` : score && `${score.title} ${score.text}`;
  return {
    rect,
    title: titleOf(subject),
    words: said === undefined ? what : `${what}, ${said}`,
    colour: style?.[resolvedTheme.value] ?? 'currentColor',
    dash: style?.dash ?? '',
  };
}

/** Ranges that views have of their own are said in these; the camera leaves room for them. */
function barOf({ field, range, rect }: DrawnView): PictureBar {
  return { field, range, inside: rangeMode.value === 'auto' ? rect : undefined };
}

function whenWords(): string {
  const { text, unit } = formatModelTime(currentSnapshot.value?.timeSeconds ?? 0);
  const name = cycle.value < 0 ? 'before cycle 0' : `cycle ${cycle.value}`;
  const part = drawnLeg.value === 'analysis' ? phase.value : drawnLeg.value;
  return `${name}, ${text} ${unit}, ${part}`;
}

/** @param canvas of the stage */
export function wordsNow({ views }: DrawnFrame, canvas: HTMLCanvasElement): PictureWords {
  const scenario = info.value?.scenario;
  return {
    theme: resolvedTheme.value,
    scale: typeScale.value,
    width: Math.max(1, canvas.clientWidth),
    height: Math.max(1, canvas.clientHeight),
    views: views.map(viewOf),
    bars: barredViews(views, look.value).map(barOf),
    scenario: scenario?.title || (scenario?.name ?? ''),
    when: whenWords(),
  };
}
