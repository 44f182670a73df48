/** What is said of views, on screen and in pictures: scores, that a method diverged, when it is, and which views carry a colour bar. */
import type { RunView } from '../document/run-view.ts';
import { isTruth } from '../document/views/method-style.ts';
import { viewScore, type ViewScore, isShownField, type FieldWords } from '../document/views/shown-planes.ts';
import { divergedAt } from './snapshot-numbers.ts';
import type { DrawnView, DrawnFrame } from './stage-model.ts';
import { stageOf } from './stage-state.ts';
import { chartsOf } from '../figures/chart-state.ts';
import type { Laboratory } from '../page/laboratory.ts';
import { formatModelTime } from '../format/numbers.ts';
import type { PictureBar, PictureView, PictureWords } from './picture/draw-words.ts';

/**
 * While an analysis is made, the score of its forecast: so that one sees what the observations are worth.
 * @param cycle that the view was drawn of: number and picture change together
 * @returns undefined for the truth, and if there are no numbers
 */
export function scoreNow(
  run: RunView,
  { subject, field }: Pick<DrawnView, 'subject' | 'field'>,
  cycle: number,
): ViewScore | undefined {
  const {
    course: { transit },
    branches: { rowOf },
    view: { phase, withheld },
  } = run;
  const { drawnLeg } = stageOf(run);
  const { shownVariables } = chartsOf(run);
  if (isTruth(subject)) return undefined;
  if (isShownField(field)) return run.shown.value?.scores?.get(subject);
  const coming = transit.value?.to.cycle;
  const score =
    drawnLeg.value !== 'increment' || coming === undefined
      ? viewScore(rowOf(subject, cycle), field, phase.value, shownVariables.value)
      : viewScore(rowOf(subject, coming), field, 'forecast', shownVariables.value);
  return score && withheld.value === 'results' ? { ...score, text: '?' } : score;
}

function stateName(cycle: number): string {
  return cycle < 0 ? 'the start' : `cycle ${cycle}`;
}

/** @returns what is said while the picture is not of the cycle on screen yet; undefined if it is */
export function lateWords(run: RunView): string | undefined {
  const wanted = run.branches.snapshot.value?.cycle;
  const drawn = stageOf(run).drawnFrame.value?.cycle;
  if (wanted === undefined || drawn === undefined || wanted === drawn) return undefined;
  return `Drawing ${stateName(wanted)}; the picture is of ${stateName(drawn)}`;
}

/** @returns the cycle in which the method of a view diverged, where it is past */
export function divergenceNow(run: RunView, subject: string): number | undefined {
  const snapshot = run.branches.snapshot.value;
  return snapshot && divergedAt(snapshot, subject);
}

/** Whether one bar can serve both: numbers of one quantity in the same colours. */
function isAlike(a: FieldWords, b: FieldWords): boolean {
  return a.symbol === b.symbol && a.unit === b.unit && a.colourMap === b.colourMap;
}

/** @returns views that need a bar of their own: the last of those with one quantity and one range */
export function barredViews<View extends Pick<DrawnView, 'range' | 'words'>>(views: readonly View[]): readonly View[] {
  return views.filter(({ range, words }, n) => {
    const later = views.slice(n + 1).filter((other) => isAlike(other.words, words));
    return !later.some((other) => other.range.from === range.from && other.range.to === range.to);
  });
}

/** @returns whether a view says what it shows beside its score: unless it is the surface, and nothing else is on screen */
export function namesField(field: string, views: readonly Pick<DrawnView, 'row'>[]): boolean {
  return field !== 'surface' || views.some(({ row }) => row > 0);
}

function titleOf(run: RunView, subject: string): string {
  const { styleOf } = run.branches;
  return styleOf(subject)?.title ?? subject;
}

function viewOf(
  laboratory: Laboratory,
  run: RunView,
  view: DrawnView,
  { cycle, views }: Pick<DrawnFrame, 'cycle' | 'views'>,
): PictureView {
  const { rect, subject, field, row, words } = view;
  const { resolvedTheme } = laboratory.preferences;
  const { styleOf } = run.branches;
  const style = styleOf(subject);
  const over = divergenceNow(run, subject);
  const score = scoreNow(run, { subject, field }, cycle);
  const name = namesField(field, views) ? `${words.title}, ` : '';
  const said = row > 0 || score === undefined ? words.title : `${name}${score.title} ${score.text}`;
  return {
    rect,
    title: [titleOf(run, subject), words.minus].filter((part) => part !== undefined).join(' − '),
    words: over === undefined ? said : `diverged at cycle ${over}`,
    colour: style?.[resolvedTheme.value] ?? 'currentColor',
    dash: style?.dash ?? '',
  };
}

/** Ranges that views have of their own are said in these; the camera leaves room for them. */
function barOf(run: RunView, { words, range, colourAt, rangeIsKnown, rect }: DrawnView): PictureBar {
  const { rangeMode } = run.view;
  return { words, range, colourAt, isKnown: rangeIsKnown, inside: rangeMode.value === 'auto' ? rect : undefined };
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

/** @returns what is to be read in a picture of the stage at this moment */
export function wordsNow(laboratory: Laboratory, run: RunView, frame: DrawnFrame): PictureWords {
  const { size, views } = frame;
  const { resolvedTheme, typeScale } = laboratory.preferences;
  const {
    course: { info },
  } = run;
  const scenario = info.value?.scenario;
  return {
    theme: resolvedTheme.value,
    scale: typeScale.value,
    ...size,
    views: views.map((view) => viewOf(laboratory, run, view, frame)),
    bars: barredViews(views).map((view) => barOf(run, view)),
    scenario: scenario?.title || (scenario?.name ?? ''),
    when: whenWords(run),
  };
}
