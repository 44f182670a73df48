/** What is on screen as a step of a lesson shows it: the cycle, the views, the part of the evidence and what was changed. */
import {
  MOST_SETTINGS_OF_A_STEP,
  changesBetween,
  isRecord,
  scenarioAt,
  scenarioAtStep,
  validateScenario,
} from '../../../engine/index.ts';
import type { LessonSetting, LessonStep, Scenario, WrittenLessonStep, XraySubject } from '../../../engine/index.ts';
import { viewsNow } from '../links/link-views.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { StageState } from '../../stage/stage-state.ts';
import { fieldOf } from '../../fields/fields.ts';
import type { LessonRun } from './lesson-run.ts';

/** As a file writes it. */
export type WrittenShow = NonNullable<WrittenLessonStep['show']>;

/** @returns the settings that another scenario has, in its order; what was done to the water while it ran is no setting */
export function changedSettings(before: Scenario, after: Scenario): readonly LessonSetting[] {
  return changesBetween(before, after)
    .filter(({ path, effect, after: value }) => effect !== 'label' && value !== undefined && isSetting(path))
    .slice(0, MOST_SETTINGS_OF_A_STEP)
    .map(({ path, after: value }) => ({ path, value: value ?? null }));
}

function isSetting(path: string): boolean {
  return !/^interventions\b/.test(path);
}

/** What a step is recorded against. */
export interface StepBefore {
  /** The scenario that the lesson begins with, as a file would hold it. */
  readonly base: unknown;
  readonly steps: readonly LessonStep[];
  /** The step that the new one follows, from 0; −1 before all. */
  readonly index: number;
}

/** @returns what is on screen now. @throws ScenarioError where the steps before do not fit the scenario */
export function showNow(
  laboratory: Pick<Laboratory, 'evidence' | 'frame'>,
  run: LessonRun & { readonly stage: Pick<StageState, 'currentStage'> },
  { base, steps, index }: StepBefore,
): WrittenShow {
  const { info, cycle } = run.course;
  const running = info.peek()?.scenario;
  const before = validateScenario(scenarioAtStep(base, steps, index), 'the lesson').scenario;
  const settings = running ? changedSettings(before, scenarioAt(running, cycle.peek())) : [];
  const views = {
    ...viewsNow(laboratory, run),
    // A panel that is closed is no part of what is seen.
    evidence: laboratory.frame.isPanelShown('evidence') ? laboratory.evidence.evidenceTab.peek() : undefined,
  };
  const { evidence, ...others } = views;
  const seen = { ...others, ...(evidence !== undefined && { evidence }) };
  return {
    cycle: cycle.peek(),
    ...(Object.keys(seen).length > 0 && { views: seen }),
    ...(settings.length > 0 && { settings: [...settings] }),
  };
}

function xrayWords(xray: XraySubject): string {
  return xray.kind === 'point'
    ? `X-ray of ${xray.variable} at ${xray.x}, ${xray.y}`
    : `X-ray of observation ${xray.index}`;
}

const LONGEST_VALUE = 40;

/** @returns a setting in a few words: a section or list, such as an added method, is named by its kind or its size */
function settingWords({ path, value }: Pick<LessonSetting, 'path'> & { readonly value: unknown }): string {
  if (Array.isArray(value)) return `${path}: ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  if (isRecord(value)) return typeof value['kind'] === 'string' ? `${path}: ${value['kind']}` : `${path} changed`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${path} = ${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text}`;
}

/** @returns what a step shows, in a few words: `cycle 5 · Surface, Error · background.members = 8` */
export function shownInWords({ cycle, playTo, views = {}, settings = [] }: WrittenShow): string {
  const when = playTo === undefined ? (cycle === undefined ? [] : [`cycle ${cycle}`]) : [`plays to cycle ${playTo}`];
  const fields = (views.fields ?? ['surface']).map((id) => fieldOf(id).title).join(', ');
  const changed = settings.map(settingWords);
  const asked = views.xray === undefined ? [] : [xrayWords(views.xray)];
  return [
    ...when,
    fields,
    ...asked,
    ...(views.evidence === undefined ? [] : [`evidence: ${views.evidence}`]),
    ...changed,
  ].join(' · ');
}
