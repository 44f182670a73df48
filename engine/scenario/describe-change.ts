/** A changed setting in words: whose it is, what it is called, what it was and what it is. */
import type { ScenarioChange } from './change-effect.ts';
import type { Scenario } from './schema.ts';

/** Longer values are shown cut off. */
const LONGEST_VALUE = 60;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** @returns `letkf: inflation`, for `methods[2].inflation` of a scenario whose third method has that label */
function settingName({ methods, observations }: Scenario, path: string): string {
  const [, list, index, rest] = /^(methods|observations)\[(\d+)\]\.(.*)$/s.exec(path) ?? [];
  if (list === undefined) return path;
  const owner = list === 'methods' ? methods[Number(index)]?.label : observations[Number(index)]?.name;
  return owner === undefined ? path : `${owner}: ${rest}`;
}

/** @returns as in `letkf: inflation 1.1 → 3` */
export function describeChange(scenario: Scenario, { path, before, after }: Omit<ScenarioChange, 'effect'>): string {
  return `${settingName(scenario, path)} ${shown(before)} → ${shown(after)}`;
}
