/** What differs between two scenarios, and when each difference takes hold in a run that goes on: the one definition of it. */
import { isRecord } from './is-record.ts';
import type { Scenario } from './schema.ts';

/** `label`: words alone, nothing to run anew. `next-cycle`: the run goes on with it. `restart`: the run begins anew. */
export type ChangeEffect = 'label' | 'next-cycle' | 'restart';

export interface ScenarioChange {
  /** As in `methods[1].inflation`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly effect: ChangeEffect;
}

const LABELS = /^(\$schema|title|description|name|expected)\b/;
/** Settings of a method and of the observing networks' errors, and how long the run is: truth and ensemble stay what they are. */
const NEXT_CYCLE: readonly RegExp[] = [
  /^methods\[\d+\]\.(inflation|localization|relaxation|rotation|covariance|minimisation)\b/,
  /^observations\[\d+\]\.(errorStandardDeviation|qualityControl|dropout|outliers|every)\b/,
  /^experiment\.(cycles|spinup)$/,
];
/** The same in words, for those who wrote another path. */
export const NEXT_CYCLE_SETTINGS =
  'inflation, localization, relaxation, rotation, covariance and minimisation of methods[…], errorStandardDeviation, ' +
  'qualityControl, dropout, outliers and every of observations[…], experiment.cycles and experiment.spinup';

/** @returns when a change at a path takes hold */
export function effectOf(path: string): ChangeEffect {
  if (LABELS.test(path)) return 'label';
  return NEXT_CYCLE.some((pattern) => pattern.test(path)) ? 'next-cycle' : 'restart';
}

/** Whether values differ key by key: of two kinds, or with a key too few, one replaces the other as a whole. */
function haveSameForm(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): boolean {
  const isMissing = Object.keys(before).some((key) => before[key] !== undefined && after[key] === undefined);
  return before['kind'] === after['kind'] && !isMissing;
}

function walk(path: string, before: unknown, after: unknown, found: ScenarioChange[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (isRecord(before) && isRecord(after) && (path === '' || haveSameForm(before, after))) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      walk(path === '' ? key : `${path}.${key}`, before[key], after[key], found);
    }
    return;
  }
  const lists = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  if (lists && before.some((entry) => isRecord(entry))) {
    before.forEach((entry, index) => walk(`${path}[${index}]`, entry, after[index], found));
    return;
  }
  found.push({ path, before, after, effect: effectOf(path) });
}

/** @returns the smallest values that differ, in the scenario's order */
export function changesBetween(before: Scenario, after: Scenario): readonly ScenarioChange[] {
  const found: ScenarioChange[] = [];
  walk('', before, after, found);
  return found;
}
